import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Plugin } from "vite";
import { usedRules } from "./used-rules.ts";

const RENDER = fileURLToPath(new URL("./render.mjs", import.meta.url));
const PLACE = '<div id="first-paint" aria-hidden="true" inert></div>';
const STYLES = /\s*<link rel="stylesheet"[^>]* href="([^"]+)"[^>]*>/;
/** In `public/start.js`, where the rules of the first paint stand in a built page. */
const RULES = '"FIRST_PAINT_RULES"';

/** What `src/app/first-paint.css` chooses from. `mark`: who gave out the page, where that changes what is drawn. */
const VIEWS = [
  { name: "connect-here", path: "/connect", width: 1440, mark: "here" },
  { name: "connect-none", path: "/connect", width: 1440, mark: "none" },
  { name: "phone", path: "/create", width: 390, mark: "here" },
  { name: "wide", path: "/create", width: 1440, mark: "here" },
] as const;

/**
 * Puts into the built page what it shows before its scripts and styles have come: Connect and the shell with Create, drawn
 * by the studio's own components while it is built. The rules that this needs go into start.js, the one file for which
 * the first paint waits. `src/main.tsx` takes both away again.
 */
export function firstPaint(): Plugin {
  let page = "";
  let styles = "";
  return {
    name: "first-paint",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transformIndexHtml: {
      order: "post",
      async handler(html) {
        const views = await Promise.all(VIEWS.map(drawView));
        if (!html.includes(PLACE)) throw new Error(`index.html has no place for the first paint: ${PLACE}`);
        const [link, path] = STYLES.exec(html) ?? [];
        if (link === undefined || path === undefined) throw new Error("The page has no style sheet.");
        const drawn = PLACE.replace("></div>", () => `>${views.join("")}</div>`);
        styles = path;
        page = html
          .replace(link, "")
          // What stands behind a style sheet waits for it, and modules do: what stands before it is painted meanwhile.
          .replace(PLACE, () => `${drawn}${link}`)
          // Nothing of the first paint needs the modules, so they leave the line to what it needs.
          .replaceAll(
            /<(script type="module"|link rel="(?:modulepreload|preload|stylesheet)") /g,
            '<$1 fetchpriority="low" ',
          );
        return page;
      },
    },
    writeBundle({ dir = "" }) {
      const start = join(dir, "start.js");
      const text = readFileSync(start, "utf8");
      if (!text.includes(RULES)) throw new Error(`start.js has no place for the rules of the first paint: ${RULES}`);
      const rules = usedRules(readFileSync(join(dir, styles), "utf8"), page);
      writeFileSync(
        start,
        text.replace(RULES, () => JSON.stringify(rules)),
      );
    },
  };
}

async function drawView({ name, path, width, mark }: (typeof VIEWS)[number]): Promise<string> {
  const args = ["--conditions=browser", RENDER, String(width), mark, path];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  return `<div data-view="${name}">${JSON.parse(stdout) as string}</div>`;
}
