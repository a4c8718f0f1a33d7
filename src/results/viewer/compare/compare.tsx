import { clsx } from "clsx";
import { ArrowLeftRight, Columns3, SlidersHorizontal, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { counted } from "#lib/numbers.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { usePlayer } from "#media/show/player.ts";
import { PlayerBar } from "#media/show/player-bar.tsx";
import { compareCommands, resultCommands } from "#results/commands.ts";
import type { Marks } from "#results/marks/marks.ts";
import { jobName } from "#runs/job-facts.ts";
import { getPrompt } from "#runs/job-inputs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Button, FoldButton, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { type Acts, commandsFor } from "#ui/commands.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { useIsOnePane } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { useZoom, type ViewerZoom, ZoomControl } from "../viewer-stage.tsx";
import {
  type CompareMode,
  type CompareRow,
  compareRows,
  getJobLetter,
  modesFor,
  nextMode,
  type Pair,
  type PixelSize,
  type Scale,
  shownSizes,
  sideLayout,
  steppedPair,
  usualScale,
  withPick,
} from "./compare-rules.ts";
import { OverlayStage, SideStage, SQUARE, useAssumedSizes, useKnownSizes } from "./compare-stage.tsx";
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

/** What "Compare models" does in a comparison. */
const OTHER_MODELS = "Add other models";

/** The labels of result commands in a comparison, where most of them act on B. */
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
  const [wantedMode, setWantedMode] = useState<CompareMode>(jobs.length === 2 ? "slider" : "side");
  const mode = modes.some(({ value }) => value === wantedMode) ? wantedMode : "side";
  const [chosenPair, setPair] = useState<Pair>([0, 1]);
  const pair: Pair = chosenPair.every((place) => place < jobs.length) ? chosenPair : [0, 1];
  const [chosenScale, setScale] = useState<Scale>();
  const [heard, setHeard] = useState<string>();
  const isNarrow = useIsOnePane();
  const [isTableOpen, setIsTableOpen] = useState(!isNarrow);
  // A state instead of a ref, because a dialog mounts its content a little later than it renders.
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const [measure, room] = useRoom();
  const player = usePlayer();
  const known = useKnownSizes(jobs);
  const sizes = useAssumedSizes(jobs, known);
  const scale = chosenScale ?? usualScale(sizes);
  const hasZoom = modes.length > 1;
  const hasScale = hasZoom && new Set(known.map((size) => size && `${size.width}x${size.height}`)).size > 1;
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
  const moreModels = models.filter((job) => !jobs.includes(job));

  const hasPrompts = new Set(jobs.map(getPrompt)).size > 1;
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
  // Commands that act on one result elsewhere act on B here. The arrows change B.
  const acts: Acts<typeof resultCommands> = {
    ...(moreModels.length > 0 && { compareModels: () => onCompare([...jobs, ...moreModels].slice(0, MAX_COMPARED)) }),
    ...(isPairOfMany && { previous: step(1, -1), next: step(1, 1) }),
    ...(b && { star: () => marks.toggleStar([b.requestId]) }),
    ...(hasZoom && zoom.acts),
    details: () => setIsTableOpen(!isTableOpen),
  };
  const ownActs: Acts<typeof compareCommands> = {
    swap,
    ...(modes.length > 1 && { mode: () => setWantedMode(nextMode(mode, modes)) }),
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
        onMode={setWantedMode}
        scale={scale}
        hasScale={hasScale}
        // The percentage is absent while the size of the first file is unknown.
        zoom={hasZoom ? { ...zoom, percent: known[mode === "side" ? 0 : pair[0]] && zoom.percent } : undefined}
        isTableOpen={isTableOpen}
        newModels={moreModels.length}
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

/** The jobs in the order that the person chose by swapping. Jobs that it does not name come last. */
function arranged(jobs: readonly JobRecord[], order: readonly string[]): readonly JobRecord[] {
  if (order.length === 0) return jobs;
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...jobs].sort((a, b) => rank(a.requestId) - rank(b.requestId));
}

interface CompareBarProps {
  acts: Acts<typeof resultCommands>;
  ownActs: Acts<typeof compareCommands>;
  modes: readonly { value: CompareMode; label: string }[];
  mode: CompareMode;
  onMode: (mode: CompareMode) => void;
  scale: Scale;
  /** The files differ in size, so that the scale matters. */
  hasScale: boolean;
  /** The zoom of all of them; its percent are those of the first. Undefined where nothing is zoomed. */
  zoom: ViewerZoom | undefined;
  isTableOpen: boolean;
  /** How many other models have a result of the first prompt. */
  newModels: number;
  onClose: () => void;
}

const SCALES: Record<Scale, string> = { height: "Same height", pixels: "Same pixel scale" };

/** How the results are compared; each act has its key. */
function CompareBar({ acts, ownActs, modes, mode, onMode, scale, hasScale, zoom, ...rest }: CompareBarProps) {
  const { swap, scale: scaling } = compareCommands;
  const { details, compareModels: models } = resultCommands;
  const button = {
    swap: useCommandProps(swap),
    scaling: useCommandProps(scaling),
    details: useCommandProps(details),
    models: useCommandProps(models),
  };
  return (
    <div className="flex min-h-13 shrink-0 items-start gap-2 border-line border-b px-3 py-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <span className="mr-2 font-medium max-sm:sr-only">Compare</span>
        {modes.length > 1 && <Segmented label="Comparison mode" options={modes} value={mode} onChange={onMode} />}
        <Button {...button.swap} variant="ghost" onClick={ownActs.swap}>
          <ArrowLeftRight aria-hidden className="size-4" />
          {swap.label}
          <Kbd command={swap} />
        </Button>
        {hasScale && (
          <Button
            {...button.scaling}
            variant="ghost"
            title={scaling.label}
            aria-label={`Scale: ${SCALES[scale]}`}
            onClick={ownActs.scale}
          >
            {SCALES[scale]}
            <Kbd command={scaling} />
          </Button>
        )}
        {acts.compareModels && (
          <Button
            {...button.models}
            variant="ghost"
            title={`${counted(rest.newModels, "more model has", "more models have")} a result for this prompt`}
            onClick={acts.compareModels}
          >
            <Columns3 aria-hidden className="size-4" />
            {OTHER_MODELS}
            <Kbd command={models} />
          </Button>
        )}
        <span className="ml-auto flex items-center gap-2">
          {zoom && <ZoomControl zoom={zoom} />}
          <IconButton
            {...button.details}
            label={details.label}
            aria-pressed={rest.isTableOpen}
            className="aria-pressed:bg-selected aria-pressed:text-ink!"
            onClick={acts.details}
          >
            <SlidersHorizontal aria-hidden className="size-4" />
          </IconButton>
        </span>
      </div>
      {/* In its corner, however many lines the others need. */}
      <IconButton label="Close" onClick={rest.onClose}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

interface CompareStripProps {
  jobs: readonly JobRecord[];
  pair: Pair;
  onPair: (pair: Pair) => void;
}

const SIDES = [
  { value: "0", label: "A" },
  { value: "1", label: "B" },
] as const;

/** All chosen results: a press lays one over the other, as A or as B. */
function CompareStrip({ jobs, pair, onPair }: CompareStripProps) {
  const [side, setSide] = useState<"0" | "1">("1");
  const deleted = useDeletedMedia().jobs;
  return (
    <div className="flex shrink-0 items-center gap-3 border-line border-t px-3 py-2">
      <span className="shrink-0 text-sm text-ink-3 max-sm:sr-only">Replace</span>
      <Segmented label="Replace" options={SIDES} value={side} onChange={setSide} className="shrink-0" />
      <ul
        aria-label="Filmstrip"
        className="m-0 flex min-w-0 list-none gap-2 overflow-x-auto p-1 [scrollbar-width:none]"
      >
        {jobs.map((job, place) => {
          const pairIndex = pair.indexOf(place);
          const item = job.media[0];
          return (
            <li key={job.requestId} className="shrink-0">
              <button
                type="button"
                data-field=""
                aria-pressed={pairIndex >= 0}
                title={job.model}
                onClick={() => onPair(withPick(pair, side === "0" ? 0 : 1, place))}
                className={clsx(
                  "relative block h-11 w-14 cursor-pointer overflow-hidden rounded-sm border-0 bg-raised p-0 text-ink-2 outline-offset-1 focus-visible:outline-2 focus-visible:outline-focus",
                  pairIndex < 0 && "opacity-60 hover:opacity-100",
                )}
              >
                <span className="sr-only">
                  {pairIndex >= 0 && `${getJobLetter(pairIndex)}, `}
                  {job.model ?? jobName(job)}
                </span>
                {item && (
                  <CachedThumb
                    key={item.url}
                    item={item}
                    alt=""
                    createdAtSeconds={job.createdAtSeconds}
                    isDeleted={deleted.has(job.requestId)}
                    isSmall
                  />
                )}
                {pairIndex >= 0 && (
                  <span
                    aria-hidden
                    className="absolute bottom-1 left-1 grid size-4.5 place-items-center rounded-sm bg-white font-semibold text-xs text-black"
                  >
                    {getJobLetter(pairIndex)}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface CompareTableProps {
  jobs: readonly JobRecord[];
  sizes: readonly (PixelSize | undefined)[];
}

/** Facts and settings of the compared jobs. Rows that differ come first; equal ones are paler and can be folded. */
function CompareTable({ jobs, sizes }: CompareTableProps) {
  const [isOpen, setIsOpen] = useState(true);
  const rows = compareRows(jobs, sizes);
  const same = rows.filter(({ isSame }) => isSame);
  const others = rows.filter(({ isSame }) => !isSame);
  const jobColumns = jobs.map((job, place): TableColumn<CompareRow> => {
    const name = getJobLetter(place);
    return {
      key: job.requestId,
      name,
      className: "wrap-anywhere",
      cell: ({ values }) => <Value text={values[place]} />,
    };
  });
  return (
    <div className="flex flex-col">
      {others.length > 0 && (
        <Table caption="Different settings" columns={[SETTING, ...jobColumns]} rows={others} keyOf={rowKey} isFixed />
      )}
      {same.length > 0 && (
        <FoldButton
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          className="border-0 border-line border-t bg-transparent p-0 text-sm text-ink-3"
        >
          {`${counted(same.length, "value is", "values are")} the same for all`}
        </FoldButton>
      )}
      {isOpen && same.length > 0 && (
        <div className="text-ink-3">
          <Table caption="Same settings" columns={[SETTING, ALL]} rows={same} keyOf={rowKey} isFixed hasHiddenHead />
        </div>
      )}
    </div>
  );
}

const rowKey = ({ name }: CompareRow) => name;

const SETTING: TableColumn<CompareRow> = {
  name: "Setting",
  isRowHeader: true,
  className: "w-28 wrap-anywhere",
  cellClass: () => "text-ink-3",
  cell: ({ name, isSame }) => (
    <>
      {name}
      {isSame && <span className="sr-only">, same for all</span>}
    </>
  ),
};
const ALL: TableColumn<CompareRow> = {
  name: "All",
  className: "wrap-anywhere",
  cell: ({ values }) => <Value text={values[0]} />,
};

function Value({ text = "—" }: { text: string | undefined }) {
  return (
    <span dir="auto" className="line-clamp-4 text-left">
      {text}
    </span>
  );
}
