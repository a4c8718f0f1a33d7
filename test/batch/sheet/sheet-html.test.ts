// @ts-expect-error It comes without types.
import { JSDOM } from "jsdom";
import { expect, test } from "vitest";
import type { ExportCell, ExportSheet } from "#batch/sheet/export-sheet.ts";
import { sheetHtml } from "#batch/sheet/sheet-html.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

const cell = (id: string, text: string): ExportCell => ({
  id,
  file: { id, kind: "image", url: "https://files.example.com/a.png" },
  requestId: id,
  createdAtSeconds: undefined,
  word: text,
  moreFiles: 0,
  aspect: 1,
  lead: text,
  captions: [text],
  facts: [
    ["Prompt", text],
    [text, text],
  ],
});

const sheetOf = (text: string): ExportSheet => ({
  title: text,
  summary: text,
  columnsLabel: text,
  rowsLabel: text,
  columns: [{ id: "c", title: text, detail: text, note: text }],
  rows: [
    { heading: { id: "r", title: text, detail: text, note: text }, cells: [[cell("one", text), cell("two", text)]] },
  ],
  perLine: 2,
  count: 2,
});

const Parser: typeof DOMParser = new JSDOM().window.DOMParser;
const parse = (html: string) => new Parser().parseFromString(html, "text/html");
const shape = (page: Document) =>
  [...page.querySelectorAll("*")].map(
    (element) => `${element.tagName} ${[...element.attributes].map(({ name }) => name)}`,
  );

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "<script>alert(1)</script>",
        '"><img src=x onerror=x>',
        "</title>",
        "</style>",
        "<!--",
        "-->",
        "]]>",
        "&lt;",
        "'",
        "\u202e",
        "javascript:",
        "<svg/onload=x>",
        "</td>",
        "\0",
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join("")),
);

test("no text of a batch becomes an element or an attribute, whatever it is", async () => {
  const plain = shape(
    parse(await sheetHtml(sheetOf("x"), { pictures: new Map([["one", PICTURE]]), missing: new Map([["two", "x"]]) })),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      fc.pre(text !== "");
      const pictures = new Map([["one", PICTURE]]);
      const page = parse(await sheetHtml(sheetOf(text), { pictures, missing: new Map([["two", text]]) }));
      expect(shape(page)).toEqual(plain);
    }),
    { numRuns: cases(150) },
  );
});

test("only pictures in the file are shown, never an address", async () => {
  for (const address of [
    "https://evil.example/a.png",
    "data:image/svg+xml;base64,AAAA",
    `${PICTURE}" onload="x`,
    "data:text/html;base64,AAAA",
  ]) {
    const page = parse(await sheetHtml(sheetOf("x"), { pictures: new Map([["one", address]]), missing: new Map() }));
    expect(page.querySelectorAll("img")).toHaveLength(0);
  }
});

test("it is a real table with its headings, alone and without scripts", async () => {
  const html = await sheetHtml(sheetOf("Lighthouse"), {
    pictures: new Map([["one", PICTURE]]),
    missing: new Map([["two", "Expired"]]),
  });
  const page = parse(html);
  expect(page.querySelector("th[scope=col]")?.textContent).toContain("Lighthouse");
  expect(page.querySelector("th[scope=row]")?.textContent).toContain("Lighthouse");
  expect(page.querySelectorAll("script, link, iframe, form")).toHaveLength(0);
  expect(page.querySelector("img")?.alt).toBe("Lighthouse");
  expect(page.querySelector(".empty")?.textContent).toContain("Expired");
  const policy = page.querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content");
  expect(policy).toMatch(
    /^default-src 'none'; img-src data:; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; form-action 'none'$/,
  );
  expect(html).not.toMatch(/ style=| on[a-z]+=/);
});
