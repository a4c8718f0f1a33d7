import { clsx } from "clsx";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { create } from "zustand";
import type { MediaKind } from "#api/types.ts";
import { formatDateTime } from "#lib/time.ts";
import { playerCommands } from "#media/commands.ts";
import { deletionText, useDeletedMedia, useDeletion } from "#media/deleted-media.ts";
import { useFileFacts } from "#media/file-facts.ts";
import { retentionClass, retentionText } from "#media/retention.ts";
import { fillScreen } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/use-media-state.ts";
import { filesDaysLeft } from "#runs/job-facts.ts";
import { priceText } from "#runs/prices/job-price.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { useCommandProps } from "#ui/command-button.tsx";
import { type Acts, type Command, type CommandInfo, commandsFor, studioCommands } from "#ui/commands.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { Fact } from "#ui/fact.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { useToday } from "#ui/use-today.ts";
import { resultCommands } from "../commands.ts";
import { canDelete } from "../deletion/delete-media.ts";
import { DeleteMediaDialog } from "../deletion/delete-media-dialog.tsx";
import { JobFactList, PayloadTable } from "../job-fact-list.tsx";
import { type Marks, useMarks } from "../marks/marks.ts";
import { readTags } from "../marks/tags.ts";
import { AsInputDialog } from "../reuse/as-input-dialog.tsx";
import { getReusableFile, useReuseActs } from "../reuse/reuse-menu.tsx";
import { otherModels } from "./compare/same-prompt.ts";
import { Filmstrip } from "./filmstrip.tsx";
import type { Strip, ViewedFile } from "./strip.ts";
import { VIEWER_ICONS, ViewerBar } from "./viewer-bar.tsx";
import { PreloadNeighbors, useZoom, ViewerStage } from "./viewer-stage.tsx";

interface ViewerProps {
  strip: Strip;
  viewed: ViewedFile;
  onView: (file: ViewedFile) => void;
  onClose: () => void;
  /** All jobs that are known: results of other models are looked for among them. */
  knownJobs?: readonly JobRecord[];
  /**
   * Compares a job with others; without them the caller chooses. Where this is not given, nothing is compared from the
   * viewer.
   */
  onCompare?: (requestId: string, withJobs?: readonly JobRecord[]) => void;
  /** Commands that only this list has. */
  extraCommands?: readonly Command[];
  /** The buttons of `extraCommands`. */
  extraButtons?: ReactNode;
  /** Beside the name, such as the price. */
  subtitle?: string;
  /** Shown for a result without a file. Required where a result may have no job. */
  missingFile?: ReactNode;
  /** Dims the file. */
  isFaint?: boolean;
  /** What gets the focus after closing; what had it before, where this is not given or finds nothing. */
  focusAfter?: () => HTMLElement | undefined;
}

/** Whether details are shown beside the file. Remembered until the page is reloaded. */
const useDetailed = create(() => ({ isDetailed: false }));
const NO_JOBS: readonly JobRecord[] = [];
const NO_COMMANDS: readonly Command[] = [];

