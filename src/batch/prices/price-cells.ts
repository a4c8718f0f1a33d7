// The cells of a price table, and everything that is said about their prices. All prices are in micro-USD.

import type { JobRequest } from "#api/types.ts";
import { csvText } from "#lib/csv-cell.ts";
import { parseDollars } from "#lib/dollars.ts";
import { formatMicroUsd, type MicroUsd, plainDollars } from "#lib/money.ts";
import { formatNumber } from "#lib/numbers.ts";
import { asLooseNumber, type JsonRecord, sameJson, withKey } from "#lib/read.ts";
import { effectiveValue } from "#runs/prices/estimate-queries.ts";
import type { PriceProgress } from "#runs/prices/row-prices.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { axisFields, lowerFirst, type PriceAxes, settingWords } from "./price-axes.ts";

/** One combination of the two axes. */
export interface PriceCell {
  row: number;
  column: number;
  /** The request whose price the service is asked for. */
  request: JobRequest;
  /** The payload that a person would run: without stand-ins for a missing prompt or picture. */
  payload: JsonRecord;
  /** Why the model does not take it, in a sentence. */
  problem: string | undefined;
  /** Its two values are those of the person's own settings. */
  isYours: boolean;
}

/** The price of a cell; `off`: the combination is not available. */
export type CellPrice =
  | { state: "pricing" }
  | { state: "priced"; priceMicroUsd: MicroUsd }
  | { state: "off"; why: string };

/** The payload that all cells start from. */
export interface BasePayload {
  payload: JsonRecord;
  /** The payload with stand-ins for what is required and missing. */
  complete: JsonRecord;
  /** Labels of the parameters with a stand-in: "prompt". */
  standIns: readonly string[];
}

/** Stand-ins for a prompt and an image. By the specification neither moves a price. */
const SAMPLE_TEXT = "A sample";
const SAMPLE_FILES = { image: "sample.png", video: "sample.mp4", audio: "sample.mp3", file: "sample.png" } as const;

/** A stand-in for a required value; undefined where there can be none. */
function standIn(field: Field | undefined): unknown {
  if (field?.kind === "text") return SAMPLE_TEXT;
  if (field?.kind !== "media") return undefined;
  const address = `https://example.com/${SAMPLE_FILES[field.media]}`;
  return field.shape === "many" ? [address] : address;
}

/** Makes the payload of a draft fit to be priced: leaves out what the model does not take, and adds stand-ins. */
export function basePayload(schema: FormSchema, draft: JsonRecord): BasePayload {
  let payload = withStartingValues(schema, draft);
  for (const { path, missing } of checkPayload(schema, payload)) {
    const [key] = path;
    if (!missing && key !== undefined) payload = without(payload, String(key));
  }
  let complete = payload;
  const standIns: string[] = [];
  for (const { path, missing, label } of checkPayload(schema, payload)) {
    const [key] = path;
    const value = standIn(schema.fields.find((field) => field.key === key));
    if (!missing || path.length !== 1 || value === undefined) continue;
    complete = withKey(complete, String(key), value);
    standIns.push(lowerFirst(label));
  }
  return { payload, complete, standIns };
}

function without(payload: JsonRecord, key: string): JsonRecord {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== key));
}

/** Every combination of the two axes, row by row; a single cell without axes. */
export function priceCells(
  { model, schema }: { model: string; schema: FormSchema },
  { payload, complete }: BasePayload,
  { rows, columns }: PriceAxes,
): PriceCell[] {
  const one = [undefined];
  return (rows?.values ?? one).flatMap((down, row) =>
    (columns?.values ?? one).map((across, column): PriceCell => {
      const withAxes = (base: JsonRecord) => {
        const withRow = rows && down ? withKey(base, rows.field.key, down.value) : base;
        return columns && across ? withKey(withRow, columns.field.key, across.value) : withRow;
      };
      const priced = withAxes(complete);
      const isYours =
        (!rows || !down || sameJson(effectiveValue(rows.field, payload), down.value)) &&
        (!columns || !across || sameJson(effectiveValue(columns.field, payload), across.value));
      return {
        row,
        column,
        request: { model, payload: priced },
        payload: withAxes(payload),
        problem: checkPayload(schema, priced)[0]?.message,
        isYours,
      };
    }),
  );
}

/** The settings that all cells share and that may move the price, in words. */
export function commonSettings(schema: FormSchema, base: BasePayload, { rows, columns }: PriceAxes): string[] {
  const priceFields = new Set(axisFields(schema));
  const others = schema.fields.filter(
    (field) => priceFields.has(field) && field !== rows?.field && field !== columns?.field,
  );
  const words = others.flatMap((field) => {
    const value = effectiveValue(field, base.payload);
    return value === undefined || value === null ? [] : settingWords(field, value);
  });
  return [...words, ...base.standIns.map((label) => `a sample ${label}`)];
}

