import type { Marks } from "#jobs/marks/use-marks.ts";
import type { Player } from "#media/show/player.ts";
import type { Zoom } from "#media/show/zoom.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { Scale, Sides } from "./compare-scale.ts";

/** What each way of laying out a comparison is given. */
export interface StageProps {
  entries: readonly JobRecord[];
  /** Of each job's file, in its pixels, supposed where they are not known. */
  sides: readonly Sides[];
  known: readonly (Sides | undefined)[];
  /** The room of them all. CSS pixels. */
  room: Sides;
  scale: Scale;
  /** The files differ in size, so that it is said how large each is shown. */
  hasScale: boolean;
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  largest: number;
  player: Player;
  marks: Marks;
  /** The prompts differ, and are named. */
  hasPrompts: boolean;
  /** The job whose sound is heard. */
  heard: string;
  onListen: (requestId: string) => void;
}

export const SQUARE: Sides = { width: 1000, height: 1000 };

/** Screen pixels for each pixel of a file, in percent. */
export function percentOf(file: Sides | undefined, shown: Sides | undefined, zoom: Zoom): number | undefined {
  return file && shown && (100 * shown.height * zoom.scale) / file.height;
}

/** What the tag of a job shows, from what its stage knows. */
export function tagOf(stage: StageProps, entry: JobRecord, percent: number | undefined) {
  const kind = entry.media[0]?.kind;
  const hasSound = kind === "audio" || kind === "video";
  return {
    entry,
    percent: stage.hasScale && kind !== "audio" ? percent : undefined,
    marks: stage.marks,
    hasPrompt: stage.hasPrompts,
    isHeard: hasSound ? stage.heard === entry.requestId : undefined,
    onListen: () => stage.onListen(entry.requestId),
  };
}
