import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { markedPage } from "../../src/host/studio-files.ts";

const SOURCE = fileURLToPath(new URL("./worker.js", import.meta.url));
/** Few people need these, and nobody to read what is there: the sandbox, what writes clips, and the decoder of HEIC. */
const LEFT_OUT_MODULES = /node_modules\/(msw|mediabunny)\/|\/src\/sandbox\//;
const LEFT_OUT_FILES = /^assets\/libheif-/;

/** The worker's source with its page and the hashes of its files. */
export function offlineWorkerSource(page: string, files: Readonly<Record<string, string>>): string {
  return `${markedPage(page)}\nconst FILES = ${JSON.stringify(files, null, 1)};\n${readFileSync(SOURCE, "utf8")}`;
}

/** Writes the service worker by which a built studio opens without a network. Among the last: it hashes what is there. */
export function offlineWorker(): Plugin {
  return {
    name: "offline-worker",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    writeBundle({ dir = "" }, bundle) {
      const parts = Object.values(bundle)
        .filter((part) => part.type === "asset" || !part.moduleIds.some((id) => LEFT_OUT_MODULES.test(id)))
        .map(({ fileName }) => fileName)
        .filter((name) => !LEFT_OUT_FILES.test(name))
        .filter((name) => /^assets\/.*\.(js|css)$|^assets\/geist-(mono-)?latin-wght/.test(name));
      const examples = readdirSync(join(dir, "examples")).map((name) => `examples/${name}`);
      const names = ["start.js", "favicon.svg", "favicon-done.svg", "favicon-failed.svg", ...examples, ...parts];
      const files = Object.fromEntries(
        names.toSorted().map((name) => [
          `/${name}`,
          createHash("sha256")
            .update(readFileSync(join(dir, name)))
            .digest("base64"),
        ]),
      );
      const page = readFileSync(join(dir, "index.html"), "utf8");
      writeFileSync(join(dir, "offline-worker.js"), offlineWorkerSource(page, files));
    },
  };
}
