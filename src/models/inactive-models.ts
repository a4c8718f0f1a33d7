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
  /**
   * The request that was refused. Only the same kind proves that the model answers again, because some services give
   * prices for models that they do not run.
   */
  operation: Operation;
}

type InactiveModels = Readonly<Record<string, InactiveModel>>;

const NONE: InactiveModels = {};
const MAX_MODELS = 200;

const useInactiveStore = create<Readonly<Record<string, InactiveModels>>>(() => ({}));

/**
 * Models of the current account that the service called inactive when it was last asked, by id. Stored on this device.
 */
export function useInactiveModels(): InactiveModels {
  const accountId = useConnection()?.accountId;
  const known = useInactiveStore((state) => (accountId === undefined ? NONE : state[accountId]));
  return known ?? storedModels(accountId ?? "");
}

/** `useInactiveModels` for any account at this moment, for code outside of React. */
export function inactiveModels(accountId: string): InactiveModels {
  return useInactiveStore.getState()[accountId] ?? storedModels(accountId);
}

/**
 * Notes from the response to a request whether its model is inactive. `error`: the refusal; undefined after a success.
 */
export function noteModelAnswer(accountId: string, model: string, operation: Operation, error?: unknown): void {
  const known = inactiveModels(accountId);
  // A response of the Safelight server or of a gateway says nothing about the model.
  const isOfService = error instanceof RefusedError && error.hostReason === undefined && error.hasEnvelope;
  const isInactive = isOfService && saysInactive(error);
  if (isInactive) {
    const others = Object.entries(known).filter(([id]) => id !== model);
    const entries = [...others, [model, { atMs: Date.now(), operation }] as const].slice(-MAX_MODELS);
    save(accountId, Object.fromEntries(entries));
  } else if (error === undefined && Object.hasOwn(known, model) && known[model]?.operation === operation) {
    save(accountId, Object.fromEntries(Object.entries(known).filter(([id]) => id !== model)));
  }
}

function save(accountId: string, models: InactiveModels): void {
  writeJson(keyOfAccount(KEYS.inactiveModels, accountId), models);
  useInactiveStore.setState({ [accountId]: models });
}

const storedByAccount = new Map<string, InactiveModels>();

/** What an earlier visit stored, read once per account. */
function storedModels(accountId: string): InactiveModels {
  if (accountId === "") return NONE;
  const known = storedByAccount.get(accountId);
  if (known !== undefined) return known;
  const stored = readJson(keyOfAccount(KEYS.inactiveModels, accountId));
  const entries = Object.entries(isRecord(stored) ? stored : {}).flatMap(([id, value]) => {
    if (!isRecord(value) || typeof value.atMs !== "number") return [];
    const operation = value.operation === "estimate" ? "estimate" : "submit";
    return [[id, { atMs: value.atMs, operation } satisfies InactiveModel] as const];
  });
  const models = Object.fromEntries(entries.slice(-MAX_MODELS));
  storedByAccount.set(accountId, models);
  return models;
}
