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
  pricedOf: (result: ItemView) => MicroUsd | undefined;
  noteOf: (value: AxisValue, of: "columns" | "rows") => string | undefined;
}

export interface SheetExports {
  /** Each with the results that go into it, in the order of the table. Call them from a press. */
  png(results: readonly ItemView[]): void;
  html(results: readonly ItemView[]): void;
  zip(results: readonly ItemView[]): void;
}

/** A page of this many characters opens nowhere smoothly. */
const LONGEST_HTML = 150e6;
/** A value of a parameter in the facts of a web page. */
const LONGEST_FACT = 2000;

/** The exports of a sheet. A failure is a sentence on the screen, and what is missing in a file is said with it. */
export function useSheetExports({ sheet, captions, ...options }: SheetExportsOptions): SheetExports {
  const { batch, schemas } = useBatchDocument();
  const title = visibleLine(batchTitle(batch), 120);

  const sheetOf = (results: readonly ItemView[]): ExportSheet =>
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
            [getParameterLabel(schema, key), visibleText(cellText(value).slice(0, LONGEST_FACT))] as const,
        );
      },
    });
  const wanted = (one: ExportSheet) => getSheetCells(one).filter(({ file }) => file).length;

  return {
    png: (results) =>
      void runExport("Image", async (progress) => {
        const one = sheetOf(results);
        const { blob, missing } = await drawSheet(one, progress);
        const name = exportName(title, "png");
        saveBlob(blob, name);
        return {
          name,
          missing: missingText(
            missing.map(({ word }) => word),
            wanted(one),
          ),
        };
      }),
    html: (results) =>
      void runExport("Web page", async (progress) => {
        const one = sheetOf(results);
        const pictures = new Map<string, string>();
        let length = 0;
        const missing = await forEachPicture(
          getSheetCells(one),
          ({ id }, { bytes, type }) => {
            const address = `data:${type};base64,${base64(bytes)}`;
            length += address.length;
            if (length > LONGEST_HTML) {
              throw new ExportError("This sheet is too large for one web page. Select fewer results.");
            }
            pictures.set(id, address);
          },
          progress,
        );
        refuseEmpty(wanted(one), missing);
        const words = new Map(missing.map(({ id, word }) => [id, word]));
        const html = await sheetHtml(one, { pictures, missing: words });
        progress.signal.throwIfAborted();
        const name = exportName(title, "html");
        saveBlob(new Blob([html], { type: "text/html" }), name);
        return { name, missing: missingText([...words.values()], wanted(one)) };
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
            priceMicroUsd: getResultPrice(result, options.pricedOf(result)),
          })),
          template: nameTemplate(),
          csv: (csvRows) => writeCsv(csvRows, schemas),
          failures,
          ...progress,
        });
        await saveZip(entries, name, target);
        const total = results.reduce((sum, result) => sum + filesMade(result).length, 0);
        const missing = missingText(failures, total);
        return { name, missing: missing && `${missing} They are listed in errors.txt.` };
      }),
  };
}

const CHUNK = 0x8000;

function base64(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  let text = "";
  for (let at = 0; at < all.length; at += CHUNK) text += String.fromCharCode(...all.subarray(at, at + CHUNK));
  return btoa(text);
}
