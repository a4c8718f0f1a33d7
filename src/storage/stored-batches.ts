import type { JobRequest } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asFilledText, asList, asNumber, asOneOf, asRecord, asTexts, isRecord, type JsonRecord } from "#lib/read.ts";
import { ROW_VERSIONS } from "./keys.ts";
import type { RowKind } from "./typed-rows.ts";

/** The run whose result is made an input, and how: the file itself, or the last frame of a video. */
export interface ItemSource {
  itemId: string;
  use: "file" | "last-frame";
}

/** One run of a batch, from its row in the table to its last attempt. */
export interface BatchItem {
  /** Stays the same while the run is edited and retried. */
  id: string;
  groupId: string;
  request: JobRequest;
  /**
   * The intent of the newest attempt: it makes sure that the run is sent once, whichever tab sends it and after whatever
   * crash. A retry of a refunded failure is another consent, and gets another one.
   */
  intentId: string;
  /** The exact price that the person agreed to: never more is spent on it. Undefined: a draft, which is not sent. */
  priceMicroUsd?: MicroUsd;
  /** The intents of earlier attempts that failed and were refunded, oldest first. */
  earlierIntentIds?: readonly string[];
  /** Labels of what was asked for and this model has no field for. The run is not ready while there are any. */
  unavailable?: readonly string[];
  /** The person changed it by hand: axes that change leave it as it is. */
  isEdited?: true;
  /** The person dismissed its result on the contact sheet. */
  isRejected?: true;
  source?: ItemSource;
}

/** A parameter and what it takes in turn. Keys and values are those of the first model of the axes. */
export interface ParameterAxis {
  key: string;
  values: readonly unknown[];
  /** For texts: what was typed, with `{a|b}` and `{1..4}`, one text per line. The values follow from it. */
  text?: string;
}

/** What a group of combinations is made of. */
export interface BatchAxes {
  models: readonly string[];
  /** The settings of each model that no axis changes, by model. */
  settings: Readonly<Record<string, JsonRecord>>;
  parameters: readonly ParameterAxis[];
  /** `product`: every value with every other. `zip`: the first with the first, and so on. */
  way: "product" | "zip";
}

const GROUP_KINDS = ["axes", "runs", "csv", "images", "history", "recipe", "chat", "step"] as const;

/** Runs of a batch that came from one place: their heading in the table. */
export interface BatchGroup {
  id: string;
  name: string;
  kind: (typeof GROUP_KINDS)[number];
  axes?: BatchAxes;
}

const ORDERS = ["rows", "cheapest", "most-expensive"] as const;

/** How a batch is run. */
export interface BatchRules {
  /** How many jobs of one model may be under way at a time. */
  parallel: number;
  /** The same for single models where it differs, by model. */
  parallelOf: Readonly<Record<string, number>>;
  order: (typeof ORDERS)[number];
  /** The failures in a row after which the batch pauses; undefined: it does not. */
  stopAfterFailures?: number;
  /** No run is sent that would take the total charged of this batch above it. */
  stopAtMicroUsd?: MicroUsd;
  /** The batch pauses once one of its results has a star. */
  stopAtStar?: true;
  /** How often a run that failed and was refunded is submitted anew. */
  retries: number;
}

export interface Batch {
  id: string;
  name: string;
  createdAtMs: number;
  groups: readonly BatchGroup[];
  /** The items in the order of the table. Every item's group is in `groups`. */
  items: readonly BatchItem[];
  rules: BatchRules;
  /** The project that its charges count for. */
  projectId?: string;
  /** The person took it out of the queue; it stays among the batches. */
  isDismissed?: true;
  /** How often it was written: of two states of one batch the newer one has the higher number. */
  revision?: number;
}

export const MAX_ITEMS = 2000;
/** The highest `parallel` of a batch or of a model in it. */
export const MAX_AT_ONCE = 16;
export const MAX_RETRIES = 5;
export const DEFAULT_RULES: BatchRules = {
  parallel: 4,
  parallelOf: {},
  order: "rows",
  stopAfterFailures: 3,
  retries: 0,
};

/** Whether the person agreed to a price for a run: from then on edits of the table leave it alone. */
export const isAgreed = (item: BatchItem): item is BatchItem & { priceMicroUsd: MicroUsd } =>
  item.priceMicroUsd !== undefined;

const texts = (raw: unknown): readonly string[] | undefined => {
  const all = asTexts(raw);
  return all.length > 0 ? all : undefined;
};

