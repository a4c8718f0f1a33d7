import { clsx } from "clsx";
import {
  Columns2,
  Columns3,
  FileArchive,
  FolderDown,
  ListPlus,
  type LucideIcon,
  Star,
  Tag,
  Trash2,
  X,
} from "lucide-react";
import { counted, formatNumber } from "#lib/numbers.ts";
import { canPickFolder } from "#media/download/archive-folder.ts";
import { startBulk } from "#media/download/bulk-run.ts";
import { resultCommands } from "#results/commands.ts";
import type { Marks } from "#results/marks/marks.ts";
import { canRehost, RehostButton } from "#results/reuse/rehost-button.tsx";
import { ReuseMenu } from "#results/reuse/reuse-menu.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { historyCommands } from "./commands.ts";
import type { JobActs } from "./job-acts.tsx";

interface ActionBarProps {
  /** The selected jobs, in the order of the list. */
  chosen: readonly JobRecord[];
  marks: Marks;
  /** The acts for the selected jobs. */
  jobActs: JobActs;
  onClear: () => void;
}

/** What can be done with the selected jobs. Floats over the list while something is selected. */
export function ActionBar({ chosen, marks, jobActs, onClear }: ActionBarProps) {
  const { acts, files, collect, addToBatch } = jobActs;
  const only = chosen.length === 1 ? chosen[0] : undefined;
  useCommands([{ ...historyCommands.clearSelection, icon: X, run: onClear }]);
  const isStarred = chosen.every((entry) => marks.marks.get(entry.requestId)?.isStarred);
  return (
    <div
      role="toolbar"
      aria-label="Selected jobs"
      className="flex flex-wrap items-center gap-1.5 rounded-lg border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-float max-sm:pl-2"
    >
      <span role="status" className="font-medium tabular-nums">
        {formatNumber(chosen.length)} selected
      </span>
      <span className="text-ink-3 tabular-nums max-sm:hidden">{counted(files.length, "file")}</span>
      {only && <ReuseMenu acts={acts} size="sm" />}
      {only && canRehost(only) && <RehostButton job={only} size="sm" />}
      <ActButton name="compare" acts={acts} icon={Columns2} />
      <ActButton name="compareModels" acts={acts} icon={Columns3} />
      <ActButton name="star" acts={acts} icon={Star} isPressed={isStarred} />
      <CommandButton size="sm" command={{ ...historyCommands.collect, icon: Tag, run: collect }} />
      <CommandButton size="sm" command={{ ...historyCommands.addToBatch, icon: ListPlus, run: addToBatch }} />
      <ActButton name="download" acts={acts} icon={FileArchive} word="Download zip" />
      {canPickFolder() && files.length > 0 && (
        <CommandButton
          size="sm"
          command={{
            ...historyCommands.saveSelected,
            icon: FolderDown,
            run: () => void startBulk(files, "folder"),
          }}
        />
      )}
      <ActButton name="delete" acts={acts} icon={Trash2} variant="danger" />
      <Button size="sm" variant="ghost" onClick={onClear} {...useCommandProps(historyCommands.clearSelection)}>
        <span className="sr-only">{historyCommands.clearSelection.label}</span>
        <X aria-hidden className="size-4 2xl:hidden" />
        <Kbd command={historyCommands.clearSelection} className="max-2xl:hidden" />
      </Button>
    </div>
  );
}

interface ActButtonProps {
  name: keyof typeof resultCommands;
  acts: JobActs["acts"];
  icon: LucideIcon;
  /** Replaces the label of the command. */
  word?: string | undefined;
  isPressed?: boolean | undefined;
  variant?: "danger" | undefined;
}

/** The button of an act that is also a command. Renders nothing while the act is not possible. */
function ActButton({ name, acts, icon: Icon, word, isPressed, variant }: ActButtonProps) {
  const command = resultCommands[name];
  const act = acts[name];
  const props = useCommandProps(command);
  if (!act) return null;
  return (
    <Button {...props} size="sm" variant={variant} aria-pressed={isPressed} onClick={() => void act()}>
      <Icon aria-hidden className={clsx("size-4", isPressed && "fill-current")} />
      {word ?? command.label}
      {/* Hidden in a narrow window, so that the bar stays in one line. */}
      <Kbd command={command} className="max-2xl:hidden" />
    </Button>
  );
}
