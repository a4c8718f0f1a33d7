/** The first stop of the Tab key: past the rail, straight to the screen. A button, so that the address keeps its hash. */
export function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById("main")?.focus()}
      className="fixed top-2 left-2 z-50 h-10 -translate-y-16 rounded-sm bg-accent px-3 font-semibold text-accent-ink focus:translate-y-0"
    >
      Skip to content
    </button>
  );
}
