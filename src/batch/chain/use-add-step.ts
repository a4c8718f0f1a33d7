import { useEffect, useRef, useState } from "react";
import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ClipError } from "#media/clips/clip-error.ts";
import { readLastFrame } from "#media/clips/read-frame.ts";
import { readMedia } from "#media/fetch-media.ts";
import { blobKind } from "#media/file-kind.ts";
import { noteNamedAddress } from "#media/known-hosts.ts";
import { FAILURE_WORDS, MediaError } from "#media/media-failure.ts";
import { uploadFile } from "#media/upload/upload-file.ts";
import { uploadProblem } from "#media/upload/uploads.ts";
import type { ItemSource } from "#storage/stored-batches.ts";
import type { ChainResult } from "./chain-results.ts";
import type { StepPlan } from "./step-rows.ts";

/** The state of storing the inputs of a step. */
type AddState =
  | { phase: "idle" }
  | { phase: "preparing"; words: string }
  /** `problems`: why results cannot be used, as sentences by their keys. */
  | { phase: "failed"; problems: ReadonlyMap<string, string> };

interface AddStep {
  state: AddState;
  /** The address of a result as an input; undefined before it is stored. */
  addressOf: (result: ChainResult, use: StepPlan["use"]) => string | undefined;
  /**
   * Stores the inputs that have no address yet. Resolves to false where some could not be stored, and `state` says why; also where
   * the dialog was closed.
   */
  prepare: (plan: Pick<StepPlan, "results" | "use">) => Promise<boolean>;
}

/** Stores the inputs of a step. Addresses are remembered while the dialog is open; closing it stops the rest. */
export function useAddStep(): AddStep {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const [state, setState] = useState<AddState>({ phase: "idle" });
  const [known] = useState(() => new Map<string, string>());
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);
  // The file of a video and its last frame are two inputs.
  const getInputKey = ({ key }: ChainResult, use: StepPlan["use"]) => `${use} ${key}`;
  return {
    state,
    addressOf: (result, use) => (isInput(result, use) ? result.file.url : known.get(getInputKey(result, use))),
    async prepare({ results, use }) {
      const { signal } = stop.current;
      const missing = results.filter((result) => !isInput(result, use) && !known.has(getInputKey(result, use)));
      const inputWord = use === "last-frame" ? "last frame" : "file";
      try {
        const problems = await prepareInputs(missing, {
          api,
          accountId,
          use,
          signal,
          onStep: (at, phase) => {
            const verb = phase === "reading" ? "Loading" : "Uploading";
            setState({ phase: "preparing", words: `${verb} ${inputWord} ${at} of ${missing.length}…` });
          },
          onStored: (result, address) => known.set(getInputKey(result, use), address),
        });
        setState(problems.size > 0 ? { phase: "failed", problems } : { phase: "idle" });
        return problems.size === 0;
      } catch {
        // The dialog was closed meanwhile.
        return false;
      }
    },
  };
}

interface PrepareOptions {
  api: Api;
  accountId: string;
  use: ItemSource["use"];
  signal: AbortSignal;
  /** Called before each step: `at` is the number of the result, from 1. */
  onStep: (at: number, phase: "reading" | "sending") => void;
  onStored: (result: ChainResult, address: string) => void;
}

/** Whether the file's own address can be the input: the service's storage is public (spec 2). */
function isInput({ file }: ChainResult, use: ItemSource["use"]): boolean {
  return use === "file" && /^https?:/i.test(file.url);
}

/**
 * Stores last frames, and files that came inside a response, one after the other, so that only one video is in memory. Resolves to
 * why inputs could not be stored, as sentences by the keys of the results. Rejects with the signal's reason.
 */
async function prepareInputs(
  results: readonly ChainResult[],
  { api, accountId, use, signal, onStep, onStored }: PrepareOptions,
): Promise<Map<string, string>> {
  const problems = new Map<string, string>();
  for (const [at, result] of results.entries()) {
    try {
      signal.throwIfAborted();
      onStep(at + 1, "reading");
      const file = use === "last-frame" ? await lastFrame(result, signal) : await ownFile(result, signal);
      onStep(at + 1, "sending");
      const { publicUrl } = await uploadFile({ api, accountId, file, signal });
      noteNamedAddress(publicUrl);
      onStored(result, publicUrl);
    } catch (error) {
      signal.throwIfAborted();
      if (isAbort(error)) throw error;
      problems.set(result.key, inputProblem(error));
    }
  }
  return problems;
}

async function lastFrame({ file }: ChainResult, signal: AbortSignal): Promise<File> {
  return new File([await readLastFrame(file.url, { signal })], "last-frame.png", { type: "image/png" });
}

async function ownFile({ file }: ChainResult, signal: AbortSignal): Promise<File> {
  const blob = await readMedia(file.url, { signal });
  const kind = await blobKind(blob);
  return new File([blob], `result.${kind?.extension ?? "bin"}`, { type: kind?.mimeType ?? "" });
}

/** Why a result could not be made an input, in words. Reading and storing a file cost nothing. */
function inputProblem(error: unknown): string {
  if (error instanceof ClipError) return error.message;
  if (!(error instanceof MediaError)) return uploadProblem(error).text;
  const { title, body } = FAILURE_WORDS[error.failure];
  return `${title}. ${body}`;
}
