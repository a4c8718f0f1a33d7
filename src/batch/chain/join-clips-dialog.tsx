import { useMemo, useState } from "react";
import type { ItemView } from "#batch/runner/item-states.ts";
import { formatClock } from "#lib/time.ts";
import { fileSize } from "#media/file-kind.ts";
import { Button } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { Commands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { chainResults } from "./chain-results.ts";
import { ClipList } from "./clip-list.tsx";
import { type JoinState, useJoin } from "./use-join.ts";

interface JoinClipsDialogProps {
  /** The chosen runs, in the order of the table. */
  items: readonly ItemView[];
  onClose: () => void;
}

/** The clips of chosen runs as one file, made in the page and saved. */
export function JoinClipsDialog({ items, onClose }: JoinClipsDialogProps) {
  const { batch, items: all, jobs } = useBatchDocument();
  const [nowMs] = useState(() => Date.now());
  const found = useMemo(() => chainResults(items, { all, jobs, nowMs }), [items, all, jobs, nowMs]);
  const clips = found.results.filter(({ file }) => file.kind === "video");
  const [order, setOrder] = useState(() => clips.map(({ key }) => key));
  const ordered = order.flatMap((key) => clips.find((clip) => clip.key === key) ?? []);
  const { state, join, cancel, reset, saveAgain } = useJoin(batch.name);
  const isBusy = state.phase === "reading" || state.phase === "joining";
  const others = found.results.length - clips.length;
  const leftOut = [
    ...found.leftOut,
    ...(others > 0 ? [`${others === 1 ? "1 result is" : `${others} results are`} not a video.`] : []),
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
      title={ordered.length === 1 ? "Join 1 clip" : `Join ${ordered.length} clips`}
      description="One video in this order, made in this browser. It costs nothing."
      footer={
        <>
          {isBusy && <Button onClick={cancel}>Cancel</Button>}
          {state.phase === "saved" && <Button onClick={saveAgain}>Save again</Button>}
          <Button
            variant="primary"
            busy={isBusy}
            aria-disabled={ordered.length < 2}
            onClick={command.run}
            {...useCommandProps(command)}
          >
            {busyWords(state) ?? "Join and save"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Commands list={[command]} />
        {leftOut.length > 0 && <p className="m-0 text-[12.5px] text-ink-2">Left out: {leftOut.join(" ")}</p>}
        <ClipList clips={ordered} isFixed={isBusy} onChange={change} />
        {ordered.length < 2 && <p className="m-0 text-ink-2">Choose at least 2 clips.</p>}
        <JoinEnd state={state} />
      </div>
    </Dialog>
  );
}

function busyWords(state: JoinState): string | undefined {
  if (state.phase === "reading") return `Reading clip ${state.at} of ${state.of}`;
  return state.phase === "joining" ? `Joining, ${Math.round(state.done * 100)}%` : undefined;
}

function JoinEnd({ state }: { state: JoinState }) {
  if (state.phase === "failed") {
    return (
      <Notice tone="error" title="The clips were not joined">
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
