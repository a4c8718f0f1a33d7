import { clsx } from "clsx";
import { Bookmark, Braces, CodeXml, type LucideIcon, SquarePen } from "lucide-react";
import { useCommandProps } from "#ui/command-button.tsx";
import { type CommandInfo, useCommands } from "#ui/commands.ts";
import { createCommands } from "./commands.ts";

export type FormView = "form" | "json" | "code";

const VIEWS: readonly { view: FormView; word: string; icon: LucideIcon; command: CommandInfo }[] = [
  { view: "form", word: "Form", icon: SquarePen, command: createCommands.viewForm },
  { view: "json", word: "JSON", icon: Braces, command: createCommands.viewJson },
  { view: "code", word: "Code", icon: CodeXml, command: createCommands.viewCode },
];

/** Three views of one payload, and the way to its presets. */
export function FormViewTabs({
  view,
  onView,
  onPresets,
  isSaved,
}: {
  view: FormView;
  onView: (view: FormView) => void;
  onPresets: () => void;
  /** Not while the connection's own key is in the form: it must not be on the disk. */
  isSaved: boolean;
}) {
  useCommands([
    { ...createCommands.presets, icon: Bookmark, run: onPresets },
    ...VIEWS.map(({ view: name, icon, command }) => ({
      ...command,
      icon,
      value: view === name ? "On" : undefined,
      run: () => onView(name),
    })),
  ]);
  const presetsProps = useCommandProps(createCommands.presets);
  return (
    <div className="flex items-center gap-1 text-[12px]">
      {VIEWS.map(({ view: name, word, command }) => (
        <button
          key={name}
          type="button"
          data-command={command.id}
          aria-pressed={view === name}
          onClick={() => onView(name)}
          className={clsx(
            "min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3",
            view === name ? "font-medium text-ink" : "text-ink-3",
          )}
        >
          {word}
        </button>
      ))}
      <span className="ml-auto text-ink-3">{isSaved ? "Saved as draft" : "Not saved as draft"}</span>
      <button
        type="button"
        {...presetsProps}
        onClick={onPresets}
        className="min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3"
      >
        {createCommands.presets.label}
      </button>
    </div>
  );
}
