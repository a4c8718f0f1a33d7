import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { licencesText } from "../../.build/licences.ts";

const part = (more: object) => ({
  name: "a",
  version: "1.0.0",
  license: "ISC",
  licenseText: "Permission to use, a.",
  repository: "git+https://git.example/a.git",
  source: "https://registry.example/a-1.0.0.tgz",
  ...more,
});

test("each part is listed with its version, licence, sources and the whole text", () => {
  const text = licencesText([part({ name: "b", licenseText: "Text of b." }), part({})]);
  expect(text).toContain(
    "\na 1.0.0, ISC\nhttps://git.example/a\nhttps://registry.example/a-1.0.0.tgz\n\nPermission to use, a.",
  );
  expect(text.indexOf("\na 1.0.0")).toBeLessThan(text.indexOf("\nb 1.0.0"));
});

test("a part under MIT without a text gets the text of MIT with its author", () => {
  const bare = { license: "MIT", licenseText: null };
  expect(licencesText([part({ ...bare, author: "Ada <ada@x.example>" })])).toMatch(
    /Copyright \(c\) Ada\n[\s\S]*WITHOUT WARRANTY/,
  );
  expect(licencesText([part(bare)])).toContain("Copyright (c) The authors of a\n");
});

test("a part under another licence without a text ends the build", () => {
  expect(() => licencesText([part({ license: "BSD-3-Clause", licenseText: null })])).toThrow("brings no text");
});

test("what a package holds of others is said, with its licence", async () => {
  const text = licencesText([part({ name: "h264-mp4-encoder", license: "MIT" }), part({ name: "msw" })]);
  expect(text).toContain("libmp4v2");
  expect(text).toContain((await readFile(".build/licences/mpl-1.1.txt", "utf8")).trim());
  expect(text).toContain("sandbox-worker.js");
});