/** Facts about all prices of a table together. */
export interface TableFacts {
  lowest: MicroUsd | undefined;
  highest: MicroUsd | undefined;
  /** The first cell with the lowest price, and with the highest. */
  lowestCell: PriceCell | undefined;
  highestCell: PriceCell | undefined;
  /** Highest over lowest: "9.6×". Undefined until all prices are known, and where they are equal or the lowest is 0. */
  ratio: string | undefined;
  /** Every cell has a price or is not available. */
  isWhole: boolean;
  /** Labels of the axes along which no price changes. */
  unmoved: readonly string[];
}

/** Finds the lowest and highest price, and the axes that do not change prices. */
export function tableFacts(
  cells: readonly PriceCell[],
  priceOf: (cell: PriceCell) => CellPrice,
  { rows, columns }: PriceAxes,
): TableFacts {
  const priced = cells.flatMap((cell) => {
    const price = priceOf(cell);
    return price.state === "priced" ? { ...cell, cell, price: price.priceMicroUsd } : [];
  });
  const isWhole = cells.every((cell) => priceOf(cell).state !== "pricing");
  const prices = priced.map(({ price }) => price);
  const lowest = prices.length === 0 ? undefined : Math.min(...prices);
  const highest = prices.length === 0 ? undefined : Math.max(...prices);
  const isUnmoved = (line: "row" | "column") => {
    const lines = new Map<number, typeof priced>();
    for (const cell of priced) lines.set(cell[line], [...(lines.get(cell[line]) ?? []), cell]);
    const comparable = [...lines.values()].filter((group) => group.length > 1);
    const isEqual = (group: typeof priced) => group.every(({ price }) => price === group[0]?.price);
    return isWhole && comparable.length > 0 && comparable.every(isEqual);
  };
  return {
    lowest,
    highest,
    lowestCell: priced.find(({ price }) => price === lowest)?.cell,
    highestCell: priced.find(({ price }) => price === highest)?.cell,
    ratio:
      isWhole && lowest && highest && highest > lowest
        ? `${formatNumber(Number((highest / lowest).toFixed(1)))}×`
        : undefined,
    isWhole,
    // The row axis is what changes within a column.
    unmoved: [
      ...(rows && isUnmoved("column") ? [rows.field.label] : []),
      ...(columns && isUnmoved("row") ? [columns.field.label] : []),
    ],
  };
}

/**
 * The words beside the price of a cell: "Lowest", "Your settings, highest, 9.6×". Of several cells with the lowest or highest
 * price, the first and the person's own have the words.
 */
export function cellTag(cell: PriceCell, price: CellPrice, facts: TableFacts): string | undefined {
  const { lowest, highest, lowestCell, highestCell, ratio } = facts;
  const isExtreme = (extreme: number | undefined, first: PriceCell | undefined) =>
    price.state === "priced" &&
    ratio !== undefined &&
    price.priceMicroUsd === extreme &&
    (cell.isYours || cell === first);
  const [first, second] = [
    cell.isYours ? "Your settings" : undefined,
    isExtreme(lowest, lowestCell) ? "Lowest" : isExtreme(highest, highestCell) ? `Highest, ${ratio}` : undefined,
  ].filter((word) => word !== undefined);
  return second === undefined ? first : `${first}, ${second.charAt(0).toLowerCase()}${second.slice(1)}`;
}

/** The share of ink where all prices are equal. */
const EQUAL_PRICES_HEAT = 7;

/** The share of ink in a cell's background, 4 to 27 %, growing with the logarithm of price over lowest price. */
export function getCellHeat(price: MicroUsd, { lowest, highest }: TableFacts): number {
  if (lowest === undefined || highest === undefined || highest <= lowest) return EQUAL_PRICES_HEAT;
  const base = Math.max(1, lowest);
  return 4 + (23 * Math.log(Math.max(base, price) / base)) / Math.log(highest / base);
}

const RESULTS: Record<string, string> = { image: "image", video: "video", audio: "audio file" };

/** What a model makes, in a word: "video", "image", else "result". */
export const resultWord = (type: string | undefined) => RESULTS[type ?? ""] ?? "result";

/** How many results a payload asks for (1 where it does not say), and how many seconds. */
export function getRequestedAmounts(
  schema: FormSchema,
  payload: JsonRecord,
): { results: number; seconds: number | undefined } {
  const amount = (role: "count" | "duration") => {
    const field = schema.fields.find((one) => one.role === role);
    const value = field && asLooseNumber(effectiveValue(field, payload));
    return value !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
  };
  return { results: amount("count") ?? 1, seconds: amount("duration") };
}

/** "$0.06 per second", or per result, where the price divides exactly; undefined where it does not, or there is only one. */
export function unitPrice(
  price: MicroUsd,
  { results, seconds }: { results: number; seconds: number | undefined },
  word: string,
): string | undefined {
  const all = results * (seconds ?? 1);
  if (seconds !== undefined && seconds > 1 && price % all === 0) return `${formatMicroUsd(price / all)} per second`;
  return results > 1 && price % results === 0 ? `${formatMicroUsd(price / results)} per ${word}` : undefined;
}

