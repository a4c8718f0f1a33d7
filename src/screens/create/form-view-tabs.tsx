import { clsx } from "clsx";

export type FormView = "form" | "json" | "code";

const VIEWS: readonly [FormView, string][] = [
  ["form", "Form"],
  ["json", "JSON"],
  ["code", "Code"],
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
  return (
    <div className="flex items-center gap-1 text-[12px]">
      {VIEWS.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={view === name}
          onClick={() => onView(name)}
          className={clsx(
            "min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 hover:text-ink pointer-coarse:min-h-10 pointer-coarse:px-3",
            view === name ? "font-medium text-ink" : "text-ink-3",
          )}
        >
          {label}
        </button>
      ))}
      <span className="ml-auto text-ink-3">{isSaved ? "Saved as draft" : "Not saved as draft"}</span>
      <button
        type="button"
        onClick={onPresets}
        className="min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 text-ink-2 hover:text-ink pointer-coarse:min-h-10 pointer-coarse:px-3"
      >
        Presets
      </button>
    </div>
  );
}
