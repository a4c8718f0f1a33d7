import { ArrowLeftRight, Columns3, SlidersHorizontal } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { usePlayer } from "#media/show/player.ts";
import { PlayerBar } from "#media/show/player-bar.tsx";
import { compareCommands, resultCommands } from "#results/commands.ts";
import type { Marks } from "#results/marks/use-marks.ts";
import { promptOf } from "#runs/job-inputs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { type Acts, commandsFor } from "#ui/commands.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { useIsOnePane } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { useZoom } from "../viewer-zoom.tsx";
import { CompareBar, OTHER_MODELS } from "./compare-bar.tsx";
import { type CompareMode, modesFor, nextMode, type Pair, steppedPair } from "./compare-modes.ts";
import { type Scale, shownSizes, sideLayout, usualScale } from "./compare-scale.ts";
import { OverlayStage, SideStage, SQUARE, useAssumedSizes, useKnownSizes } from "./compare-stage.tsx";
import { CompareStrip } from "./compare-strip.tsx";
import { CompareTable } from "./compare-table.tsx";
import { MAX_COMPARED, otherModels } from "./same-prompt.ts";

interface CompareProps {
  /** Two to eight jobs with media. */
  jobs: readonly JobRecord[];
  /** Results of other models are looked for among them. */
  knownJobs: readonly JobRecord[];
  marks: Marks;
  onCompare: (jobs: readonly JobRecord[]) => void;
  onClose: () => void;
}

/** What they do here, where there is more than one result. */
const LABELS: Readonly<Record<string, string>> = {
  [resultCommands.star.id]: "Star B",
  [resultCommands.previous.id]: "Previous for B",
  [resultCommands.next.id]: "Next for B",
  [resultCommands.compareModels.id]: OTHER_MODELS,
};

