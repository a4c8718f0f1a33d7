import { clsx } from "clsx";
import { type ComponentProps, useRef } from "react";
import { useShownKind } from "../use-media-state.ts";
import { MediaView } from "./media-view.tsx";
import { type Player, usePlayer } from "./player.ts";
import { PlayerBar, type PlayerBarProps } from "./player-bar.tsx";

interface PlayedMediaProps extends Omit<ComponentProps<typeof MediaView>, "player"> {
  /** The player, where the owner needs it for commands of its own; else one is made here. */
  player?: Player | undefined;
  hasCommands?: PlayerBarProps["hasCommands"];
  /** What saved frames are called. */
  frameName?: string | undefined;
  /** The command for the whole screen, where there is one. */
  fullScreen?: PlayerBarProps["fullScreen"];
}

/**
 * A file that fills the box of its owner, with the bar that plays it below, where it is a clip or a sound. Nothing
 * covers the file.
 */
export function PlayedMedia({ player, hasCommands, frameName, fullScreen, className, ...view }: PlayedMediaProps) {
  const own = usePlayer();
  const box = useRef<HTMLDivElement>(null);
  const kind = useShownKind(view.item);
  const isPlayed = (kind === "video" || kind === "audio") && !view.isDeleted;
  const played = player ?? own;
  return (
    <div ref={box} className="flex h-full flex-col">
      <MediaView {...view} player={played} className={clsx(className, "aspect-auto! min-h-0 flex-1")} />
      {isPlayed && (
        <PlayerBar
          player={played}
          hasCommands={hasCommands}
          grab={kind === "video" && frameName ? { url: view.item.url, name: frameName } : undefined}
          fullScreen={fullScreen ?? (kind === "video" ? { run: () => void fillScreen(box.current) } : undefined)}
        />
      )}
    </div>
  );
}

/** Fills the screen with an element, or leaves it. A browser may refuse. */
export async function fillScreen(node: HTMLElement | null): Promise<void> {
  const isFull = document.fullscreenElement !== null;
  await (isFull ? document.exitFullscreen() : node?.requestFullscreen?.())?.catch(() => undefined);
}
