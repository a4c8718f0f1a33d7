import { CircleHelp } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { Dialog } from "#ui/dialog.tsx";

/** What can be written into the search of History and of the palette: see `readQuery` in `search/search-index.ts`. */
const TERMS: readonly [term: string, what: string][] = [
  ["lamp fog", "both words, in the prompt, model, ID or parameters"],
  ['"a lamp in fog"', "these words in this order"],
  ["-fog", "without this word; works before each term below, too"],
  ["model:lumen", "model name"],
  ["status:success", "success, failed or cancelled; several with commas"],
  ["type:image", "image, video or audio"],
  ["is:starred", "starred; also is:saved, is:expiring, is:expired"],
  ["tag:harbour", "tag or collection"],
  ["seed:42", "seed"],
  ["cost>0.5", "price in dollars: >, < or :, for jobs run in this browser"],
  ["after:2026-11-01", "from this day on; also before:"],
  ["id:req_", "how the job ID begins"],
];

/** The terms of a search with what each finds. */
export function SearchTerms() {
  return (
    <dl className="m-0 grid grid-cols-[minmax(0,9.5rem)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-[13px]">
      {TERMS.map(([term, what]) => (
        <div key={term} className="contents">
          <dt className="wrap-anywhere font-mono text-[12px] leading-5">{term}</dt>
          <dd className="m-0 text-ink-2">{what}</dd>
        </div>
      ))}
    </dl>
  );
}

const HELP = { id: "history.search-help", label: "Search help", group: "Find", icon: CircleHelp };

/** Opens the list of what a search understands. Without its button it is in the palette alone. */
export function SearchHelp({ hasButton, className }: { hasButton: boolean; className: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  useCommands([{ ...HELP, run: open }]);
  return (
    <>
      {hasButton && (
        <IconButton size="sm" label={HELP.label} data-command={HELP.id} className={className} onClick={open}>
          <CircleHelp aria-hidden="true" className="size-4" />
        </IconButton>
      )}
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="sm"
        title="Search help"
        description="A job is found when all terms match. The command palette searches jobs in the same way."
      >
        <SearchTerms />
      </Dialog>
    </>
  );
}
