import { counted } from "#lib/numbers.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { ExportCell, ExportSheet } from "./export-sheet.ts";

interface SheetPictures {
  /** `data:` addresses by the id of a cell. */
  pictures: ReadonlyMap<string, string>;
  /** Why a cell with a file has no picture, by the id of the cell. */
  missing: ReadonlyMap<string, string>;
}

const STYLE = `:root{color-scheme:light dark;--canvas:#faf9f8;--panel:#fff;--line:#d8d5d2;--ink:#242220;--quiet:#5f5b57}
@media (prefers-color-scheme:dark){:root{--canvas:#121110;--panel:#1b1a18;--line:#3a3734;--ink:#f4f2f0;--quiet:#b3aeaa}}
body{margin:0;padding:24px;background:var(--canvas);color:var(--ink);font:.875rem/1.45 system-ui,sans-serif}
h1{margin:0 0 2px;font-size:1.1875rem}
p{margin:0}
.quiet{color:var(--quiet);font-weight:400}
.wrap{margin-top:18px;overflow-x:auto}
table{border-collapse:separate;border-spacing:14px 18px;margin:0 -14px}
th,td{text-align:start;vertical-align:top;font-weight:600;overflow-wrap:anywhere}
td{font-weight:400;width:320px;min-width:180px}
th[scope=row]{min-width:110px;max-width:200px}
th span{display:block}
figure{margin:0 0 12px}
img{display:block;max-width:100%;height:auto;border-radius:.5rem}
.empty{display:grid;place-items:center;min-height:140px;padding:12px;border:1px solid var(--line);border-radius:.5rem;background:var(--panel);color:var(--quiet);text-align:center}
figcaption{margin-top:6px;font-size:.8125rem}
summary{cursor:pointer;color:var(--quiet);font-size:.8125rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:2px 12px;margin:6px 0 0;font-size:.8125rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}`;

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for HTML, for elements and attributes. */
const escapeHtml = (text: string): string => visibleText(text).replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

/** The content security policy of the file: only the pictures and the style that are in it. */
async function contentPolicy(): Promise<string> {
  // On a plain http page the browser cannot hash. The file has only this one style in any case.
  const hash = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(STYLE));
  const style = hash ? `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'` : "'unsafe-inline'";
  return `default-src 'none'; img-src data:; style-src ${style}; base-uri 'none'; form-action 'none'`;
}

/** Whether an address is a `data:` picture. Nothing else may become the source of an image. */
const isPicture = (address: string | undefined): address is string =>
  address !== undefined && /^data:image\/(webp|jpeg|png);base64,[A-Za-z0-9+/=]+$/.test(address);

/**
 * A sheet as one HTML file that also opens offline: a table with headings, without scripts, and with nothing loaded from
 * elsewhere. All texts are untrusted and escaped.
 */
export async function sheetHtml(sheet: ExportSheet, { pictures, missing }: SheetPictures): Promise<string> {
  const cell = (one: ExportCell) => figure(one, pictures.get(one.id), missing.get(one.id));
  const heading = (value: { title: string; detail: string; note: string | undefined }) =>
    [escapeHtml(value.title), ...[value.detail, value.note].map((text) => (text ? quiet(text) : ""))].join("");
  const hasHeadings = sheet.rows.some((row) => row.heading);
  const head =
    sheet.columns.length === 0
      ? ""
      : `<thead><tr>${hasHeadings ? `<td>${quiet(axesText(sheet))}</td>` : ""}${sheet.columns
          .map((value) => `<th scope="col">${heading(value)}</th>`)
          .join("")}</tr></thead>`;
  const rows = sheet.rows.flatMap(({ heading: value, cells }) => {
    const lines = sheet.columns.length > 0 ? [cells] : chunks(cells.flat(), sheet.perLine);
    return lines.map((line, at) => {
      const first = hasHeadings
        ? value && at === 0
          ? `<th scope="row"${lines.length > 1 ? ` rowspan="${lines.length}"` : ""}>${heading(value)}</th>`
          : at === 0
            ? "<td></td>"
            : ""
        : "";
      return `<tr>${first}${line.map((group) => `<td>${group.map(cell).join("")}</td>`).join("")}</tr>`;
    });
  });
  const title = escapeHtml(sheet.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(await contentPolicy())}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="quiet">${escapeHtml(sheet.summary)}</p>
<div class="wrap">
<table>
${head}
<tbody>
${rows.join("\n")}
</tbody>
</table>
</div>
</body>
</html>
`;
}

const quiet = (text: string) => `<span class="quiet">${escapeHtml(text)}</span>`;

/** "Prompt by Model": the corner of the table. */
const axesText = ({ columnsLabel, rowsLabel }: ExportSheet) =>
  [rowsLabel, columnsLabel].filter((label) => label !== undefined).join(" by ");

/** Lines of `size` cells, each cell alone in its column. */
const chunks = (cells: readonly ExportCell[], size: number): ExportCell[][][] =>
  Array.from({ length: Math.ceil(cells.length / size) }, (_, at) =>
    cells.slice(at * size, (at + 1) * size).map((cell) => [cell]),
  );

function figure(cell: ExportCell, picture: string | undefined, missing: string | undefined): string {
  const words = cell.facts.find(([label]) => label === "Prompt")?.[1] ?? cell.word;
  const shown = isPicture(picture)
    ? `<img src="${picture}" alt="${escapeHtml(words)}" loading="lazy">`
    : `<div class="empty">${escapeHtml(cell.file ? (missing ?? "No preview") : cell.word)}</div>`;
  const more = cell.moreFiles > 0 ? [`1 of ${counted(cell.moreFiles + 1, "file")}`] : [];
  const lines = [...(cell.lead === "" ? [] : [cell.lead]), ...cell.captions, ...more];
  const facts = cell.facts
    .map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join("");
  return `<figure>${shown}<figcaption>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("")}<details><summary>Settings</summary><dl>${facts}</dl></details></figcaption></figure>`;
}
