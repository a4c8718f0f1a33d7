import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { counted } from "#lib/numbers.ts";
import { formatClock } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ClipError } from "#media/clips/clip-error.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { safeFileName } from "#media/download/file-name.ts";
import { readMedia } from "#media/fetch-media.ts";
import { fileSize } from "#media/file-kind.ts";
import { FAILURE_WORDS, MediaError } from "#media/media-failure.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { Commands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { type ChainResult, chainResults } from "./chain-results.ts";

interface JoinClipsDialogProps {
  /** The chosen runs, in the order of the table. */
  items: readonly ItemView[];
  onClose: () => void;
}

/** Joins the videos of chosen runs into one file, in the page, and saves it. */
export function JoinClipsDialog({ items, onClose }: JoinClipsDialogProps) {
  const { batch, items: all } = useBatchDocument();
  const [nowMs] = useState(() => Date.now());
  const deleted = useDeletedMedia();
  const found = useMemo(() => chainResults(items, { all, nowMs, deleted }), [items, all, nowMs, deleted]);
  const clips = found.results.filter(({ file }) => file.kind === "video");
  const [order, setOrder] = useState(() => clips.map(({ key }) => key));
  const ordered = order.flatMap((key) => clips.find((clip) => clip.key === key) ?? []);
  const { state, join, cancel, reset, saveAgain } = useJoin(batch.name);
  const isBusy = state.phase === "reading" || state.phase === "joining";
  const others = found.results.length - clips.length;
  const leftOut = [
    ...found.leftOut,
    ...(others > 0 ? [`${counted(others, "result is not a video", "results are not videos")}.`] : []),
  ];
  const change = (next: readonly string[]) => {
    setOrder([...next]);
    reset();
  };
  const command = { ...batchCommands.joinAndSave, run: () => void join(ordered) };
  return (
    <Dialog
      open
      atTop
      onOpenChange={(open) => !open && onClose()}
      title={`Join ${counted(ordered.length, "video")}`}
      description="Creates one video in this order, in this browser."
      footer={
        <>
          {isBusy && <Button onClick={cancel}>Cancel</Button>}
          {state.phase === "saved" && <Button onClick={saveAgain}>Download again</Button>}
          <Button
            variant="primary"
            busy={isBusy}
            aria-disabled={ordered.length < 2}
            onClick={command.run}
            {...useCommandProps(command)}
          >
            {busyWords(state) ?? batchCommands.joinAndSave.label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Commands list={[command]} />
        {leftOut.length > 0 && <p className="m-0 text-sm text-ink-2">Excluded: {leftOut.join(" ")}</p>}
        <ClipList clips={ordered} isFixed={isBusy} onChange={change} />
        {ordered.length < 2 && <p className="m-0 text-ink-2">Select at least 2 videos.</p>}
        <JoinOutcome state={state} />
      </div>
    </Dialog>
  );
}

function busyWords(state: JoinState): string | undefined {
  if (state.phase === "reading") return `Loading video ${state.at} of ${state.of}…`;
  return state.phase === "joining" ? `Joining… ${Math.round(state.done * 100)}%` : undefined;
}

function JoinOutcome({ state }: { state: JoinState }) {
  if (state.phase === "failed") {
    return (
      <Notice tone="error" title="Videos not joined">
        {state.message}
      </Notice>
    );
  }
  if (state.phase !== "saved") return null;
  return (
    <Notice tone="success" title={`Saved as ${state.name}`}>
      {[`${formatClock(state.seconds * 1000)}, ${fileSize(state.blob.size)}.`, ...state.notes].join(" ")}
    </Notice>
  );
}

/** The state of joining videos. */
type JoinState =
  | { phase: "idle" }
  /** `at`: the video that is being loaded, from 1; `of`: how many there are. */
  | { phase: "reading"; at: number; of: number }
  /** `done`: from 0 to 1. */
  | { phase: "joining"; done: number }
  | { phase: "saved"; name: string; blob: Blob; seconds: number; notes: readonly string[] }
  /** `message`: whole sentences. */
  | { phase: "failed"; message: string };

/** Loads videos, joins them in their order and saves the file. Leaving the dialog stops it. */
function useJoin(batchName: string) {
  const [state, setState] = useState<JoinState>({ phase: "idle" });
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);

  async function join(clips: readonly ChainResult[]): Promise<void> {
    work.current?.abort();
    work.current = new AbortController();
    const { signal } = work.current;
    try {
      const { joinClips } = await import("#media/clips/join-clips.ts");
      const read = [];
      for (const [at, { name, file }] of clips.entries()) {
        setState({ phase: "reading", at: at + 1, of: clips.length });
        const blob = await readMedia(file.url, { signal }).catch((error) => {
          signal.throwIfAborted();
          throw error instanceof MediaError ? new ClipError(unreadable(name, error)) : error;
        });
        read.push({ name, blob });
      }
      setState({ phase: "joining", done: 0 });
      let shown = 0;
      const joined = await joinClips(read, {
        signal,
        onProgress(done) {
          if (done - shown < MIN_STEP) return;
          shown = done;
          setState({ phase: "joining", done });
        },
      });
      const name = safeFileName(`${batchName || "Batch"} joined`, "mp4");
      saveBlob(joined.blob, name);
      setState({ phase: "saved", name, ...joined });
    } catch (error) {
      if (signal.aborted) return;
      setState({ phase: "failed", message: error instanceof ClipError ? error.message : UNKNOWN });
    }
  }

  return {
    state,
    join,
    cancel() {
      work.current?.abort();
      setState({ phase: "idle" });
    },
    /** Forgets the joined file, because the order or the videos have changed. */
    reset: () => setState({ phase: "idle" }),
    saveAgain: () => state.phase === "saved" && saveBlob(state.blob, state.name),
  };
}

/** Progress is shown in steps of 1%, so that the dialog does not render for each frame. */
const MIN_STEP = 0.01;

const UNKNOWN = "Couldn’t join the videos. Try again, or select fewer videos.";

function unreadable(name: string, { failure }: MediaError): string {
  const { title, body } = FAILURE_WORDS[failure];
  return `${name} couldn’t be loaded. ${title}. ${body}`;
}

interface ClipListProps {
  clips: readonly ChainResult[];
  /** The videos are being joined, so nothing can be changed. */
  isFixed: boolean;
  onChange: (keys: readonly string[]) => void;
}

type Direction = "up" | "down";

/** The videos in their order. Buttons, or Alt with an arrow key, move them. */
function ClipList({ clips, isFixed, onChange }: ClipListProps) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ key: string; direction: Direction }>(undefined);
  // The focus stays on the button of a moved row; at an end of the list, where that is disabled, it goes to the other one.
  useEffect(() => {
    const { key, direction } = moved.current ?? {};
    moved.current = undefined;
    const row = [...(list.current?.children ?? [])].find((one) => (one as HTMLElement).dataset.key === key);
    if (key === undefined || !row) return;
    const free = [...row.querySelectorAll<HTMLElement>("[data-direction]:not([aria-disabled=true])")];
    (free.find(({ dataset }) => dataset.direction === direction) ?? free[0])?.focus();
  });
  const keys = clips.map(({ key }) => key);
  const move = (at: number, direction: Direction) => {
    const key = keys[at];
    const to = direction === "up" ? at - 1 : at + 1;
    if (isFixed || key === undefined || to < 0 || to >= keys.length) return;
    moved.current = { key, direction };
    onChange(keys.toSpliced(at, 1).toSpliced(to, 0, key));
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(at, event.key === "ArrowUp" ? "up" : "down");
  };
  return (
    <ol ref={list} aria-label="Videos" className="m-0 flex list-none flex-col p-0">
      {clips.map(({ key, name, file, prompt, createdAtSeconds }, at) => (
        <li
          key={key}
          data-key={key}
          onKeyDown={(event) => onKeyDown(event, at)}
          className="flex items-center gap-3 border-line border-b py-2 last:border-b-0"
        >
          <span className="w-5 shrink-0 text-end text-ink-3 tabular-nums">{at + 1}</span>
          <span className="h-10 w-16 shrink-0 overflow-hidden rounded-sm border border-line">
            <CachedThumb item={file} alt="" createdAtSeconds={createdAtSeconds} isSmall />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate">{name}</span>
            {prompt !== undefined && <span className="block truncate text-sm text-ink-3">{visibleLine(prompt)}</span>}
          </span>
          <span className="flex shrink-0">
            {(["up", "down"] as const).map((direction) => (
              <IconButton
                key={direction}
                label={`Move ${name} ${direction}`}
                size="sm"
                data-direction={direction}
                aria-disabled={isFixed || at === (direction === "up" ? 0 : clips.length - 1)}
                onClick={() => move(at, direction)}
              >
                {direction === "up" ? (
                  <ArrowUp aria-hidden="true" className="size-4" />
                ) : (
                  <ArrowDown aria-hidden="true" className="size-4" />
                )}
              </IconButton>
            ))}
            <IconButton
              label={`Remove ${name}`}
              size="sm"
              aria-disabled={isFixed}
              onClick={() => onChange(keys.filter((one) => one !== key))}
            >
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </span>
        </li>
      ))}
    </ol>
  );
}
