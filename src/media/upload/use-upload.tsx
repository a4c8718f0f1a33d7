import { useCallback, useEffect, useRef, useState } from "react";
import { isAbort } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { allowKey, findKey, type KeyFinding, keyFindingSentence } from "#connection/key-in-text.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { UnusableFileError } from "../file-kind.ts";
import { noteNamedAddress } from "../known-hosts.ts";
import { uploadFile } from "./upload-file.ts";

export type UploadState =
  | { phase: "idle"; note?: string | undefined }
  /** Nothing is sent before the person chose how the file is to be used. */
  | { phase: "waiting"; file: File }
  | { phase: "converting"; file: File; done: number }
  /** `isQueued`: it waits for a free connection. */
  | { phase: "sending"; file: File; sent: number; total: number; isQueued?: boolean }
  | { phase: "failed"; file: File; error: unknown };

interface UploadUse {
  /** The kind that the field takes. */
  kind: MediaKind | undefined;
  onStored: (publicUrl: string) => void;
  /** Whether a file waits for the person before it is sent. */
  asksFirst?: ((file: File) => Promise<boolean>) | undefined;
}

/** One upload at a time for one field. Starting another, or leaving the page, stops the one under way. */
export function useUpload({ kind, onStored, asksFirst }: UploadUse) {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const [state, setState] = useState<UploadState>({ phase: "idle" });
  const running = useRef<AbortController>(undefined);
  const uses = useRef({ onStored, asksFirst });
  useEffect(() => {
    uses.current = { onStored, asksFirst };
  }, [onStored, asksFirst]);
  useEffect(() => () => running.current?.abort(), []);

  const send = useCallback(
    async (file: File, isDecided = false) => {
      running.current?.abort();
      const inName = findKey(file.name, getConnection()?.keyShape);
      if (inName) {
        setState({ phase: "failed", file, error: new KeyInNameError(inName) });
        return;
      }
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      setState({ phase: "sending", file, sent: 0, total: file.size });
      try {
        if (!isDecided && (await uses.current.asksFirst?.(file))) {
          if (!signal.aborted) setState({ phase: "waiting", file });
          return;
        }
        const onProgress = (sent: number, total: number) => {
          if (!signal.aborted) setState({ phase: "sending", file, sent, total });
        };
        const onConvert = (done: number) => {
          if (!signal.aborted) setState({ phase: "converting", file, done });
        };
        const onWait = (isQueued: boolean) => {
          if (!signal.aborted) setState({ phase: "sending", file, sent: 0, total: file.size, isQueued });
        };
        const use = { api, accountId, file, kind, signal, onConvert, onWait, onProgress };
        const { publicUrl, note } = await uploadFile(use);
        if (signal.aborted) return;
        setState({ phase: "idle", note });
        noteNamedAddress(publicUrl);
        uses.current.onStored(publicUrl);
      } catch (error) {
        if (!signal.aborted && !isAbort(error)) setState({ phase: "failed", file, error });
      }
    },
    [api, kind, accountId],
  );

  /** Stops what is under way and forgets its outcome. */
  const cancel = useCallback(() => {
    running.current?.abort();
    setState({ phase: "idle" });
  }, []);

  return { state, send, cancel };
}

/** The name of a file holds a key, so it was not sent. */
class KeyInNameError extends Error {
  readonly finding: KeyFinding;

  constructor(finding: KeyFinding) {
    super(keyFindingSentence(finding, "file name"));
    this.finding = finding;
  }
}

const ACTS = { sending: "Uploading", converting: "Converting" };

interface UploadLineProps {
  state: Exclude<UploadState, { phase: "idle" | "waiting" }>;
  onCancel: () => void;
  onRetry: () => void;
}

/** What an upload is doing, or why it did not work and what can be done. */
export function UploadLine({ state, onCancel, onRetry }: UploadLineProps) {
  if (state.phase === "sending" || state.phase === "converting") {
    const percent = percentOf(state);
    const isQueued = state.phase === "sending" && state.isQueued;
    const act = isQueued ? "Waiting for a free connection to upload" : ACTS[state.phase];
    return (
      <div className="flex items-center gap-2 text-[12.5px] text-ink-2">
        <span className="min-w-0 flex-1">
          <span className="flex gap-2">
            <span className="min-w-0 truncate">
              {act} {visibleLine(state.file.name)}
            </span>
            {!isQueued && <span className="shrink-0 tabular-nums">{percent}%</span>}
          </span>
          <progress
            className="block h-1 w-full overflow-hidden rounded-full accent-accent"
            aria-label={`${act} ${visibleLine(state.file.name)}`}
            value={percent}
            max={100}
          />
        </span>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    );
  }
  const { text, retryable } = problemOf(state.error);
  const finding = state.error instanceof KeyInNameError ? state.error.finding : undefined;
  const sendAnyway = () => {
    if (finding) allowKey(finding);
    onRetry();
  };
  return (
    <div role="alert" className="flex items-start gap-2 text-[12.5px] text-failed">
      <span className="wrap-anywhere min-w-0 flex-1">{text}</span>
      {retryable && (
        <Button size="sm" onClick={sendAnyway}>
          {finding ? "Send anyway" : "Try again"}
        </Button>
      )}
    </div>
  );
}

function percentOf(state: Extract<UploadState, { phase: "sending" | "converting" }>): number {
  if (state.phase === "converting") return Math.floor(state.done * 100);
  return state.total > 0 ? Math.floor((state.sent / state.total) * 100) : 0;
}

function problemOf(error: unknown): { text: string; retryable: boolean } {
  if (error instanceof KeyInNameError) return { text: error.message, retryable: error.finding.kind === "similar" };
  if (error instanceof UnusableFileError) return { text: error.message, retryable: false };
  const { title, body, nextStep, retryable } = explainError(error, "upload");
  return { text: `${title}. ${body} ${nextStep}`, retryable };
}
