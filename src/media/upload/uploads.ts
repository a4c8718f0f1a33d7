import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { explainError } from "#api/explain-error.ts";
import type { MediaKind } from "#api/types.ts";
import { onConnectionChange } from "#connection/connection-store.ts";
import { allowKey, findKey, keyFindingSentence } from "#connection/find-key.ts";
import { perConnection } from "#connection/per-connection.ts";
import { setLeaveGuard } from "#lib/leave-guard.ts";
import { randomId } from "#lib/random-id.ts";
import type { SecretFinding } from "#lib/secret-shape.ts";
import { UnusableFileError } from "../file-kind.ts";
import { noteNamedAddress } from "../known-hosts.ts";
import { noteUnfinished } from "./unfinished-uploads.ts";
import { uploadFile } from "./upload-file.ts";
import { createUploadPace } from "./upload-pace.ts";
import { isUnderWay, type Upload, type UploadPlace, type UploadState, useUploadStore } from "./upload-store.ts";

interface UploadOrder {
  file: File;
  /** The kind that the field takes. */
  kind: MediaKind | undefined;
  place: UploadPlace;
  /** Called once, with the address and what was done to the file first. Not called after `cancel`. */
  onStored: (publicUrl: string, note: string | undefined) => void;
}

/** The uploads of one connection. */
export interface Uploads {
  /** Begins, and gives the upload's id. */
  start(order: UploadOrder): string;
  /** Sends a failed one again; where only its name held it back, the person allows that with it. */
  retry(id: string): void;
  /** Its field has moved, or is gone: it goes on all the same. */
  moveTo(id: string, place: UploadPlace): void;
  /** It is stored, and there is no field for its address any more. */
  keepAddress(id: string, publicUrl: string): void;
  /** Ends it and forgets it, whatever it has come to. */
  cancel(id: string): void;
  /** Ends all of them. */
  stop(): void;
}

interface UploadWorld {
  api: Api;
  accountId: string;
  upload?: typeof uploadFile;
  nowMs?: () => number;
}

/** The screen follows the bytes so often. */
const SHOWN_EVERY_MS = 250;

/**
 * Uploads outside of React: leaving the screen, or the form, ends none. The address of each is handed over exactly once.
 */
export function createUploads({ api, accountId, upload = uploadFile, nowMs = Date.now }: UploadWorld): Uploads {
  const orders = new Map<string, UploadOrder>();
  const running = new Map<string, AbortController>();

  function change(next: (uploads: readonly Upload[]) => readonly Upload[]): void {
    useUploadStore.setState(({ uploads }) => ({ uploads: next(uploads) }));
    const isBusy = useUploadStore.getState().uploads.some(isUnderWay);
    setLeaveGuard("uploads", { busy: isBusy, asks: isBusy });
  }
  const update = (id: string, next: (upload: Upload) => Partial<Upload>) =>
    change((uploads) => uploads.map((one) => (one.id === id ? { ...one, ...next(one) } : one)));
  const set = (id: string, state: UploadState) => update(id, () => ({ state }));

  async function run(id: string, { file, kind, onStored }: UploadOrder): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.set(id, controller);
    const pace = createUploadPace();
    let shownAtMs = Number.NEGATIVE_INFINITY;
    const show = (state: UploadState) => !signal.aborted && set(id, state);
    try {
      const inName = findKey(file.name);
      if (inName) throw new KeyInNameError(inName);
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
      set(id, { phase: "done" });
      onStored(publicUrl, note);
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) show({ phase: "failed", error });
    } finally {
      if (running.get(id) === controller) running.delete(id);
    }
  }

  return {
    start(order) {
      const id = randomId();
      orders.set(id, order);
      const { file, place } = order;
      change((uploads) => [...uploads, { id, accountId, place, file, state: sending(file, 0) }]);
      void run(id, order);
      return id;
    },
    retry(id) {
      const order = orders.get(id);
      const state = useUploadStore.getState().uploads.find((one) => one.id === id)?.state;
      if (!order || state?.phase !== "failed") return;
      if (state.error instanceof KeyInNameError) allowKey(state.error.finding);
      set(id, sending(order.file, 0));
      void run(id, order);
    },
    moveTo(id, place) {
      update(id, () => ({ place }));
    },
    keepAddress(id, publicUrl) {
      update(id, ({ place }) => ({ place: { ...place, path: undefined }, state: { phase: "unplaced", publicUrl } }));
    },
    cancel(id) {
      if (!orders.delete(id)) return;
      running.get(id)?.abort();
      running.delete(id);
      change((uploads) => uploads.filter((one) => one.id !== id));
    },
    stop() {
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

/** The uploads of the current connection. They end where another one becomes current, and where it ends. */
export const uploadsOf = perConnection((api: Api, accountId: string): Uploads => {
  const uploads = createUploads({ api, accountId });
  return {
    ...uploads,
    start(order) {
      begun.add(uploads);
      return uploads.start(order);
    },
  };
});

/** Every connection's that has begun any. */
const begun = new Set<Uploads>();

onConnectionChange(() => {
  for (const uploads of begun) uploads.stop();
  begun.clear();
});

globalThis.addEventListener?.("pagehide", () => {
  // Without a field there is no place to say it at.
  const unfinished = useUploadStore.getState().uploads.filter((one) => isUnderWay(one) && one.place.path !== undefined);
  noteUnfinished(unfinished.map(({ accountId, place, file }) => ({ accountId, name: file.name, place })));
});

/** The name of a file holds a key, so it was not sent. */
class KeyInNameError extends Error {
  readonly finding: SecretFinding;

  constructor(finding: SecretFinding) {
    super(keyFindingSentence(finding, "file name"));
    this.finding = finding;
  }
}

/** Why an upload failed, in words, and what the button that tries again is called; undefined where that would not help. */
export function uploadProblem(error: unknown): { text: string; retryLabel: string | undefined } {
  if (error instanceof KeyInNameError) {
    return { text: error.message, retryLabel: error.finding.kind === "similar" ? "Send anyway" : undefined };
  }
  if (error instanceof UnusableFileError) return { text: error.message, retryLabel: undefined };
  const { title, body, nextStep, retryable } = explainError(error, "upload");
  return { text: `${title}. ${body} ${nextStep}`, retryLabel: retryable ? "Try again" : undefined };
}
