import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { explainError } from "#api/explain-error.ts";
import type { MediaKind } from "#api/types.ts";
import { onConnectionChange, openFileOrigin } from "#connection/connection-store.ts";
import { allowKey, findKey, keyFindingSentence } from "#connection/find-key.ts";
import { perConnection } from "#connection/per-connection.ts";
import { LocalHoldError } from "#connection/relay.ts";
import { setLeaveGuard } from "#lib/leave-guard.ts";
import { randomId } from "#lib/random-id.ts";
import type { SecretFinding } from "#lib/secret-shape.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { UnusableFileError } from "../file-kind.ts";
import { noteNamedAddress } from "../known-hosts.ts";
import { uploadFile } from "./upload-file.ts";
import { createUploadPace } from "./upload-pace.ts";
import { dismissUpload, isUnderWay, type Upload, type UploadState, useUploadStore } from "./upload-store.ts";

/** What an upload is for: see `Upload`. */
interface UploadTarget {
  modelId: string;
  label: string;
}

interface UploadOrder extends UploadTarget {
  file: File;
  /** The kind that the field takes. */
  kind: MediaKind | undefined;
}

/** The uploads of one connection. */
export type Uploads = ReturnType<typeof createUploads>;

interface UploadEffects {
  api: Api;
  accountId: string;
  upload?: typeof uploadFile;
  nowMs?: () => number;
}

/** The progress on the screen is updated at most this often. */
const SHOWN_EVERY_MS = 250;

/** Uploads outside of React: leaving the screen, or the form, ends none. What became of each is in the store. */
export function createUploads({ api, accountId, upload = uploadFile, nowMs = Date.now }: UploadEffects) {
  const orders = new Map<string, UploadOrder>();
  const running = new Map<string, AbortController>();

  function change(next: (uploads: readonly Upload[]) => readonly Upload[]): void {
    useUploadStore.setState(({ uploads }) => ({ uploads: next(uploads) }));
    const isBusy = useUploadStore.getState().uploads.some(isUnderWay);
    setLeaveGuard("uploads", { busy: isBusy, asks: isBusy });
  }
  const add = (upload: Omit<Upload, "accountId" | "hasField">) =>
    change((uploads) => [...uploads, { ...upload, accountId, hasField: true }]);
  const set = (id: string, state: UploadState) =>
    change((uploads) => uploads.map((one) => (one.id === id ? { ...one, state } : one)));

  async function run(id: string, { file, kind }: UploadOrder): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.set(id, controller);
    const pace = createUploadPace();
    let shownAtMs = Number.NEGATIVE_INFINITY;
    const show = (state: UploadState) => !signal.aborted && set(id, state);
    try {
      const keyInName = findKey(file.name);
      if (keyInName) throw new KeyInNameError(keyInName);
      const { publicUrl, note } = await upload({
        api,
        accountId,
        file,
        kind,
        signal,
        onConvert: (done) => show({ phase: "converting", done }),
        onWait: (isWaiting) => show(isWaiting ? { phase: "waiting" } : sending(file, 0)),
        onProgress(sent, total) {
          const now = nowMs();
          pace.note(sent, now);
          if (now - shownAtMs < SHOWN_EVERY_MS && sent < total) return;
          shownAtMs = now;
          show({ phase: "sending", sent, total, secondsLeft: pace.secondsLeft(total, now) });
        },
      });
      if (signal.aborted) return;
      noteNamedAddress(publicUrl);
      orders.delete(id);
      set(id, { phase: "done", address: publicUrl, note, isSeen: false });
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) show({ phase: "failed", error });
    } finally {
      if (running.get(id) === controller) running.delete(id);
    }
  }

  return {
    /** Starts an upload. Returns its id. */
    start(order: UploadOrder): string {
      const id = randomId();
      orders.set(id, order);
      const { file, modelId, label } = order;
      add({ id, modelId, label, name: file.name, file, state: sending(file, 0) });
      void run(id, order);
      return id;
    },
    /** Adds an upload that a reload of the page ended, as a failed one. Returns its id. */
    addEnded({ name, modelId, label }: UploadTarget & { name: string }): string {
      const id = randomId();
      add({ id, modelId, label, name, file: undefined, state: { phase: "failed", error: new PageGoneError(name) } });
      return id;
    },
    /**
     * Sends a failed upload again. If its name looked like a key, or its storage is on this computer, the person allows
     * that with this.
     */
    retry(id: string): void {
      const order = orders.get(id);
      const state = useUploadStore.getState().uploads.find((one) => one.id === id)?.state;
      if (!order || state?.phase !== "failed") return;
      if (state.error instanceof KeyInNameError) allowKey(state.error.finding);
      if (state.error instanceof LocalHoldError) openFileOrigin(state.error.origin);
      set(id, sending(order.file, 0));
      void run(id, order);
    },
    /** Ends and forgets an upload. One that is stored only leaves the queue: its address still comes to its field. */
    cancel(id: string): void {
      if (useUploadStore.getState().uploads.some((one) => one.id === id && one.state.phase === "done")) {
        dismissUpload(id);
        return;
      }
      orders.delete(id);
      running.get(id)?.abort();
      running.delete(id);
      change((uploads) => uploads.filter((one) => one.id !== id));
    },
    /** Ends all of them. */
    stop(): void {
      for (const controller of running.values()) controller.abort();
      running.clear();
      orders.clear();
      change((uploads) => uploads.filter((one) => one.accountId !== accountId));
    },
  };
}

const sending = ({ size }: File, sent: number): UploadState => ({
  phase: "sending",
  sent,
  total: size,
  secondsLeft: undefined,
});

/** The uploads of the current connection. They end with it, or when another one becomes current. */
export const getAccountUploads = perConnection((api: Api, accountId: string): Uploads => {
  const uploads = createUploads({ api, accountId });
  return {
    ...uploads,
    start(order) {
      startedUploads.add(uploads);
      return uploads.start(order);
    },
    addEnded(upload) {
      startedUploads.add(uploads);
      return uploads.addEnded(upload);
    },
  };
});

/** The uploads of every connection that has started any. */
const startedUploads = new Set<Uploads>();

onConnectionChange(() => {
  for (const uploads of startedUploads) uploads.stop();
  startedUploads.clear();
});

/** The file was not sent, because its name contains a key. */
class KeyInNameError extends Error {
  readonly finding: SecretFinding;

  constructor(finding: SecretFinding) {
    super(keyFindingSentence(finding, "file name"));
    this.finding = finding;
  }
}

/** The page that sent the file was reloaded. */
class PageGoneError extends Error {
  constructor(name: string) {
    super(`The page was reloaded before ${visibleLine(name)} was uploaded. Choose the file again.`);
  }
}

/**
 * Why an upload failed, in words, and what the button that tries again is called; undefined where that would not help.
 */
export function uploadProblem(error: unknown): { text: string; retryLabel: string | undefined } {
  if (error instanceof KeyInNameError) {
    return { text: error.message, retryLabel: error.finding.kind === "similar" ? "Upload anyway" : undefined };
  }
  if (error instanceof LocalHoldError) {
    const retryLabel = error.mayOpen ? `Upload to ${error.origin}` : undefined;
    return { text: `The file was not uploaded. ${error.message}`, retryLabel };
  }
  if (error instanceof UnusableFileError || error instanceof PageGoneError)
    return { text: error.message, retryLabel: undefined };
  const { title, body, nextStep, retryable } = explainError(error, "upload");
  return { text: `${title}. ${body} ${nextStep}`, retryLabel: retryable ? "Try again" : undefined };
}
