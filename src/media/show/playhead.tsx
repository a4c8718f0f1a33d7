import { type KeyboardEvent, useSyncExternalStore } from "react";
import { formatClock } from "#lib/time.ts";
import { Slider } from "#ui/slider.tsx";
import type { Player } from "./player.ts";

interface PlayheadProps {
  player: Player;
  /** Seconds; 0 while it is not known. */
  duration: number;
  buffered: readonly (readonly [number, number])[];
}

/** The position of a player, as a slider and as text. */
export function Playhead({ player, duration, buffered }: PlayheadProps) {
  const seconds = useSyncExternalStore(player.subscribe, player.seconds);
  const isShort = duration < 60;
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const jump = skipSeconds(duration);
    const targets: Record<string, number> = {
      ArrowLeft: seconds - jump,
      ArrowDown: seconds - jump,
      ArrowRight: seconds + jump,
      ArrowUp: seconds + jump,
      PageDown: seconds - duration / 10,
      PageUp: seconds + duration / 10,
      Home: 0,
      End: duration,
    };
    const next = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined;
    if (next === undefined) return;
    event.preventDefault();
    player.seek(next);
  }
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 px-1 @max-[40rem]:order-first @max-[40rem]:basis-full">
      <Slider
        aria-label="Position"
        min={0}
        max={duration || 1}
        step="any"
        value={Math.min(seconds, duration || 1)}
        aria-valuetext={`${clock(seconds, isShort)} of ${clock(duration, isShort)}`}
        onChange={(event) => player.seek(Number(event.target.value))}
        onKeyDown={onKeyDown}
        style={{ ["--loaded" as string]: loadedStripes(buffered, duration) }}
        className="playhead flex-1"
      />
      <span
        aria-hidden="true"
        className="min-w-23 whitespace-nowrap text-center font-medium text-sm text-ink-2 tabular-nums"
      >
        {clock(seconds, isShort)} <span className="text-ink-3">/ {clock(duration, isShort)}</span>
      </span>
    </div>
  );
}

/** The seconds of one press of a skip key: less for a short clip. */
export function skipSeconds(duration: number): number {
  if (duration <= 20) return 1;
  return duration <= 120 ? 5 : 10;
}

/** "0:03", or "0:03.4" for short files, where a step of one frame should be visible. */
function clock(seconds: number, hasTenths: boolean): string {
  const whole = formatClock(seconds * 1000);
  return hasTenths ? `${whole}.${Math.floor((seconds % 1) * 10)}` : whole;
}

/** What has been loaded, as a background. */
function loadedStripes(ranges: PlayheadProps["buffered"], duration: number): string | undefined {
  if (duration === 0 || ranges.length === 0) return undefined;
  const at = (seconds: number) => `${((100 * seconds) / duration).toFixed(2)}%`;
  const stripes = ranges.map(
    ([from, to]) => `transparent ${at(from)}, var(--line-strong) ${at(from)} ${at(to)}, transparent ${at(to)}`,
  );
  return `linear-gradient(90deg, ${stripes.join(", ")})`;
}