function readItem(raw: unknown, groupId: string): BatchItem | undefined {
  if (!isRecord(raw) || typeof raw.intentId !== "string") return undefined;
  if (raw.priceMicroUsd !== undefined && !isMicroUsd(raw.priceMicroUsd)) return undefined;
  const { request } = raw;
  if (!isRecord(request) || typeof request.model !== "string" || !isRecord(request.payload)) return undefined;
  const earlierIntentIds = texts(raw.earlierIntentIds);
  const unavailable = texts(raw.unavailable);
  const itemId = asFilledText(asRecord(raw.source).itemId);
  const use = asRecord(raw.source).use === "last-frame" ? "last-frame" : "file";
  return {
    // Version 1 had no ids beside the intents, and every run of it was agreed to.
    id: asFilledText(raw.id) ?? raw.intentId,
    groupId: asFilledText(raw.groupId) ?? groupId,
    request: { model: request.model, payload: request.payload },
    intentId: raw.intentId,
    ...(raw.priceMicroUsd === undefined ? {} : { priceMicroUsd: raw.priceMicroUsd }),
    ...(earlierIntentIds ? { earlierIntentIds } : {}),
    ...(unavailable ? { unavailable } : {}),
    ...(raw.isEdited === true ? { isEdited: true } : {}),
    ...(raw.isRejected === true ? { isRejected: true } : {}),
    ...(itemId === undefined ? {} : { source: { itemId, use } }),
  };
}

/** Axes as they were stored, or come in a file: untrusted. Undefined where they name no model. */
export function readAxes(raw: unknown): BatchAxes | undefined {
  if (!isRecord(raw)) return undefined;
  const models = asTexts(raw.models).filter((model) => model !== "");
  if (models.length === 0) return undefined;
  const parameters = asList(raw.parameters).flatMap((axis): ParameterAxis[] => {
    if (!isRecord(axis) || typeof axis.key !== "string" || !Array.isArray(axis.values)) return [];
    const { key, values, text } = axis;
    return [{ key, values, ...(typeof text === "string" ? { text } : {}) }];
  });
  const settings = Object.entries(asRecord(raw.settings)).filter(([, value]) => isRecord(value));
  return {
    models,
    settings: Object.fromEntries(settings) as Record<string, JsonRecord>,
    parameters,
    way: raw.way === "zip" ? "zip" : "product",
  };
}

function readGroup(raw: unknown): BatchGroup | undefined {
  const id = isRecord(raw) ? asFilledText(raw.id) : undefined;
  if (!isRecord(raw) || id === undefined) return undefined;
  const axes = readAxes(raw.axes);
  return {
    id,
    name: asFilledText(raw.name) ?? "Runs",
    kind: asOneOf(raw.kind, GROUP_KINDS) ?? "runs",
    ...(axes ? { axes } : {}),
  };
}

const clampedInteger = (raw: unknown, min: number, max: number): number | undefined => {
  const number = asNumber(raw);
  return number === undefined ? undefined : Math.min(max, Math.max(min, Math.round(number)));
};

/** Rules as they were stored, or come in a file: untrusted. What cannot be read is as in a new batch. */
export function readRules(raw: unknown): BatchRules {
  const rules = asRecord(raw);
  const parallelOf = Object.entries(asRecord(rules.parallelOf)).flatMap(([model, value]) => {
    const max = clampedInteger(value, 1, MAX_AT_ONCE);
    return max === undefined ? [] : [[model, max] as const];
  });
  const stopAfterFailures = clampedInteger(rules.stopAfterFailures, 1, MAX_ITEMS);
  return {
    parallel: clampedInteger(rules.parallel, 1, MAX_AT_ONCE) ?? DEFAULT_RULES.parallel,
    parallelOf: Object.fromEntries(parallelOf),
    order: asOneOf(rules.order, ORDERS) ?? "rows",
    ...(stopAfterFailures === undefined ? {} : { stopAfterFailures }),
    ...(isMicroUsd(rules.stopAtMicroUsd) ? { stopAtMicroUsd: rules.stopAtMicroUsd } : {}),
    ...(rules.stopAtStar === true ? { stopAtStar: true } : {}),
    retries: clampedInteger(rules.retries, 0, MAX_RETRIES) ?? 0,
  };
}

/** How a batch is stored. One with a run that cannot be read is not read at all: a run must not vanish silently. */
export const batchRows: RowKind<Batch> = {
  store: "batches",
  version: ROW_VERSIONS.batches,
  read: (raw) => {
    if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.createdAtMs !== "number") return undefined;
    if (!Array.isArray(raw.items)) return undefined;
    const groups = asList(raw.groups).flatMap((group) => readGroup(group) ?? []);
    if (groups.length === 0) groups.push({ id: raw.id, name: "Runs", kind: "runs" });
    const first = groups[0]?.id ?? raw.id;
    const items = raw.items.map((item) => readItem(item, first));
    if (items.some((item) => item === undefined)) return undefined;
    const known = new Set(groups.map(({ id }) => id));
    return {
      id: raw.id,
      name: asFilledText(raw.name) ?? "",
      createdAtMs: raw.createdAtMs,
      groups,
      items: (items as BatchItem[]).map((item) => (known.has(item.groupId) ? item : { ...item, groupId: first })),
      // Version 1 had one number in place of rules.
      rules: readRules(raw.rules ?? { ...DEFAULT_RULES, stopAfterFailures: undefined, parallel: raw.concurrency }),
      ...(typeof raw.projectId === "string" ? { projectId: raw.projectId } : {}),
      ...(raw.isDismissed === true ? { isDismissed: true } : {}),
      ...(typeof raw.revision === "number" ? { revision: raw.revision } : {}),
    };
  },
};

/** The key of a batch's row: account and id. */
export const batchKey = (accountId: string, id: string) => `${accountId}|${id}`;
