import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Builds one page for production from its HTML text, which loads its module from the project's root, into
 * `<folder>/<name>/`. Every page is built with these options and no others, ours and the peers' alike.
 * @param {string} folder
 * @param {string} name
 * @param {string} html
 */
export async function buildPage(folder, name, html) {
  /** @type {import("vite").Plugin} */
  const inMemory = {
    name: "bench-page",
    resolveId: (id) => (id === `${name}.html` ? join(root, id) : null),
    load: (id) => (id === join(root, `${name}.html`) ? html : null),
  };
  await build({
    root,
    configFile: false,
    logLevel: "error",
    base: "./",
    publicDir: false,
    plugins: [inMemory, tailwindcss()],
    resolve: { dedupe: ["react", "react-dom"] },
    define: { "process.env.NODE_ENV": '"production"' },
    build: { outDir: join(folder, name), rolldownOptions: { input: `${name}.html` }, chunkSizeWarningLimit: 1e5 },
  });
}
