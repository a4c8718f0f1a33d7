import { create } from "zustand";

export type UploadState =
  | { phase: "converting" /** From 0 to 1. */; done: number }
  /** Waits for a free connection. */
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
   * Undefined once nobody needs it, and after the page was reloaded, because a browser does not give a file twice.
   */
  file: File | undefined;
  /** Whether a form or a list still waits for it. If not, the queue says that its field is gone. */
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

/** Whether an upload is still running, and will bring an address without the person. */
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

/** Notes the ids of the uploads that a form or a list waits for, in place of those that it waited for before. */
export function noteFields(oldIds: readonly string[], newIds: readonly string[]): void {
  change((upload) => {
    const hasField = newIds.includes(upload.id) || (upload.hasField && !oldIds.includes(upload.id));
    return upload.hasField === hasField ? upload : { ...upload, hasField };
  });
}

/** Notes that a field shows these addresses, so their uploads need no line in the queue any more. */
export function seeUploads(addresses: readonly string[]): void {
  change((upload) => {
    const { state } = upload;
    if (state.phase !== "done" || state.isSeen || !upload.hasField) return upload;
    return addresses.includes(state.address) ? asSeen(upload, state) : upload;
  });
}

/** A stored upload that was seen. It lets go of its file; the rest stays for the field with its address. */
const asSeen = (upload: Upload, state: Extract<UploadState, { phase: "done" }>): Upload => ({
  ...upload,
  file: undefined,
  state: { ...state, isSeen: true },
});

/** Takes the line of a stored file out of the queue. Its address still comes to the form that has it. */
export function dismissUpload(id: string): void {
  change((upload) => (upload.id === id && upload.state.phase === "done" ? asSeen(upload, upload.state) : upload));
}

/** Sets the store only where something changes, because a subscriber of the store may call this. */
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
