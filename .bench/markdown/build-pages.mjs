import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../build-page.mjs";

/** @param {string} name */
const page = (name) => `<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>${name}</title>
<style>#scroller{height:640px;width:820px;overflow:auto}#output{padding:16px}</style>
<div id="scroller"><div id="output"></div></div><script type="module" src="/.bench/markdown/pages/${name}.mjs"></script>`;

/**
 * Builds each page on its own, for production. Returns the folder that holds `<name>/`.
 * @param {readonly string[]} names
 */
export async function buildPages(names) {
  const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
  for (const name of names) await buildPage(folder, name, page(name));
  return folder;
}