/** A table of prices with everything that is said about it. */
export interface PriceTable {
  modelId: string;
  type: string | undefined;
  schema: FormSchema;
  axes: PriceAxes;
  base: BasePayload;
  /** The cells in the order of the table, row by row. */
  cells: readonly PriceCell[];
  priceOf: (cell: PriceCell) => CellPrice;
  facts: TableFacts;
  common: readonly string[];
  progress: PriceProgress;
  refresh: () => void;
}

/** The table as a CSV with exact prices in dollars. */
export function priceCsv({ axes: { rows, columns }, cells, priceOf }: PriceTable): string {
  const corner = [rows?.field.label, columns?.field.label].filter((label) => label !== undefined).join(" by ");
  const header = [`${corner || "Price"} (USD)`, ...(columns?.values.map(({ label }) => label) ?? ["Price"])];
  const lines = (rows?.values ?? [{ label: "" }]).map(({ label }, at) => [
    label,
    ...cells
      .filter(({ row }) => row === at)
      .map((cell) => {
        const price = priceOf(cell);
        if (price.state === "off") return "not available";
        return price.state === "priced" ? plainDollars(price.priceMicroUsd) : "";
      }),
  ]);
  return csvText([header, ...lines]);
}

/** What an amount pays for with one combination. */
export interface BudgetAnswer {
  /** Whole runs; undefined where they are free. */
  runs: number | undefined;
  /** The results of all runs together; undefined where runs are free. */
  results: number | undefined;
  totalMicroUsd: MicroUsd;
  cell: PriceCell;
  /** Why it is among the answers. */
  kind: "most" | "yours" | "most-expensive" | "other-model";
  /** Another model, for `other-model`. */
  modelId?: string;
}

/** An amount such as `5`, `0.50` or `$1,000` in micro-USD: nothing is charged by it, so marks between thousands may be there. */
export const readBudget = (text: string): MicroUsd | undefined =>
  parseDollars(text) ?? parseDollars(text.replace(/,(?=\d{3}\b)/g, ""));

/** How many whole runs of a price an amount pays for, and what they cost. */
export function runsFor(budget: MicroUsd, price: MicroUsd): Pick<BudgetAnswer, "runs" | "totalMicroUsd"> {
  if (price === 0) return { runs: undefined, totalMicroUsd: 0 };
  const runs = Math.floor(budget / price);
  return { runs, totalMicroUsd: runs * price };
}

/**
 * What an amount pays for with the cheapest settings per result, the person's own, the most expensive, and the cheapest other
 * model. Each combination is named once.
 */
export function budgetAnswers(
  budget: MicroUsd,
  { cells, priceOf, schema, facts }: Pick<PriceTable, "cells" | "priceOf" | "schema" | "facts">,
  yours: PriceCell | undefined,
  other: { id: string; priceMicroUsd: MicroUsd } | undefined,
): BudgetAnswer[] {
  const priceIn = (cell: PriceCell | undefined) => {
    const price: CellPrice | undefined = cell && priceOf(cell);
    return price?.state === "priced" ? price.priceMicroUsd : undefined;
  };
  const perResult = (cell: PriceCell) => {
    const price = priceIn(cell);
    return price === undefined
      ? Number.POSITIVE_INFINITY
      : price / getRequestedAmounts(schema, cell.request.payload).results;
  };
  // Starts with the person's own, which is named if others give as many results.
  const cheapest = cells.reduce<PriceCell | undefined>(
    (best, cell) => (best === undefined || perResult(cell) < perResult(best) ? cell : best),
    yours,
  );
  const isHighest = (cell: PriceCell | undefined) => priceIn(cell) === facts.highest;
  const mostExpensive = facts.highest === facts.lowest ? undefined : isHighest(yours) ? yours : facts.highestCell;
  const answers: BudgetAnswer[] = [];
  const add = (
    kind: BudgetAnswer["kind"],
    cell: PriceCell | undefined,
    price: MicroUsd | undefined,
    modelId?: string,
  ) => {
    if (cell === undefined || price === undefined) return;
    if (modelId === undefined && answers.some((answer) => answer.cell === cell)) return;
    const { runs, totalMicroUsd } = runsFor(budget, price);
    const { results } = getRequestedAmounts(schema, cell.request.payload);
    answers.push({
      runs,
      results: runs === undefined ? undefined : runs * results,
      totalMicroUsd,
      cell,
      kind,
      ...(modelId === undefined ? {} : { modelId }),
    });
  };
  // The person's own settings are named as such, even if they are the cheapest.
  if (cheapest !== yours) add("most", cheapest, priceIn(cheapest));
  add("yours", yours, priceIn(yours));
  add("most-expensive", mostExpensive, priceIn(mostExpensive));
  if (other) add("other-model", yours ?? cheapest, other.priceMicroUsd, other.id);
  return answers;
}