/** One file over the whole window, with its neighbors, its details, and what can be done with it. */
export function Viewer({
  strip,
  viewed,
  onView,
  onClose,
  knownJobs = NO_JOBS,
  onCompare,
  extraCommands = NO_COMMANDS,
  extraButtons,
  subtitle,
  missingFile,
  isFaint = false,
  focusAfter,
}: ViewerProps) {
  const marks = useMarks();
  const [dialog, setDialog] = useState<"input" | "delete">();
  const { isDetailed } = useDetailed();
  const frame = useRef<HTMLDivElement>(null);
  const [stageRef, pane] = useRoom();
  const deletions = useDeletedMedia().jobs;
  const index = strip.indexOf(viewed);
  const shown = strip.at(index);
  const job = shown?.result.job;
  const file = shown?.file ?? 0;
  const item = shown?.result.files[file];
  const facts = useFileFacts(item?.url ?? "");
  const width = facts?.width ?? item?.width;
  const height = facts?.height ?? item?.height;
  const fitted = width && height ? Math.min(pane.width / width, pane.height / height) : undefined;
  // The zoom stays while files of equal size follow each other.
  const zoom = useZoom(pane, fitted, fitted ? `${width}x${height}` : item?.url);
  const shownKind = useShownKind(item);
  const reuseActs = useReuseActs(job);
  const models = useMemo(() => (job ? otherModels(job, knownJobs, deletions) : []), [job, knownJobs, deletions]);
  if (!shown) return null;
  const input = job && getReusableFile(job, file);
  const goTo = (at: number) => {
    const other = strip.at(at);
    if (other) onView({ id: other.result.id, file: other.file });
  };
  const setDetailed = (open: boolean) => useDetailed.setState({ isDetailed: open });
  const hasFile = item !== undefined && !(job && deletions.has(job.requestId));
  const kind = hasFile ? shownKind : undefined;
  const fullScreen = async () => {
    await fillScreen(frame.current);
    // Full screen takes the focus from elements outside it, and with it the keys of the viewer.
    frame.current?.focus();
  };
  const isFirst = index === 0;
  const isLast = index === strip.count - 1;
  const isStarred = job !== undefined && marks.marks.get(job.requestId)?.isStarred === true;
  const acts: Acts<typeof resultCommands> = {
    previous: () => goTo(index - 1),
    next: () => goTo(index + 1),
    first: () => goTo(0),
    last: () => goTo(strip.count - 1),
    ...(hasFile && { fullScreen }),
    ...(job && { details: () => setDetailed(!isDetailed), star: () => marks.toggleStar([job.requestId]) }),
    ...reuseActs,
    ...(input && { input: () => setDialog("input") }),
    ...(job && canDelete(job, deletions) && { delete: () => setDialog("delete") }),
    ...(job && hasFile && onCompare && { compare: () => onCompare(job.requestId) }),
    ...(job && hasFile && onCompare && models.length > 1 && { compareModels: () => onCompare(job.requestId, models) }),
    ...(kind === "image" && zoom.acts),
  };
  const isLoaded = facts?.isLoaded === true;
  const neighbors = isLoaded ? [index + 1, index - 1].flatMap((at) => strip.at(at) ?? []) : [];

  return (
    <FullDialog
      title={shown.result.name}
      onClose={onClose}
      place="viewer"
      commands={[...commandsFor(resultCommands, acts, VIEWER_ICONS), ...extraCommands]}
      {...(focusAfter && { focusAfter })}
    >
      <ViewerBar
        shown={shown}
        resultCount={strip.resultCount}
        isStarred={isStarred}
        isDetailed={isDetailed}
        acts={acts}
        isFirst={isFirst}
        isLast={isLast}
        kind={kind}
        zoom={zoom}
        modelCount={models.length}
        subtitle={subtitle}
        onClose={onClose}
      >
        {extraButtons}
      </ViewerBar>
      <div className="flex min-h-0 flex-1 max-md:flex-col short:flex-none">
        <div
          ref={frame}
          tabIndex={-1}
          className="flex min-h-0 min-w-0 flex-1 bg-canvas outline-none short:h-[90dvh] short:max-md:flex-none"
        >
          <EdgeButton name="previous" onAct={() => goTo(index - 1)} isOff={isFirst} />
          <div ref={stageRef} className={clsx("relative min-h-0 min-w-0 flex-1", isFaint && "opacity-60")}>
            {missingFile && !item ? (
              missingFile
            ) : (
              <ViewerStage
                result={shown.result}
                file={file}
                zoom={zoom}
                onSwipe={(step) => goTo(index + step)}
                onFullScreen={() => void fullScreen()}
              />
            )}
          </div>
          <EdgeButton name="next" onAct={() => goTo(index + 1)} isOff={isLast} />
        </div>
        {isDetailed && job && <ViewerDetails job={job} marks={marks} />}
      </div>
      <Filmstrip strip={strip} index={index} onPick={goTo} />
      <ViewerKeys acts={acts} kind={kind} />
      <PreloadNeighbors items={neighbors} />
      {dialog === "input" && input && <AsInputDialog item={input} onClose={() => setDialog(undefined)} />}
      {job && (
        <DeleteMediaDialog
          open={dialog === "delete"}
          onOpenChange={(isOpen) => setDialog(isOpen ? "delete" : undefined)}
          jobs={[job]}
        />
      )}
    </FullDialog>
  );
}

/** A button beside the file, as high as the file, that leads to the one before or after it. */
function EdgeButton({ name, isOff, onAct }: { name: "previous" | "next"; isOff: boolean; onAct: () => void }) {
  const command = resultCommands[name];
  const Icon = VIEWER_ICONS[name];
  const props = useCommandProps(command);
  if (useIsPhone()) return null;
  return (
    <button
      {...props}
      type="button"
      aria-label={command.label}
      title={command.label}
      aria-disabled={isOff || undefined}
      onClick={onAct}
      className="group/edge grid w-14 shrink-0 cursor-pointer place-items-center border-0 bg-transparent text-ink-3 -outline-offset-4 hover:text-ink focus-visible:outline-2 focus-visible:outline-focus aria-disabled:cursor-default aria-disabled:opacity-30"
    >
      <span className="grid size-10 place-items-center rounded-full transition-colors duration-150 group-hover/edge:bg-hover">
        <Icon aria-hidden className="size-5" />
      </span>
    </button>
  );
}

interface ViewerDetailsProps {
  job: JobRecord;
  marks: Marks;
}

