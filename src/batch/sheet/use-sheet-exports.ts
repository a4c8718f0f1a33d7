import { getParameterLabel } from "#batch/rows/carry-axes.ts";
import { cellText } from "#batch/rows/cell-value.ts";
import { writeCsv } from "#batch/rows/csv-runs.ts";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { batchTitle } from "#batch/runner/batch-words.ts";
import type { MicroUsd } from "#lib/money.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { nameTemplate } from "#media/download/file-name.ts";
import { pickZipTarget, saveZip } from "#media/download/save-zip.ts";
import { runWords } from "#runs/status-words.ts";
import { useBatchDocument } from "../batch-document.ts";
import { drawSheet, forEachPicture, refuseEmpty } from "./draw-sheet.ts";
import { ExportError, missingText, runExport } from "./export-run.ts";
import { type ExportSheet, exportSheet, getSheetCells } from "./export-sheet.ts";
import { type AxisValue, getModelSchema } from "./sheet-axes.ts";
import { sheetHtml } from "./sheet-html.ts";
import { type CaptionPart, filesMade, getResultPrice } from "./sheet-results.ts";
import { exportName, sheetEntries } from "./sheet-zip.ts";
import type { Sheet } from "./use-sheet.ts";

interface SheetExportsOptions {
  sheet: Sheet;
  captions: readonly CaptionPart[];
  aspectOf: (result: ItemView) => number;
  /** Today's price of a draft. */
  getTodaysPrice: (result: ItemView) => MicroUsd | undefined;
  noteOf: (value: AxisValue, side: "columns" | "rows") => string | undefined;
}

export interface SheetExports {
  // `results`: in the order of the table. Call these from a press, since browsers ask for one before they save a file.
  png(results: readonly ItemView[]): void;
  html(results: readonly ItemView[]): void;
  zip(results: readonly ItemView[]): void;
}

/** Browsers hardly open a larger page, in characters. */
const MAX_HTML_CHARACTERS = 150e6;
/** Longer values of parameters are cut in the settings of a web page. */
const MAX_FACT_CHARACTERS = 2000;

/** The exports of a sheet. `runExport` shows failures and what is missing in a file. */
export function useSheetExports({ sheet, captions, ...options }: SheetExportsOptions): SheetExports {
  const { batch, schemas } = useBatchDocument();
  const title = visibleLine(batchTitle(batch), 120);

  const createSheet = (results: readonly ItemView[]): ExportSheet =>
    exportSheet({
      title,
      results,
      chosen: sheet.chosen,
      telling: sheet.telling,
      seedAxis: sheet.seedAxis,
      captions,
      ...options,
      factsOf: ({ item }) => {
        const schema = getModelSchema(schemas, item.request.model);
        return Object.entries(item.request.payload).map(
          ([key, value]) =>
            [getParameterLabel(schema, key), visibleText(cellText(value).slice(0, MAX_FACT_CHARACTERS))] as const,
        );
      },
    });
  const countFiles = (one: ExportSheet) => getSheetCells(one).filter(({ file }) => file).length;

  return {
    png: (results) =>
      void runExport("Image", async (progress) => {
        const one = createSheet(results);
        const { blob, missing } = await drawSheet(one, progress);
        const name = exportName(title, "png");
        saveBlob(blob, name);
        return {
          name,
          missing: missingText(
            missing.map(({ word }) => word),
            countFiles(one),
          ),
        };
      }),
    html: (results) =>
      void runExport("Web page", async (progress) => {
        const one = createSheet(results);
        const pictures = new Map<string, string>();
        let length = 0;
        const missing = await forEachPicture(
          getSheetCells(one),
          ({ id }, { bytes, type }) => {
            const address = `data:${type};base64,${base64(bytes)}`;
            length += address.length;
            if (length > MAX_HTML_CHARACTERS) {
              throw new ExportError("This sheet is too large for one web page. Select fewer results.");
            }
            pictures.set(id, address);
          },
          progress,
        );
        refuseEmpty(countFiles(one), missing);
        const words = new Map(missing.map(({ id, word }) => [id, word]));
        const html = await sheetHtml(one, { pictures, missing: words });
        progress.signal.throwIfAborted();
        const name = exportName(title, "html");
        saveBlob(new Blob([html], { type: "text/html" }), name);
        return { name, missing: missingText([...words.values()], countFiles(one)) };
      }),
    zip: (results) =>
      void runExport("Zip", async (progress) => {
        const name = exportName(title, "zip");
        const target = await pickZipTarget(name);
        if (!target) return undefined;
        const rows = new Map(batch.items.map(({ id }, at) => [id, at + 1]));
        const failures: string[] = [];
        const entries = sheetEntries({
          title,
          runs: results.map((result) => ({
            result,
            isStarred: sheet.isStarred(result),
            row: rows.get(result.item.id) ?? 0,
            status: runWords(result.state).word,
            priceMicroUsd: getResultPrice(result, options.getTodaysPrice(result)),
          })),
          template: nameTemplate(),
          csv: (csvRows) => writeCsv(csvRows, schemas),
          failures,
          ...progress,
        });
        await saveZip(entries, name, target);
        const total = results.reduce((sum, result) => sum + filesMade(result).length, 0);
        const missing = missingText(failures, total);
        return { name, missing: missing && `${missing} Details are in errors.txt.` };
      }),
  };
}

/** Bytes per call: more arguments at once would overflow the stack. */
const BASE64_CHUNK = 0x8000;

function base64(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  let text = "";
  for (let at = 0; at < all.length; at += BASE64_CHUNK)
    text += String.fromCharCode(...all.subarray(at, at + BASE64_CHUNK));
  return btoa(text);
}
