import { create } from "zustand";

/** Where an upload's address goes: a field of a model's form. */
export interface UploadPlace {
  modelId: string;
  /** The keys and positions to the field in the payload, from outside in. Undefined once the field is gone. */
  path: readonly string[] | undefined;
  /** What the field is called on the screen. */
  label: string;
}

export type UploadState =
  | { phase: "converting" /** From 0 to 1. */; done: number }
  /** It waits for a free connection. */
  | { phase: "waiting" }
  /** Bytes; the time left in whole seconds, once it can be told. */
  | { phase: "sending"; sent: number; total: number; secondsLeft: number | undefined }
  | { phase: "failed"; error: unknown }
  /** Stored, and its address is in the field's draft. */
  | { phase: "done" }
  /** Stored, but its field is gone: its address is in no draft. */
  | { phase: "unplaced"; publicUrl: string };

/** A file on its way to the service's storage. It lives outside the screens: leaving one ends no upload. */
export interface Upload {
  id: string;
  accountId: string;
  place: UploadPlace;
  file: File;
  state: UploadState;
}

interface UploadsState {
  /** The oldest first. Those of the current connection: another connection ends them. */
  uploads: readonly Upload[];
  /** The field that the person wants to see, until it has shown itself. */
  wantedField: UploadPlace | undefined;
}

/** Every upload of this tab. What sends them is in `uploads.ts`. */
export const useUploadStore = create<UploadsState>(() => ({ uploads: [], wantedField: undefined }));

/** Whether it is still going to give an address by itself. Never throws. */
export function isUnderWay({ state }: Upload): boolean {
  return state.phase === "converting" || state.phase === "waiting" || state.phase === "sending";
}

/** How many files are on their way to fields of a model's form. Run waits for these, and for no others. */
export function usePendingUploads(modelId: string): number {
  const isPending = (upload: Upload) =>
    upload.place.modelId === modelId && upload.place.path !== undefined && isUnderWay(upload);
  return useUploadStore(({ uploads }) => uploads.filter(isPending).length);
}

/** Asks the field of an upload to show itself; undefined once it has. */
export function wantField(place: UploadPlace | undefined): void {
  useUploadStore.setState({ wantedField: place });
}

/** Whether two places are the same field. Never throws. */
export function isSamePlace(one: UploadPlace, other: UploadPlace): boolean {
  if (one.path === undefined || one.modelId !== other.modelId) return false;
  return JSON.stringify(one.path) === JSON.stringify(other.path);
}