/** Two to eight results at once, with one zoom and one playhead, and what they were asked for. */
export function Compare({ jobs: given, knownJobs, marks, onCompare, onClose }: CompareProps) {
  const [order, setOrder] = useState<readonly string[]>([]);
  const jobs = useMemo(() => arranged(given, order), [given, order]);
  const modes = modesFor(jobs);
  const [wanted, setWanted] = useState<CompareMode>(jobs.length === 2 ? "slider" : "side");
  const mode = modes.some(({ value }) => value === wanted) ? wanted : "side";
  const [chosenPair, setPair] = useState<Pair>([0, 1]);
  const pair: Pair = chosenPair.every((place) => place < jobs.length) ? chosenPair : [0, 1];
  const [chosenScale, setScale] = useState<Scale>();
  const [heard, setHeard] = useState<string>();
  const isNarrow = useIsOnePane();
  const [isTableOpen, setIsTableOpen] = useState(!isNarrow);
  // A state and no ref: a dialog mounts its content a little later than it renders.
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const [measure, room] = useRoom();
  const player = usePlayer();
  const known = useKnownSizes(jobs);
  const sizes = useAssumedSizes(jobs, known);
  const scale = chosenScale ?? usualScale(sizes);
  const hasZoom = modes.length > 1;
  const hasScale = hasZoom && new Set(known.map((one) => one && `${one.width}x${one.height}`)).size > 1;
  const mergedRef = useCallback(
    (node: HTMLDivElement | null) => {
      setStage(node);
      measure(node);
    },
    [measure],
  );
  const shown = mode === "side" ? jobs : pair.flatMap((place) => jobs[place] ?? []);
  const hasPlayer = shown.some(({ media: [file] }) => file?.kind === "video" || file?.kind === "audio");
  const heardId = shown.some(({ requestId }) => requestId === heard) ? heard : shown[0]?.requestId;
  useEffect(() => {
    const file = heardId && stage?.querySelector(`[data-compared="${CSS.escape(heardId)}"] :is(video, audio)`);
    player.listenTo(file instanceof HTMLMediaElement ? file : undefined);
  });
  const deleted = useDeletedMedia().jobs;
  const models = useMemo(
    () => (jobs[0] ? otherModels(jobs[0], [...jobs, ...knownJobs], deleted) : []),
    [jobs, knownJobs, deleted],
  );
  const more = models.filter((job) => !jobs.includes(job));

  const hasPrompts = new Set(jobs.map(promptOf)).size > 1;
  const pane = mode === "side" ? sideLayout(sizes, room, scale, hasPrompts).cell : room;
  const sized = mode === "side" ? sizes : pair.map((place) => sizes[place] ?? SQUARE);
  const fitted = (shownSizes(sized, pane, scale)[0]?.height ?? 1) / (sized[0]?.height ?? 1);
  const zoom = useZoom(pane, fitted);
  const swap = () => {
    if (mode !== "side" && jobs.length > 2) setPair([pair[1], pair[0]]);
    else setOrder(jobs.map((_, place) => jobs[(place + 1) % jobs.length]?.requestId ?? ""));
  };
  const step = (side: 0 | 1, by: 1 | -1) => () => setPair(steppedPair(pair, side, by, jobs.length));
  const isPairOfMany = mode !== "side" && jobs.length > 2;
  const [a, b] = shown;
  // What is done with one result everywhere is done with B here, which the arrows change.
  const acts: Acts<typeof resultCommands> = {
    ...(more.length > 0 && { compareModels: () => onCompare([...jobs, ...more].slice(0, MAX_COMPARED)) }),
    ...(isPairOfMany && { previous: step(1, -1), next: step(1, 1) }),
    ...(b && { star: () => marks.toggleStar([b.requestId]) }),
    ...(hasZoom && zoom.acts),
    details: () => setIsTableOpen(!isTableOpen),
  };
  const ownActs: Acts<typeof compareCommands> = {
    swap,
    ...(modes.length > 1 && { mode: () => setWanted(nextMode(mode, modes)) }),
    ...(hasScale && { scale: () => setScale(scale === "height" ? "pixels" : "height") }),
    ...(isPairOfMany && { previousA: step(0, -1), nextA: step(0, 1) }),
    ...(a && { starA: () => marks.toggleStar([a.requestId]) }),
  };
  const commands = [
    ...commandsFor(compareCommands, ownActs, { swap: ArrowLeftRight }),
    ...commandsFor(resultCommands, acts, { compareModels: Columns3, details: SlidersHorizontal }).map((command) => ({
      ...command,
      label: LABELS[command.id] ?? command.label,
    })),
  ];
  const shared = {
    jobs,
    sizes,
    known,
    scale,
    zoom: zoom.zoom,
    onZoom: zoom.onZoom,
    largest: zoom.largest,
    player,
    marks,
    hasPrompts,
    hasScale,
    room,
    heard: heardId ?? "",
    onListen: setHeard,
  };
  const knownOfShown = mode === "side" ? known : pair.map((place) => known[place]);

  return (
    <FullDialog title="Compare" onClose={onClose} place="compare" commands={commands}>
      <CompareBar
        acts={acts}
        ownActs={ownActs}
        modes={modes}
        mode={mode}
        onMode={setWanted}
        scale={scale}
        hasScale={hasScale}
        // The percentage is left out while the size of the first file is unknown.
        zoom={hasZoom ? { ...zoom, percent: known[mode === "side" ? 0 : pair[0]] && zoom.percent } : undefined}
        isTableOpen={isTableOpen}
        newModels={more.length}
        onClose={onClose}
      />
      <div className="flex min-h-0 flex-1 flex-col xl:flex-row short:flex-none">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col short:flex-none">
          <div ref={mergedRef} className="min-h-0 flex-1 short:h-[90dvh] short:flex-none">
            {mode === "side" ? <SideStage {...shared} /> : <OverlayStage {...shared} mode={mode} pair={pair} />}
          </div>
          {hasPlayer && <PlayerBar player={player} hasCommands className="border-line border-t" />}
          {isPairOfMany && <CompareStrip jobs={jobs} pair={pair} onPair={setPair} />}
        </div>
        {isTableOpen && (
          <section
            aria-label={resultCommands.details.label}
            className="max-h-[34%] shrink-0 overflow-y-auto border-line border-t bg-panel px-4 py-2 xl:max-h-none xl:w-[min(480px,30%)] xl:border-t-0 xl:border-l short:max-h-none short:overflow-visible"
          >
            <CompareTable jobs={shown} sizes={knownOfShown} />
          </section>
        )}
      </div>
    </FullDialog>
  );
}

/** The jobs in an order of the person's own; those that it does not name stand last. */
function arranged(jobs: readonly JobRecord[], order: readonly string[]): readonly JobRecord[] {
  if (order.length === 0) return jobs;
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...jobs].sort((one, other) => rank(one.requestId) - rank(other.requestId));
}
