import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..", "..");

const page = (script) => `<!doctype html><html lang="en" data-theme="dark"><meta charset="utf-8"><title>list</title>
<style>#list{height:748px;width:1075px;display:flex;flex-direction:column}</style>
<div id="list"></div><script type="module" src="/${script}"></script>`;

/** Builds each page of `pages/` on its own, for production. Returns the folder that holds `<name>/`. */
export async function buildPages(names) {
  const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
  for (const name of names) {
    const script = relative(root, join(here, "pages", `${name}.mjs`));
    const inMemory = {
      name: "bench-page",
      resolveId: (id) => (id === `${name}.html` ? join(root, id) : null),
      load: (id) => (id === join(root, `${name}.html`) ? page(script) : null),
    };
    await build({
      root,
      configFile: false,
      logLevel: "error",
      base: "./",
      publicDir: false,
      plugins: [inMemory, tailwindcss()],
      define: { "process.env.NODE_ENV": '"production"' },
      build: { outDir: join(folder, name), rolldownOptions: { input: `${name}.html` }, chunkSizeWarningLimit: 1e5 },
    });
  }
  return folder;
}
