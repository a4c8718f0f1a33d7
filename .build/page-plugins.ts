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
  'SAFELIGHT_SERVICE is not set: on a plain file host this page could send requests to any https address. Name the origins of your service, such as SAFELIGHT_SERVICE="https://api.example.com https://cdn.example.com".';

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
