import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { staticPolicy } from "../src/host/security-headers.ts";
import { markHost } from "../src/host/studio-files.ts";
import { readNamedService } from "./named-service.ts";

/** Puts the policy into the built page too, so that a static host that sends no headers is still covered. */
export function policyInPage(): Plugin {
  const named = readNamedService(process.env.SAFELIGHT_SERVICE);
  return {
    name: "policy-in-page",
    apply: "build",
    config: () => ({ define: { "import.meta.env.SAFELIGHT_SERVICE": JSON.stringify(named.join(" ")) } }),
    configResolved({ build, logger }) {
      if (named.length === 0 && !build.ssr) logger.warn(NO_SERVICE);
    },
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: staticPolicy(named) },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** Behind the studio's own host nothing is missing: its page talks to the host alone. */
const NO_SERVICE =
  'SAFELIGHT_SERVICE is not set: on a plain file host this page could send requests to any https URL. Name the origins of your service, such as SAFELIGHT_SERVICE="https://api.example.com https://cdn.example.com".';

/** The dev server brings relay and sandbox itself, as the host does. */
export function pageOfHost(): Plugin {
  return { name: "page-of-host", apply: "serve", transformIndexHtml: (html) => markHost(html) };
}

/** A copy of the page for static hosts that answer with 404.html where there is no file, as on a screen's address. */
export function notFoundPage(): Plugin {
  return {
    name: "not-found-page",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    writeBundle({ dir }) {
      if (dir) copyFileSync(join(dir, "index.html"), join(dir, "404.html"));
    },
  };
}

const FILES = '"SCREEN_FILES"';

/**
 * Writes into start.js which files each screen needs besides those that the page names itself, so that a browser asks for
 * all of them at once.
 */
export function screenFiles(): Plugin {
  return {
    name: "screen-files",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    writeBundle({ dir = "" }, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [[file.fileName, file]] : [])),
      );
      /** A chunk and all that it imports. */
      const withImports = (name: string, found = new Set<string>()): Set<string> => {
        if (found.has(name)) return found;
        found.add(name);
        const chunk = chunks.get(name);
        for (const style of chunk?.viteMetadata?.importedCss ?? []) found.add(style);
        for (const imported of chunk?.imports ?? []) withImports(imported, found);
        return found;
      };
      /** The chunk with a module, and all that it imports. */
      const ofModule = (path: string) => {
        const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(path)));
        if (chunk === undefined) throw new Error(`No chunk of the build has ${path}.`);
        return withImports(chunk.fileName);
      };
      for (const id of [...chunks.values()].flatMap(({ moduleIds }) => moduleIds)) {
        const [, screen = ""] = /\/src\/([\w/-]+)-screen\.tsx$/.exec(id) ?? [];
        const isKnown = screen === "" || screen === "connect/connect" || Object.values(SCREENS).includes(screen);
        if (!isKnown) throw new Error(`SCREENS in .build/page-plugins.ts has no place for ${screen}-screen.tsx.`);
      }
      const page = ofModule("/src/main.tsx");
      const shell = ofModule("/src/app/shell.tsx");
      const files = Object.fromEntries(
        Object.entries(SCREENS).map(([place, file]) => {
          const all = new Set([...shell, ...ofModule(`/src/${file}-screen.tsx`)]);
          return [place, [...all].filter((name) => !page.has(name))];
        }),
      );
      const start = join(dir, "start.js");
      const text = readFileSync(start, "utf8");
      if (!text.includes(FILES)) throw new Error(`start.js has no place for the files of screens: ${FILES}`);
      // A page waits for this file: its comments stay here.
      const code = text.replace(/^[ ]*(?:\/\/|\/?\*).*\n/gm, "");
      writeFileSync(
        start,
        code.replace(FILES, () => JSON.stringify(files)),
      );
    },
  };
}

/** Each place of the studio, by the first part of its address, and the file of its screen. */
const SCREENS = {
  create: "create/create",
  batch: "batch/batch",
  prices: "batch/prices/price-table",
  jobs: "job/job",
  history: "history/history",
  playground: "playground/playground",
  spend: "spend/spend",
  settings: "settings/settings",
};

// The best compression of a decoder of three megabytes takes ten seconds, and saves a seventh.
const LARGE_BYTES = 1_000_000;

/** Writes a .br and a .gz beside every text file of the built page: any server may pick them up. */
export function compressedFiles(): Plugin {
  return {
    name: "compressed-files",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    writeBundle({ dir }) {
      if (!dir) return;
      for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|html|svg|json|txt|webmanifest)$/.test(name)) continue;
        const path = join(dir, name);
        const bytes = readFileSync(path);
        const params = {
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY,
        };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
