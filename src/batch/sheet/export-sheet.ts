import type { MediaItem } from "#api/types.ts";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
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

/** A result as it stands in an exported sheet. */
export interface ExportCell {
  id: string;
  /** The first file of its run; undefined where it made nothing that can be shown. */
  file: MediaItem | undefined;
  requestId: string | undefined;
  createdAtSeconds: number | undefined;
  /** Shown in place of a file: the state of the run. */
  word: string;
  /** How many more files its job has, which the sheet does not show. */
  moreFiles: number;
  /** Width over height. */
  aspect: number;
  /** How it differs from the results beside it; may be empty. */
  lead: string;
  /** The lines under the picture. */
  captions: readonly string[];
  /** All its settings and its outcome. */
  facts: readonly (readonly [label: string, value: string])[];
}

/** A sheet with everything that an export writes. All texts and addresses are untrusted. */
export interface ExportSheet {
  title: string;
  /** "12 runs, 10 with a result". */
  summary: string;
  columnsLabel: string | undefined;
  rowsLabel: string | undefined;
  columns: readonly (AxisValue & { note: string | undefined })[];
  rows: readonly { heading: (AxisValue & { note: string | undefined }) | undefined; cells: readonly ExportCell[][] }[];
  /** Results side by side, for a sheet without columns. */
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
  /** Today's price of a draft. */
  getTodaysPrice: (result: ItemView) => MicroUsd | undefined;
  noteOf: (value: AxisValue, side: "columns" | "rows") => string | undefined;
  /** The parameters of a run, in words. */
  factsOf: (result: ItemView) => readonly (readonly [label: string, value: string])[];
}

const MAX_PER_LINE = 6;

/** Arranges some results by the axes of the screen. */
export function exportSheet(options: ExportOptions): ExportSheet {
  const { results, chosen, noteOf } = options;
  const byId = new Map(results.map((result) => [result.item.id, createCell(result, options)]));
  const layout = layoutSheet([...byId.keys()], chosen);
  const withNote = (side: "columns" | "rows") => (value: AxisValue) => ({ ...value, note: noteOf(value, side) });
  const done = results.filter(isDone).length;
  return {
    title: options.title,
    summary: `${counted(results.length, "run")}, ${formatNumber(done)} with a result`,
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

function createCell(result: ItemView, options: ExportOptions): ExportCell {
  const { telling, seedAxis, captions, getTodaysPrice } = options;
  const { item, state, job } = result;
  const { id } = item;
  const { model, payload } = item.request;
  const files = filesMade(result);
  const requestId = sentJobId(state);
  const words = captionWords(result, getTodaysPrice(result));
  const seed = getResultSeed(result, seedAxis);
  const prompt = jobPrompt(payload);
  const texts: Record<CaptionPart, string | undefined> = {
    prompt: prompt === undefined ? undefined : visibleLine(prompt, 160),
    model: visibleLine(model, 80),
    seed: seed === undefined ? undefined : `${CAPTION_WORDS.seed} ${seed}`,
    price: words.price,
    time: words.time,
  };
  const getCaption = (part: CaptionPart) => (captions.includes(part) ? texts[part] : undefined);
  const lastLine = [getCaption("seed"), getCaption("price"), getCaption("time")]
    .filter((text) => text !== undefined)
    .join("   ");
  const price = getResultPrice(result, getTodaysPrice(result));
  const [file] = isDone(result) ? files : [];
  // Audio has no preview, and must not count as a missing one.
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
    captions: [getCaption("prompt"), getCaption("model"), lastLine].filter(
      (text): text is string => text !== undefined && text !== "",
    ),
    facts: [
      ["Model", visibleLine(model, 120)],
      ...options.factsOf(result),
      ["Price", price === undefined ? "Price unknown" : formatMicroUsd(price)],
      ...(words.time === undefined ? [] : [[CAPTION_WORDS.time, words.time] as const]),
      ["Status", stateText(result)],
      ...(requestId === undefined ? [] : [["Job ID", requestId] as const]),
    ],
  };
}

/** Every cell of an exported sheet, in reading order. */
export const getSheetCells = ({ rows }: Pick<ExportSheet, "rows">): ExportCell[] =>
  rows.flatMap(({ cells }) => cells.flat());
