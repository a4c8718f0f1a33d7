import { RefusedError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { payloadKey } from "./estimate-queries.ts";
import { createLearnedPrices } from "./learned-prices.ts";
import { changedKeys, type PriceDependence } from "./price-dependence.ts";
import { isComplete, isFreeOfPrice, priceGroupKey, rowToCheck } from "./price-group-key.ts";

/** A price of the service for one payload. */
interface Told {
  request: JobRequest;
  priceMicroUsd: MicroUsd;
  /** Unix ms. */
  atMs: number;
  /** To be replaced: a newer price that differs is no contradiction. */
  isOld: boolean;
}

/** One distinct payload among the rows. */
export interface PriceRow {
  key: string;
  request: JobRequest;
  isComplete: boolean;
  /** How many askers want it. */
  wanted: number;
  /** Undefined while the parameters of its model load. */
  group: PriceGroup | undefined;
}

/** Rows that are assumed to cost the same. */
export interface PriceGroup {
  model: string;
  rows: Set<PriceRow>;
  /** What the service told, by the key of the row. All the same price, but for one that is just being replaced. */
  told: Map<string, Told>;
  refused: Map<string, Error>;
  /** Refusals in a row, and the last of them once nothing more is asked about this group. */
  refusals: number;
  error: Error | undefined;
  /** Its price is to be asked for again. */
  isOld: boolean;
}

interface Model {
  /** Undefined while it loads; `null` where it cannot be read, so that every payload is asked for. */
  schema: FormSchema | null | undefined;
  rows: Set<PriceRow>;
  groups: Map<string, PriceGroup>;
  signature: string;
  refusals: number;
  /** What the service said of the key or the model: nothing more is asked about it. */
  error: Error | undefined;
}

/** A group of so many rows is checked by a second estimate before anything is agreed to. */
const CHECKED_EARLY = 6;
/** After so many refusals in a row the rest of a group is given up, and after so many the rest of what a model has. */
const MOST_REFUSED_ROWS = 3;
const MOST_REFUSALS = 12;
/** So many groups of a model are held; those without a row are dropped first. */
const MOST_GROUPS = 4000;
/** Refusals that are about the key or the model: no other payload fares better (spec 7). */
const ABOUT_MODEL = new Set([401, 403, 404]);

const isAboutModel = (error: Error | undefined) => error instanceof RefusedError && ABOUT_MODEL.has(error.status);

const rowKeys = new WeakMap<JobRequest, string>();

/** One text per model and payload. Never throws. */
export function rowKeyOf(request: JobRequest): string {
  const key = rowKeys.get(request) ?? payloadKey([request.model, request.payload]);
  rowKeys.set(request, key);
  return key;
}

/**
 * The price groups of a connection: which rows share a price, what the service told of each group, and what it is to be
 * asked next. Nothing is asked here. Methods never throw.
 */
export function createPriceGroups(dependence: Pick<PriceDependence, "learnedOf">) {
  const learned = createLearnedPrices(dependence);
  const models = new Map<string, Model>();
  const rows = new Map<string, PriceRow>();

  function modelOf(id: string): Model {
    const fresh: Model = {
      schema: undefined,
      rows: new Set(),
      groups: new Map(),
      signature: "",
      refusals: 0,
      error: undefined,
    };
    const model = models.get(id) ?? fresh;
    models.set(id, model);
    return model;
  }
  function groupOf(request: JobRequest): PriceGroup {
    const model = modelOf(request.model);
    const key = priceGroupKey(request, model.schema ?? undefined, learned);
    const fresh: PriceGroup = {
      model: request.model,
      rows: new Set(),
      told: new Map(),
      refused: new Map(),
      refusals: 0,
      error: undefined,
      isOld: false,
    };
    const group = model.groups.get(key) ?? fresh;
    model.groups.set(key, group);
    return group;
  }
  function join(row: PriceRow) {
    row.group = groupOf(row.request);
    row.group.rows.add(row);
  }

  /** Drops prices that were replaced by a newer one. What is left and differs shows which parameters count after all. */
  function wrongAssumptions(group: PriceGroup): readonly string[] {
    const [newest, ...others] = [...group.told.values()].sort((a, b) => b.atMs - a.atMs);
    const different = others.filter((other) => other.priceMicroUsd !== newest?.priceMicroUsd);
    for (const [key, told] of group.told) if (told.isOld && different.includes(told)) group.told.delete(key);
    const contradiction = different.find((told) => !told.isOld);
    if (newest === undefined || contradiction === undefined) return [];
    const keys = changedKeys(contradiction.request.payload, newest.request.payload);
    // What the specification says is doubted last.
    const { schema } = modelOf(group.model);
    const free = new Set(schema?.fields.filter(isFreeOfPrice).map(({ key }) => key));
    const learnedOnly = keys.filter((key) => !free.has(key) && learned.effectOf(group.model, key) !== "distrusted");
    return learnedOnly.length > 0 ? learnedOnly : keys;
  }

  /** Puts every row and every price of a model into the groups that hold by what is known now. */
  function regroup(id: string) {
    const model = modelOf(id);
    const before = [...model.groups.values()];
    model.groups = new Map();
    for (const row of model.rows) join(row);
    for (const { told, refused, isOld } of before) {
      for (const [key, price] of told) {
        const group = groupOf(price.request);
        group.told.set(key, price);
        group.isOld ||= isOld;
      }
      for (const [key, error] of refused) rows.get(key)?.group?.refused.set(key, error);
    }
    model.signature = learned.signature(id);
    const wrong = new Set([...model.groups.values()].flatMap(wrongAssumptions));
    if (wrong.size > 0) distrust(id, [...wrong]);
  }

  function distrust(model: string, keys: readonly string[]) {
    learned.distrust(model, keys);
    if (modelOf(model).signature !== learned.signature(model)) regroup(model);
  }

  const isGivenUp = ({ model, rows: members, refused, error }: PriceGroup) =>
    error !== undefined || modelOf(model).error !== undefined || refused.size >= members.size;

  /** What a group is to be asked about next. */
  function needOf(group: PriceGroup): "price" | "again" | "check" | undefined {
    if (group.rows.size === 0) return undefined;
    if (group.told.size === 0) return isGivenUp(group) ? undefined : "price";
    if (group.isOld) return "again";
    return group.told.size < 2 && group.rows.size >= CHECKED_EARLY && !isGivenUp(group) ? "check" : undefined;
  }

  const completeFirst = (candidates: readonly PriceRow[]) => {
    const complete = candidates.filter((row) => row.isComplete);
    return complete.length > 0 ? complete : candidates;
  };
  const untried = ({ rows: members, told, refused }: PriceGroup) =>
    completeFirst([...members].filter(({ key }) => !told.has(key) && !refused.has(key)));

  /** The row whose price shows best whether what the group assumes is true; undefined where nothing is left to check. */
  function rowToCheckIn(group: PriceGroup): PriceRow | undefined {
    if (group.rows.size < 2 || isGivenUp(group)) return undefined;
    return rowToCheck(
      [...group.told.values()].map(({ request }) => request),
      untried(group),
    );
  }

  return {
    rows,
    needOf,
    rowToCheckIn,
    schemaOf: (model: string) => modelOf(model).schema,
    groupsOf: (model: string): Iterable<PriceGroup> => modelOf(model).groups.values(),

    /** The row that is asked for what its group needs. */
    rowToAsk(group: PriceGroup): PriceRow | undefined {
      const need = needOf(group);
      if (need === "check") return rowToCheckIn(group);
      if (need === "price") return untried(group)[0];
      const own = [...group.rows].find(({ key }) => group.told.has(key));
      return need === "again" ? (own ?? completeFirst([...group.rows])[0]) : undefined;
    },

    /** Another reading of a model's parameters. */
    setSchema(id: string, schema: FormSchema | null) {
      const model = modelOf(id);
      if (model.schema === schema) return;
      model.schema = schema;
      for (const row of model.rows) row.isComplete = isComplete(row.request, schema ?? undefined);
      regroup(id);
    },

    add(request: JobRequest): PriceRow {
      const key = rowKeyOf(request);
      const known = rows.get(key);
      if (known) return known;
      const model = modelOf(request.model);
      const whole = isComplete(request, model.schema ?? undefined);
      const row: PriceRow = { key, request, isComplete: whole, wanted: 0, group: undefined };
      rows.set(key, row);
      model.rows.add(row);
      if (model.schema !== undefined) join(row);
      // This payload may be what the service accepts.
      if (row.group) Object.assign(row.group, { refusals: 0, error: undefined });
      model.refusals = 0;
      return row;
    },

    /** A row that nobody wants. What the service told of it stays. */
    remove(row: PriceRow) {
      rows.delete(row.key);
      const { rows: members, groups } = modelOf(row.request.model);
      members.delete(row);
      row.group?.rows.delete(row);
      row.group?.refused.delete(row.key);
      if (groups.size <= MOST_GROUPS) return;
      for (const [key, group] of groups) if (group.rows.size === 0) groups.delete(key);
    },

    noteTold({ key, request }: PriceRow, priceMicroUsd: MicroUsd, atMs: number) {
      const model = modelOf(request.model);
      model.refusals = 0;
      if (model.schema) learned.noteTold(request, model.schema);
      const group = groupOf(request);
      if (group.isOld) for (const told of group.told.values()) told.isOld = true;
      group.told.set(key, { request, priceMicroUsd, atMs, isOld: false });
      group.refused.delete(key);
      Object.assign(group, { isOld: false, refusals: 0, error: undefined });
      const wrong = wrongAssumptions(group);
      if (wrong.length > 0) distrust(request.model, wrong);
      else if (model.signature !== learned.signature(request.model)) regroup(request.model);
    },

    noteRefusal({ key, request }: PriceRow, error: Error) {
      const model = modelOf(request.model);
      const group = groupOf(request);
      group.refused.set(key, error);
      // An older price is no price of what the service refuses now.
      if (group.isOld) group.told.clear();
      group.isOld = false;
      group.refusals += 1;
      model.refusals += 1;
      if (group.refusals >= MOST_REFUSED_ROWS) group.error = error;
      if (isAboutModel(error)) model.error = error;
      else if (model.refusals >= MOST_REFUSALS) {
        for (const other of model.groups.values()) if (other.told.size === 0) other.error ??= error;
      }
    },

    /** Everything about a group is to be asked again. */
    renew(group: PriceGroup) {
      group.isOld = group.told.size > 0;
      group.refused.clear();
      Object.assign(group, { refusals: 0, error: undefined });
      const model = modelOf(group.model);
      model.error = undefined;
      model.refusals = 0;
    },

    /** The price of a row by its group, or why there is none. Undefined while neither is known. */
    priceOf({ key, group }: PriceRow): { priceMicroUsd: MicroUsd; isOwn: boolean } | Error | undefined {
      if (group === undefined) return undefined;
      const refusal = group.refused.get(key);
      if (refusal) return refusal;
      const [told] = group.told.values();
      if (told) return { priceMicroUsd: told.priceMicroUsd, isOwn: group.told.has(key) };
      return modelOf(group.model).error ?? group.error;
    },
  };
}

/** When the price of a group was last told, Unix ms; undefined where it was not. Never throws. */
export function toldAtMsOf({ told }: PriceGroup): number | undefined {
  return told.size === 0 ? undefined : Math.max(...[...told.values()].map(({ atMs }) => atMs));
}