/** The panel of details beside the file. */
function ViewerDetails({ job, marks }: ViewerDetailsProps) {
  const savedAtMs = marks.marks.get(job.requestId)?.savedAtMs;
  const deletion = useDeletion(job.requestId);
  const today = useToday();
  const nowMs = useMemo(() => Math.max(Date.now(), today), [today]);
  const days = filesDaysLeft(job, nowMs);
  return (
    <aside
      aria-label="Details"
      className="grid w-75 shrink-0 content-start gap-5 overflow-y-auto border-line border-l bg-panel p-4 text-sm max-md:w-full max-md:max-h-[45%] short:max-h-none short:overflow-visible max-md:border-t max-md:border-l-0"
    >
      <JobFactList job={job} priceIfUnknown={priceText(job)}>
        {deletion && <Fact name="Files">{deletionText(deletion)}</Fact>}
        {days !== undefined && (
          <Fact name="Files">
            <span className={retentionClass(days)}>{retentionText(days)}</span>
          </Fact>
        )}
        {savedAtMs !== undefined && <Fact name="Saved">{`To folder, ${formatDateTime(savedAtMs / 1000)}`}</Fact>}
      </JobFactList>
      {job.payload && <PayloadTable payload={job.payload} />}
      <MarksForm key={job.requestId} requestId={job.requestId} marks={marks} />
    </aside>
  );
}

/** Tags and a note for a job, stored in this browser when the field is left. Give it the job's id as its key. */
function MarksForm({ requestId, marks }: { requestId: string; marks: Marks }) {
  const known = marks.marks.get(requestId);
  const {
    register,
    getValues,
    formState: { dirtyFields },
  } = useForm({
    // Marks that change elsewhere show here, but never over what is being typed.
    values: { tags: known?.tags.join(", ") ?? "", note: known?.note ?? "" },
    resetOptions: { keepDirtyValues: true },
  });
  function save(name: "tags" | "note") {
    if (!dirtyFields[name]) return;
    const { tags, note } = getValues();
    marks.change([requestId], () => (name === "tags" ? { tags: readTags(tags) } : { note }));
  }
  return (
    <section aria-label="Notes">
      <Field label="Tags" note="saved in this browser">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            placeholder="client, final"
            {...register("tags", { onBlur: () => save("tags") })}
          />
        )}
      </Field>
      <Field label="Note">
        {({ id, describedBy }) => (
          <TextArea id={id} aria-describedby={describedBy} {...register("note", { onBlur: () => save("note") })} />
        )}
      </Field>
    </section>
  );
}

interface ViewerKeysProps {
  acts: Acts<typeof resultCommands>;
  /** The kind of the file that is there to see; undefined without a file. */
  kind: MediaKind | undefined;
}

/** The commands whose keys are shown, where they can act now. */
const SHOWN_COMMANDS = ["details", "editAgain", "newSeed", "star", "compare", "fullScreen"] as const;

/** The keys of the viewer in one quiet line, where there is a keyboard and room for it. */
function ViewerKeys({ acts, kind }: ViewerKeysProps) {
  const isPlayed = kind === "video" || kind === "audio";
  return (
    <div
      aria-hidden="true"
      data-keys=""
      className="flex h-8 shrink-0 items-center justify-center gap-2.5 overflow-hidden whitespace-nowrap px-2 xl:gap-4 text-xs text-ink-3 max-lg:hidden short:hidden pointer-coarse:hidden"
    >
      <KeyWord word="Browse" commands={[resultCommands.previous, resultCommands.next]} />
      {isPlayed && <KeyWord word="Play" commands={[playerCommands.play]} />}
      {kind === "video" && <KeyWord word="Frame" commands={[playerCommands.frameBack, playerCommands.frameOn]} />}
      {SHOWN_COMMANDS.filter((name) => acts[name]).map((name) => (
        <KeyWord
          key={name}
          word={resultCommands[name].label}
          commands={[resultCommands[name]]}
          // The longest name, and the line has no room for it in a narrower window.
          className={name === "newSeed" ? "max-xl:hidden" : undefined}
        />
      ))}
      {kind && <KeyWord word={resultCommands.download.label} commands={[resultCommands.download]} />}
      <span className="flex items-center gap-1 xl:gap-1.5">
        <Kbd keys="esc" />
        Close
      </span>
      <KeyWord word="Shortcuts" commands={[studioCommands.help]} />
    </div>
  );
}

interface KeyWordProps {
  word: string;
  commands: readonly CommandInfo[];
  className?: string | undefined;
}

function KeyWord({ word, commands, className }: KeyWordProps) {
  return (
    <span className={clsx("flex items-center gap-1 xl:gap-1.5", className)}>
      {commands.map((command) => (
        <Kbd key={command.id} command={command} />
      ))}
      {word}
    </span>
  );
}
