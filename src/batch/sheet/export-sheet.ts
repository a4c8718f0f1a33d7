import type { MediaItem } from "#api/types.ts";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { type AxisValue, type SheetAxis, tellingWords } from "./sheet-axes.ts";
import { type ChosenAxes, layoutSheet } from "./sheet-layout.ts";
import {
  CAPTION_WORDS,
  type CaptionPart,
  captionWords,
  filesMade,
  getResultPrice,
  getResultSeed,
  isDone,
  stateText,
} from "./sheet-results.ts";

/** A result as an exported sheet shows it. */
export interface ExportCell {
  id: string;
  /** What is shown of it; undefined where its run made nothing. Of several files the first. */
  file: MediaItem | undefined;
  requestId: string | undefined;
  createdAtSeconds: number | undefined;
  /** What stands there without a file: its state. */
  word: string;
  /** Further files of its job, which the sheet does not show. */
  moreFiles: number;
  /** Width over height. */
  aspect: number;
  /** How it differs from the results beside it, and what stands under every cell, a line each. */
  lead: string;
  captions: readonly string[];
  /** Everything it was made with, label and value. */
  facts: readonly (readonly [label: string, value: string])[];
}

/** A sheet with everything that an export writes: plain texts, which are untrusted, and addresses of files. */
export interface ExportSheet {
  title: string;
  /** "12 runs, 10 with a result". */
  summary: string;
  columnsLabel: string | undefined;
  rowsLabel: string | undefined;
  columns: readonly (AxisValue & { note: string | undefined })[];
  rows: readonly { heading: (AxisValue & { note: string | undefined }) | undefined; cells: readonly ExportCell[][] }[];
  /** How many results stand side by side where the sheet has no columns. */
  perLine: number;
  count: number;
}

interface ExportOptions {
  title: string;
  /** The results in the order of the table. */
  results: readonly ItemView[];
  chosen: ChosenAxes;
  telling: readonly SheetAxis[];
  seedAxis: SheetAxis | undefined;
  captions: readonly CaptionPart[];
  aspectOf: (result: ItemView) => number;
  pricedOf: (result: ItemView) => MicroUsd | undefined;
  noteOf: (value: AxisValue, of: "columns" | "rows") => string | undefined;
  /** The parameters of a run in words, label and value. */
  factsOf: (result: ItemView) => readonly (readonly [label: string, value: string])[];
}

const MAX_PER_LINE = 6;

/** The sheet of some results, by the axes of the screen. */
export function exportSheet(options: ExportOptions): ExportSheet {
  const { results, chosen, noteOf } = options;
  const byId = new Map(results.map((result) => [result.item.id, cellOf(result, options)]));
  const layout = layoutSheet([...byId.keys()], chosen);
  const withNote = (of: "columns" | "rows") => (value: AxisValue) => ({ ...value, note: noteOf(value, of) });
  const done = results.filter(isDone).length;
  return {
    title: options.title,
    summary: `${results.length === 1 ? "1 run" : `${results.length} runs`}, ${done} with a result`,
    columnsLabel: chosen.columns?.label,
    rowsLabel: chosen.rows?.label,
    columns: layout.columns.map(withNote("columns")),
    rows: layout.rows.map(({ heading, cells }) => ({
      heading: heading && withNote("rows")(heading),
      cells: cells.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
    })),
    perLine: Math.min(MAX_PER_LINE, Math.max(1, Math.ceil(Math.sqrt(results.length)))),
    count: results.length,
  };
}

function cellOf(result: ItemView, options: ExportOptions): ExportCell {
  const { telling, seedAxis, captions, pricedOf } = options;
  const { item, state, job } = result;
  const { id } = item;
  const { model, payload } = item.request;
  const files = filesMade(result);
  const requestId = sentJobId(state);
  const words = captionWords(result, pricedOf(result));
  const seed = getResultSeed(result, seedAxis);
  const prompt = jobPrompt(payload);
  const texts: Record<CaptionPart, string | undefined> = {
    prompt: prompt === undefined ? undefined : visibleLine(prompt, 160),
    model: visibleLine(model, 80),
    seed: seed === undefined ? undefined : `${CAPTION_WORDS.seed} ${seed}`,
    price: words.price,
    time: words.time,
  };
  const of = (part: CaptionPart) => (captions.includes(part) ? texts[part] : undefined);
  const last = [of("seed"), of("price"), of("time")].filter((text) => text !== undefined).join("   ");
  const price = getResultPrice(result, pricedOf(result));
  const [file] = isDone(result) ? files : [];
  // A sound has no picture that could be missing.
  const isSound = file?.kind === "audio";
  return {
    id,
    file: isSound ? undefined : file,
    requestId,
    createdAtSeconds: job?.createdAtSeconds,
    word: isSound ? "Audio" : stateText(result),
    moreFiles: isDone(result) ? Math.max(0, files.length - 1) : 0,
    aspect: options.aspectOf(result),
    lead: tellingWords(telling, id),
    captions: [of("prompt"), of("model"), last].filter((text): text is string => text !== undefined && text !== ""),
    facts: [
      ["Model", visibleLine(model, 120)],
      ...options.factsOf(result),
      ["Price", price === undefined ? "Price unknown" : formatMicroUsd(price)],
      ...(words.time === undefined ? [] : [["Time", words.time] as const]),
      ["Status", stateText(result)],
      ...(requestId === undefined ? [] : [["Job ID", requestId] as const]),
    ],
  };
}

/** Every cell of an exported sheet, in reading order. */
export const getSheetCells = ({ rows }: Pick<ExportSheet, "rows">): ExportCell[] =>
  rows.flatMap(({ cells }) => cells.flat());
