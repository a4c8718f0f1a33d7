import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { FileFacts } from "#api/types.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useCommands } from "#ui/commands.ts";
import { jobCommands } from "../commands.ts";
import { useJobSchema } from "./job-schema.ts";
import { SettingsDialog } from "./settings-dialog.tsx";
import { awaitedFacts, usedFacts } from "./used-facts.ts";

interface UsedSettingsProps {
  job: JobRecord;
  files: readonly FileFacts[];
  /** Further quiet buttons at the end of the line. */
  children?: ReactNode;
}

const CHIP = "inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-sm px-2 text-[12px] text-ink-2 tabular-nums";

export const QUIET_BUTTON =
  "inline-flex min-h-6 cursor-pointer items-center gap-1.5 rounded-sm border-0 bg-transparent px-1.5 text-[12px] text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-2";

/** What a result was made with, in quiet chips, and the way to everything else that is known of it. */
export function UsedSettings({ job, files, children }: UsedSettingsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { schema, defaults } = useJobSchema(job.model);
  const facts = usedFacts({ job, files, schema, defaults: job.defaults ?? defaults ?? {} });
  useCommands([{ ...jobCommands.settings, icon: Ellipsis, run: () => setIsOpen(true) }]);
  return (
    // What can be pressed has a place of its own, which no fact that comes late moves.
    <div className="flex flex-col gap-1.5 @3xl:flex-row">
      {/* The facts are two lines more often than not: the room of both is there from the beginning. */}
      <div className="flex min-w-0 flex-wrap content-start items-center gap-1.5 sm:min-h-[54px] @3xl:flex-1">
        <dl aria-label="What was used" className="contents">
          {facts.map(({ name, value }) => (
            <div key={name} className={clsx(CHIP, "bg-panel in-data-[theme=light]:bg-hover forced-colors:border")}>
              <dt className="shrink-0 text-ink-3">{name}</dt>
              <dd dir="auto" className="m-0 min-w-0 truncate" title={value}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
        {/* What the files will show once they are there has its space from the beginning. */}
        {awaitedFacts(job, files).map((words) => (
          <span key={words} aria-hidden="true" className={clsx(CHIP, "invisible")}>
            {words}
          </span>
        ))}
      </div>
      <div className="flex flex-wrap content-start items-center gap-1.5">
        <button type="button" className={QUIET_BUTTON} onClick={() => setIsOpen(true)}>
          <Ellipsis aria-hidden="true" className="size-4" />
          All settings
        </button>
        {children}
      </div>
      {isOpen && (
        <SettingsDialog onClose={() => setIsOpen(false)} job={job} files={files} schema={schema} defaults={defaults} />
      )}
    </div>
  );
}
