import { clsx } from "clsx";
import { Bookmark, Braces, CodeXml, type LucideIcon, SquarePen } from "lucide-react";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/command-store.ts";

export type FormView = "form" | "json" | "code";

const VIEWS: readonly [FormView, string, LucideIcon][] = [
  ["form", "Form", SquarePen],
  ["json", "JSON", Braces],
  ["code", "Code", CodeXml],
];
const PRESETS = { id: "create.presets", label: "Presets", group: "Run", keys: "p", icon: Bookmark };

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
    { ...PRESETS, run: onPresets },
    ...VIEWS.map(([name, label, icon]) => ({
      ...{
        id: `create.view-${name}`,
        label: `View as ${label === "JSON" ? label : label.toLowerCase()}`,
        group: "View",
        icon,
      },
      value: view === name ? "On" : undefined,
      run: () => onView(name),
    })),
  ]);
  const presetsProps = useCommandProps(PRESETS);
  return (
    <div className="flex items-center gap-1 text-[12px]">
      {VIEWS.map(([name, label]) => (
        <button
          key={name}
          type="button"
          data-command={`create.view-${name}`}
          aria-pressed={view === name}
          onClick={() => onView(name)}
          className={clsx(
            "min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3",
            view === name ? "font-medium text-ink" : "text-ink-3",
          )}
        >
          {label}
        </button>
      ))}
      <span className="ml-auto text-ink-3">{isSaved ? "Saved as draft" : "Not saved as draft"}</span>
      <button
        type="button"
        {...presetsProps}
        onClick={onPresets}
        className="min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3"
      >
        Presets
      </button>
    </div>
  );
}
