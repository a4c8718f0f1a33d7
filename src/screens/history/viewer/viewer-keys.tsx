import type { MediaKind } from "#api/types.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { VIEWER_DOWNLOAD, type ViewerAct, viewerCommand } from "./viewer-commands.ts";

interface ViewerKeysProps {
  /** The acts that are possible now. */
  acts: Partial<Record<ViewerAct, unknown>>;
  kind: MediaKind | undefined;
  hasFile: boolean;
}

const OF_SETTINGS: readonly [ViewerAct, string][] = [
  ["details", "Details"],
  ["reuse-all", "Use settings"],
  ["remix", "New seed"],
  ["reuse-prompt", "Prompt"],
  ["reuse-seed", "Seed"],
  ["star", "Star"],
  ["compare", "Compare"],
  ["full-screen", "Full screen"],
];

/** The keys of the viewer in one quiet line, where there is a keyboard and room for it. */
export function ViewerKeys({ acts, kind, hasFile }: ViewerKeysProps) {
  const shown = OF_SETTINGS.filter(([act]) => acts[act] !== undefined);
  return (
    <div
      aria-hidden="true"
      data-keys=""
      className="flex h-8 shrink-0 items-center justify-center gap-2.5 overflow-hidden whitespace-nowrap px-2 xl:gap-4 text-[11.5px] text-ink-3 max-lg:hidden short:hidden pointer-coarse:hidden"
    >
      <KeyWord word="Browse" keys={[viewerCommand("previous"), viewerCommand("next")]} />
      {(kind === "video" || kind === "audio") && hasFile && (
        <KeyWord word="Play" keys={[{ id: "viewer.play", keys: "space" }]} />
      )}
      {shown.map(([act, word]) => (
        <KeyWord key={act} word={word} keys={[viewerCommand(act)]} />
      ))}
      {hasFile && <KeyWord word="Download" keys={[VIEWER_DOWNLOAD]} />}
      <KeyWord word="Close" keys={[{ id: undefined, keys: "esc" }]} />
      <KeyWord word="All keys" keys={[{ id: "help", keys: "?" }]} />
    </div>
  );
}

function KeyWord({ word, keys }: { word: string; keys: readonly { id: string | undefined; keys: string }[] }) {
  return (
    <span className="flex items-center gap-1 xl:gap-1.5">
      {keys.map((one) => (
        <Kbd key={one.keys} command={one.id} keys={one.keys} />
      ))}
      {word}
    </span>
  );
}
