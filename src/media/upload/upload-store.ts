import { create } from "zustand";

export type UploadState =
  | { phase: "converting" /** From 0 to 1. */; done: number }
  /** It waits for a free connection. */
  | { phase: "waiting" }
  /** Bytes; the time left in whole seconds, once it can be estimated. */
  | { phase: "sending"; sent: number; total: number; secondsLeft: number | undefined }
  | { phase: "failed"; error: unknown }
  /** Stored under an address. `note`: what was done to the file first. */
  | { phase: "done"; address: string; note: string | undefined; isSeen: boolean };

/** A file on its way to the service's storage. It lives outside the screens: leaving one ends no upload. */
export interface Upload {
  id: string;
  accountId: string;
  /** The model whose form it is for. */
  modelId: string;
  /** What the field that it is for is called on the screen. */
  label: string;
  /** What the file is called. */
  name: string;
  /**
   * Undefined once nobody needs it, and where the page was loaded anew: the browser does not give a file a second time.
   */
  file: File | undefined;
  /** Whether a form or a list has a place for it. The queue says that its field is gone where none has. */
  hasField: boolean;
  state: UploadState;
}

interface UploadsState {
  /** The oldest first. Those of the current connection: another connection ends them. */
  uploads: readonly Upload[];
  /** The id of the upload whose field the person wants to see, until it has shown itself. */
  wanted: string | undefined;
}

/** Every upload of this tab. What sends them is in `uploads.ts`. */
export const useUploadStore = create<UploadsState>(() => ({ uploads: [], wanted: undefined }));

/** Whether it is still going to give an address by itself. */
export function isUnderWay({ state }: Upload): boolean {
  return state.phase === "converting" || state.phase === "waiting" || state.phase === "sending";
}

/**
 * What became of each upload by now: its address, "ended" where it was ended, undefined while it may still come.
 */
export function uploadOutcomes(): (id: string) => { address: string } | "ended" | undefined {
  const { uploads } = useUploadStore.getState();
  return (id) => {
    const upload = uploads.find((one) => one.id === id);
    if (!upload) return "ended";
    return upload.state.phase === "done" ? { address: upload.state.address } : undefined;
  };
}

/** The last upload that brought an address to this tab. */
export const uploadTo = (uploads: readonly Upload[], address: string): Upload | undefined =>
  uploads.findLast(({ state }) => state.phase === "done" && state.address === address);

/** How many of these are under way. */
export const pendingAmong = (uploads: readonly Upload[], ids: readonly string[]): number =>
  uploads.filter((one) => ids.includes(one.id) && isUnderWay(one)).length;

/** Notes which uploads a form or a list has now, of those that it had before. */
export function noteFields(before: readonly string[], now: readonly string[]): void {
  change((upload) => {
    const hasField = now.includes(upload.id) || (upload.hasField && !before.includes(upload.id));
    return upload.hasField === hasField ? upload : { ...upload, hasField };
  });
}

/** A field with these addresses is on the screen: its uploads need no line in the queue any more. */
export function seeUploads(addresses: readonly string[]): void {
  change((upload) => {
    const { state } = upload;
    if (state.phase !== "done" || state.isSeen || !upload.hasField) return upload;
    return addresses.includes(state.address) ? seen(upload, state) : upload;
  });
}

/** Its file need not stay in memory any more. What is known of it is for the field with its address. */
const seen = (upload: Upload, state: Extract<UploadState, { phase: "done" }>): Upload => ({
  ...upload,
  file: undefined,
  state: { ...state, isSeen: true },
});

/** Takes the line of a stored file out of the queue. Its address still comes to the form that has it. */
export function dismissUpload(id: string): void {
  change((upload) => (upload.id === id && upload.state.phase === "done" ? seen(upload, upload.state) : upload));
}

/** Sets nothing where nothing changes: who follows the store may be the one who calls this. */
function change(next: (upload: Upload) => Upload): void {
  const { uploads } = useUploadStore.getState();
  const after = uploads.map(next);
  if (after.some((upload, at) => upload !== uploads[at])) useUploadStore.setState({ uploads: after });
}

/** Asks the field of an upload to show itself; undefined once it has. */
export function wantField(id: string | undefined): void {
  useUploadStore.setState({ wanted: id });
}

/** The upload whose field the person wants to see. */
export const wantedUpload = ({ uploads, wanted }: UploadsState): Upload | undefined =>
  wanted === undefined ? undefined : uploads.find(({ id }) => id === wanted);
