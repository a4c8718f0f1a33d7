import { Columns2, Columns3, FileArchive, FolderDown, ListPlus, Star, Tag, Trash2, X } from "lucide-react";
import { resultCommands } from "#jobs/commands.ts";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { canPickFolder } from "#media/download/archive-folder.ts";
import { startBulk } from "#media/download/bulk-run.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { historyCommands } from "./commands.ts";
import type { HistoryEntry } from "./history-entry.ts";
import type { JobActs } from "./job-acts.tsx";
import { canRehost, inputOf, RehostButton, ReuseMenu } from "./run-again.tsx";

/** In one line where it can be: below this width the keys stand in the list of keys and in the palette alone. */
const KEYS_WHERE_ROOM = "max-2xl:[&>span[aria-hidden]]:hidden";

interface ActionBarProps {
  /** The selected jobs, in the order of the list. */
  chosen: readonly HistoryEntry[];
  marks: Marks;
  /** For these jobs. */
  jobActs: JobActs;
  onClear: () => void;
}

/** What can be done with the selected jobs. Floats over the list while something is selected. */
export function ActionBar({ chosen, marks, jobActs, onClear }: ActionBarProps) {
  const { acts, files, collect, addToBatch } = jobActs;
  const only = chosen.length === 1 ? chosen[0] : undefined;
  useCommands([{ ...historyCommands.clearSelection, icon: X, run: onClear }]);
  const isStarred = chosen.every((entry) => marks.marks.get(entry.requestId)?.isStarred);
  const noFiles = files.length === 0 ? { unavailable: "There are no files to download" } : {};
  const run = (name: keyof typeof acts) => () => void acts[name]?.();
  return (
    <div
      role="toolbar"
      aria-label="Selected jobs"
      className="flex flex-wrap items-center gap-1.5 rounded-[12px] border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-float max-sm:pl-2"
    >
      <span role="status" className="font-medium tabular-nums">
        {chosen.length} selected
      </span>
      <span className="mr-2 text-ink-3 tabular-nums max-sm:hidden">
        {files.length === 1 ? "1 file" : `${files.length} files`}
      </span>
      {only && <ReuseMenu acts={acts} item={inputOf(only, 0)} size="sm" />}
      {only && canRehost(only) && <RehostButton key={only.requestId} entry={only} size="sm" />}
      {acts.compare && (
        <CommandButton
          size="sm"
          className={KEYS_WHERE_ROOM}
          command={{ ...resultCommands.compare, icon: Columns2, run: run("compare") }}
        />
      )}
      {acts.compareModels && (
        <CommandButton
          size="sm"
          className={KEYS_WHERE_ROOM}
          command={{ ...resultCommands.compareModels, icon: Columns3, run: run("compareModels") }}
        />
      )}
      <CommandButton
        size="sm"
        aria-pressed={isStarred}
        className={isStarred ? `${KEYS_WHERE_ROOM} [&>svg]:fill-current` : KEYS_WHERE_ROOM}
        command={{ ...resultCommands.star, icon: Star, run: run("star") }}
      />
      <CommandButton size="sm" command={{ ...historyCommands.collect, icon: Tag, run: collect }}>
        Add to collection
      </CommandButton>
      <CommandButton size="sm" command={{ ...historyCommands.addToBatch, icon: ListPlus, run: addToBatch }} />
      <CommandButton
        size="sm"
        className={KEYS_WHERE_ROOM}
        command={{
          ...resultCommands.download,
          label: "Download zip",
          icon: FileArchive,
          ...noFiles,
          run: run("download"),
        }}
      />
      {canPickFolder() && (
        <CommandButton
          size="sm"
          command={{
            ...historyCommands.saveSelected,
            icon: FolderDown,
            ...noFiles,
            run: () => void startBulk(files, "folder"),
          }}
        />
      )}
      {acts.delete && (
        <CommandButton
          size="sm"
          variant="danger"
          className={KEYS_WHERE_ROOM}
          command={{ ...resultCommands.delete, icon: Trash2, run: run("delete") }}
        />
      )}
      <Button size="sm" variant="ghost" onClick={onClear} {...useCommandProps(historyCommands.clearSelection)}>
        <span className="sr-only">{historyCommands.clearSelection.label}</span>
        <X aria-hidden className="size-4 sm:hidden" />
        <Kbd command={historyCommands.clearSelection} className="max-sm:hidden" />
      </Button>
    </div>
  );
}
