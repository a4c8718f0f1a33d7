import { useEffect, useRef, useState } from "react";
import { ClipError } from "#media/clips/clip-error.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { safeFileName } from "#media/download/file-name.ts";
import { FAILURE_WORDS, MediaError } from "#media/media-failure.ts";
import { readMedia } from "#media/read-media.ts";
import type { ChainResult } from "./chain-results.ts";

/** How far the joining of some clips is. */
export type JoinState =
  | { phase: "idle" }
  | { phase: "reading"; at: number; of: number }
  /** From 0 to 1. */
  | { phase: "joining"; done: number }
  | { phase: "saved"; name: string; blob: Blob; seconds: number; notes: readonly string[] }
  /** In sentences. */
  | { phase: "failed"; message: string };

/** Reads clips, joins them in their order and saves the file. Leaving the dialog stops it. */
export function useJoin(batchName: string) {
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
    /** What was joined is of another order, or of other clips. */
    reset: () => setState({ phase: "idle" }),
    saveAgain: () => state.phase === "saved" && saveBlob(state.blob, state.name),
  };
}

/** The bar moves in steps of so much. */
const MIN_STEP = 0.01;

const UNKNOWN = "The clips could not be joined. Try again, or choose fewer clips.";

function unreadable(name: string, { failure }: MediaError): string {
  const { title, body } = FAILURE_WORDS[failure];
  return `${name} could not be read. ${title}. ${body}`;
}
