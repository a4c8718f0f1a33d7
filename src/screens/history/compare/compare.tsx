import { ArrowLeftRight, Pause, Play, X } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { stepVideos, VideoTools } from "#media/show/video-tools.tsx";
import { FIT, type Zoom } from "#media/show/zoom-pane.tsx";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Command } from "#ui/command-store.ts";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import type { HistoryEntry } from "../history-entry.ts";
import { FullDialog } from "../viewer/full-dialog.tsx";
import { COMPARE_MODES, type CompareMode, ComparePreview, nextMode } from "./compare-preview.tsx";
import { CompareTable } from "./compare-table.tsx";

interface CompareProps {
  /** Two to four jobs with media. */
  entries: readonly HistoryEntry[];
  onClose: () => void;
}

/** Two to four results at once, with one zoom, all clips at the same time, and their parameters. */
export function Compare({ entries, onClose }: CompareProps) {
  const [order, setOrder] = useState(() => entries.map((_, place) => place));
  const [mode, setMode] = useState<CompareMode>(entries.length === 2 ? "slider" : "side");
  const [zoom, setZoom] = useState<Zoom>(FIT);
  const [isPlaying, setIsPlaying] = useState(false);
  // A state and no ref: a dialog mounts its content a little later than it renders.
  const [preview, setPreview] = useState<HTMLDivElement | null>(null);
  const shown = order.flatMap((place) => entries[place] ?? []);
  const hasClips = shown.some((entry) => entry.media[0]?.kind === "video");
  useLockedClips(preview);
  const onZoom = useCallback((make: (zoom: Zoom) => Zoom) => setZoom(make), []);
  const clips = () => [...(preview?.querySelectorAll("video") ?? [])];

  function swap() {
    setOrder(([first, ...rest]) => (first === undefined ? [] : [...rest, first]));
  }
  function play() {
    const isMoving = clips().some((clip) => !clip.paused);
    setIsPlaying(!isMoving);
    for (const clip of clips()) {
      if (isMoving) clip.pause();
      else clip.play()?.catch(() => undefined);
    }
  }
  const playProps = useCommandProps(PLAY);
  const own: Command[] = [
    { ...SWAP, run: swap },
    {
      id: "compare.way",
      label: "Next comparison mode",
      group: "Compare",
      keys: "m",
      run: () => setMode(nextMode(mode)),
    },
    { id: "compare.fit", label: "Fit to window", group: "Compare", keys: "0", run: () => setZoom(FIT) },
  ];
  const ofClips: Command[] = [
    { ...PLAY, run: play },
    { id: "compare.frame-back", label: "One frame back", ...FRAMES, keys: "[", run: () => stepVideos(clips(), -1) },
    { id: "compare.frame-on", label: "One frame on", ...FRAMES, keys: "]", run: () => stepVideos(clips(), 1) },
  ];

  return (
    <FullDialog title="Compare" onClose={onClose} place="compare" commands={hasClips ? [...own, ...ofClips] : own}>
      <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <span className="mr-2 font-medium">Compare</span>
        <Segmented label="Comparison mode" options={COMPARE_MODES} value={mode} onChange={setMode} />
        <Button size="sm" onClick={swap} {...useCommandProps(SWAP)}>
          <ArrowLeftRight aria-hidden className="size-4" />
          Swap
          <Kbd keys={SWAP.keys} command={SWAP.id} />
        </Button>
        {hasClips && (
          <>
            <IconButton label={isPlaying ? "Pause" : "Play"} onClick={play} {...playProps}>
              {isPlaying ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
            </IconButton>
            <VideoTools videos={clips} />
          </>
        )}
        <span className="flex-1" />
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div ref={setPreview} className="min-h-0 flex-1 short:h-[90dvh] short:flex-none">
        <ComparePreview entries={shown} mode={mode} zoom={zoom} onZoom={onZoom} />
      </div>
      <section
        aria-label="Settings"
        className="max-h-[32%] shrink-0 overflow-y-auto short:max-h-none short:overflow-visible border-line border-t px-4 py-2"
      >
        <CompareTable entries={shown} />
      </section>
    </FullDialog>
  );
}

const SWAP = { id: "compare.swap", label: "Swap", group: "Compare", keys: "c", icon: ArrowLeftRight };
const PLAY = { id: "compare.play", label: "Play or pause", group: "Compare", keys: "space", icon: Play };
const FRAMES = { group: "Compare", repeats: true };

const APART_SECONDS = 0.05;

/** Plays the clips below a node in step: what one does, the others do. The node may be mounted later. */
function useLockedClips(node: HTMLElement | null): void {
  useEffect(() => {
    if (!node) return;
    const follow = (event: Event) => {
      const leader = event.target;
      if (!(leader instanceof HTMLVideoElement)) return;
      // A shorter clip waits at its end for the others, and leads none of them there.
      if (event.type !== "play" && leader.currentTime >= leader.duration) return;
      const others = [...node.querySelectorAll("video")].filter((video) => video !== leader);
      for (const video of others) {
        const wanted = Math.min(
          leader.currentTime,
          Number.isFinite(video.duration) ? video.duration : leader.currentTime,
        );
        if (Math.abs(video.currentTime - wanted) > APART_SECONDS) video.currentTime = wanted;
        // They also play again when the longest loops.
        if (!leader.paused && video.paused && wanted < video.duration) video.play()?.catch(() => undefined);
        if (event.type === "pause" && !video.paused) video.pause();
      }
    };
    const events = ["play", "pause", "seeked"];
    // Events of media do not bubble; they are caught while they go down.
    for (const name of events) node.addEventListener(name, follow, true);
    return () => {
      for (const name of events) node.removeEventListener(name, follow, true);
    };
  }, [node]);
}
