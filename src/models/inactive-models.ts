import { create } from "zustand";
import { RefusedError } from "#api/api-error.ts";
import { useConnection } from "#connection/connection-store.ts";
import { isRecord } from "#lib/read.ts";
import { saysInactive } from "#runs/rules/answers.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";

/** Requests that a service refuses for an inactive model (spec 3). */
type Operation = "estimate" | "submit";

interface InactiveModel {
  /** When the service last said so, Unix ms. */
  atMs: number;
  /** Only the same request proves that the model answers again: some services price what they do not run. */
  operation: Operation;
}

type InactiveModels = Readonly<Record<string, InactiveModel>>;

const NONE: InactiveModels = {};
const MAX_MODELS = 200;

const useInactiveStore = create<Readonly<Record<string, InactiveModels>>>(() => ({}));

/** Models of the current account that the service called inactive when it was last asked, by id. Stored on this device. */
export function useInactiveModels(): InactiveModels {
  const accountId = useConnection()?.accountId;
  const known = useInactiveStore((state) => (accountId === undefined ? NONE : state[accountId]));
  return known ?? storedModels(accountId ?? "");
}

/** The same for an account, as it is now. */
export function inactiveModels(accountId: string): InactiveModels {
  return useInactiveStore.getState()[accountId] ?? storedModels(accountId);
}

/** Remembers what the answer to a request says of its model: inactive, or that it answers again. */
export function noteModelAnswer(accountId: string, model: string, operation: Operation, error?: unknown): void {
  const known = inactiveModels(accountId);
  // A page may be a gateway's: it says nothing of the model.
  const isOwn = error instanceof RefusedError && error.hostReason === undefined && error.hasEnvelope;
  const isInactive = isOwn && saysInactive(error);
  if (isInactive) {
    const others = Object.entries(known).filter(([id]) => id !== model);
    const entries = [...others, [model, { atMs: Date.now(), operation }] as const].slice(-MAX_MODELS);
    keep(accountId, Object.fromEntries(entries));
  } else if (error === undefined && Object.hasOwn(known, model) && known[model]?.operation === operation) {
    keep(accountId, Object.fromEntries(Object.entries(known).filter(([id]) => id !== model)));
  }
}

function keep(accountId: string, models: InactiveModels): void {
  writeJson(keyOfAccount(KEYS.inactiveModels, accountId), models);
  useInactiveStore.setState({ [accountId]: models });
}

const read = new Map<string, InactiveModels>();

/** What an earlier visit stored, read once. */
function storedModels(accountId: string): InactiveModels {
  if (accountId === "") return NONE;
  const known = read.get(accountId);
  if (known !== undefined) return known;
  const stored = readJson(keyOfAccount(KEYS.inactiveModels, accountId));
  const entries = Object.entries(isRecord(stored) ? stored : {}).flatMap(([id, value]) => {
    if (!isRecord(value) || typeof value.atMs !== "number") return [];
    const operation = value.operation === "estimate" ? "estimate" : "submit";
    return [[id, { atMs: value.atMs, operation } satisfies InactiveModel] as const];
  });
  const models = Object.fromEntries(entries.slice(-MAX_MODELS));
  read.set(accountId, models);
  return models;
}
