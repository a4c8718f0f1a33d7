import { Dialog } from "#ui/dialog.tsx";
import { historyCommands } from "./commands.ts";

/** The terms of a search, in History and in the palette. `readQuery` in `job-index/search-index.ts` reads them. */
const TERMS: readonly [term: string, meaning: string][] = [
  ["lamp fog", "both words, in the prompt, model, ID or parameters"],
  ['"a lamp in fog"', "these words in this order"],
  ["-fog", "without this word; works before each term below, too"],
  ["model:lumen", "model name"],
  ["status:done", "done, failed, cancelled or queued; several with commas"],
  ["type:image", "image, video or audio"],
  ["is:starred", "starred; also is:saved, is:expiring, is:expired"],
  ["tag:harbor", "tag or collection"],
  ["seed:42", "seed"],
  ["cost>0.5", "price in USD (jobs from this browser only); also <"],
  ["expires<7", "files that expire within 7 days; also >"],
  ["after:2026-11-01", "from this day on; before: up to and including this day"],
  ["id:req_", "job ID starts with"],
];

/** The terms of a search with what each finds. */
export function SearchTerms() {
  return (
    <dl className="m-0 grid grid-cols-[minmax(0,9.5rem)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {TERMS.map(([term, meaning]) => (
        <div key={term} className="contents">
          <dt className="wrap-anywhere font-mono text-xs leading-relaxed">{term}</dt>
          <dd className="m-0 text-ink-2">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SearchHelpProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The dialog with all terms that a search understands. */
export function SearchHelp({ isOpen, onOpenChange }: SearchHelpProps) {
  return (
    <Dialog
      open={isOpen}
      onOpenChange={onOpenChange}
      size="sm"
      title={historyCommands.searchHelp.label}
      description="Jobs must match all terms. These terms work in the command palette too."
    >
      <SearchTerms />
    </Dialog>
  );
}
