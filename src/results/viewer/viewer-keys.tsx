import type { MediaKind } from "#api/types.ts";
import { playerCommands } from "#media/commands.ts";
import { type Acts, type CommandInfo, studioCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { resultCommands } from "../commands.ts";

interface ViewerKeysProps {
  acts: Acts<typeof resultCommands>;
  /** Of the file that is there to see; undefined where there is none. */
  kind: MediaKind | undefined;
}

const SHOWN = ["details", "editAgain", "newSeed", "star", "compare", "fullScreen"] as const;
/** In one line there is no room for the whole name. */
const SHORT: Partial<Record<(typeof SHOWN)[number], string>> = { newSeed: "New seed" };

/** The keys of the viewer in one quiet line, where there is a keyboard and room for it. */
export function ViewerKeys({ acts, kind }: ViewerKeysProps) {
  const isPlayed = kind === "video" || kind === "audio";
  return (
    <div
      aria-hidden="true"
      data-keys=""
      className="flex h-8 shrink-0 items-center justify-center gap-2.5 overflow-hidden whitespace-nowrap px-2 xl:gap-4 text-[11.5px] text-ink-3 max-lg:hidden short:hidden pointer-coarse:hidden"
    >
      <KeyWord word="Browse" commands={[resultCommands.previous, resultCommands.next]} />
      {isPlayed && <KeyWord word="Play" commands={[playerCommands.play]} />}
      {kind === "video" && <KeyWord word="Frame" commands={[playerCommands.frameBack, playerCommands.frameOn]} />}
      {SHOWN.filter((name) => acts[name]).map((name) => (
        <KeyWord key={name} word={SHORT[name] ?? resultCommands[name].label} commands={[resultCommands[name]]} />
      ))}
      {kind && <KeyWord word={resultCommands.download.label} commands={[resultCommands.download]} />}
      <span className="flex items-center gap-1 xl:gap-1.5">
        <Kbd keys="esc" />
        Close
      </span>
      <KeyWord word="All keys" commands={[studioCommands.help]} />
    </div>
  );
}

function KeyWord({ word, commands }: { word: string; commands: readonly CommandInfo[] }) {
  return (
    <span className="flex items-center gap-1 xl:gap-1.5">
      {commands.map((command) => (
        <Kbd key={command.id} command={command} />
      ))}
      {word}
    </span>
  );
}
