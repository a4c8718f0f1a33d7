import { readdirSync, readFileSync } from "node:fs";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { devMiddleware } from "./.build/dev-middleware.ts";
import { firstPaint } from "./.build/first-paint/plugin.ts";
import { licences } from "./.build/licences.ts";
import { offlineWorker } from "./.build/offline/plugin.ts";
import { compressedFiles, notFoundPage, pageOfHost, policyInPage, screenFiles } from "./.build/page-plugins.ts";
import { sandboxWorker } from "./.build/sandbox-worker.ts";
import { DearestFirst } from "./test/setup/dearest-first.ts";
import { NEEDS_OWN_WORKER } from "./test/setup/needs-own-worker.ts";

interface ModuleGraph {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null;
}

const FIRST_SCREEN = /\/src\/(app\/shell|create\/create-screen)\.tsx$/;

/** Whether the shell or Create, with which most visits begin, imports a module, by whatever way. */
function isOfFirstScreen(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (FIRST_SCREEN.test(id)) return true;
  // The library's list of icons imports all of them: each goes where the screens that show it are.
  if (/lucide-react/.test(id)) return false;
  seen.add(id);
  const { importers = [] } = graph.getModuleInfo(id) ?? {};
  return importers.some((importer) => !seen.has(importer) && isOfFirstScreen(importer, graph, seen));
}

/**
 * Besides two libraries: what the page begins with, Connect included; the shell with Create; what three or more of the
 * others share. Each other screen, each part that comes after its screen and each heavy library has a file of its own.
 */
const chunkGroups = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: "tanstack", test: /node_modules[\\/]@tanstack[\\/]/, tags: ["$initial" as const] },
  { name: "start", tags: ["$initial" as const] },
  { name: (id: string, graph: ModuleGraph) => (isOfFirstScreen(id, graph) ? "studio" : null) },
  // The clip writer is for those who join clips.
  { name: "shared", test: /^(?!.*mediabunny)/, minShareCount: 3 },
];

const pageBuild = {
  modulePreload: {
    // A browser that does not know modulepreload loads the same files, a little later.
    polyfill: false,
    // The list of what each lazy chunk needs would be a part of the first load; the chunk itself names it.
    resolveDependencies: (_file: string, dependencies: string[], { hostType }: { hostType: "html" | "js" }) =>
      hostType === "html" ? dependencies : dependencies.filter((file) => file.endsWith(".css")),
  },
  manifest: true,
  rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
};

// All but this is bundled, so that dist/ and dist-host/ run on a machine that has only Node and this package: it is
// native, and finds its builds beside its own files.
const hostExternals = ["classic-level"];

const hostBuild = {
  outDir: "dist-host",
  copyPublicDir: false,
};

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

// The decoder of HEIC pictures is under the LGPL: a file of its own that says so, and can be replaced.
const workerBuild = {
  output: {
    postBanner: ({ name }: { name: string }) =>
      name === "libheif" ? "/*! libheif and libde265, under the GNU LGPL 3: see /licences/libheif.txt */" : "",
  },
};

/** What `npm run test:long` adds. */
const notNow = [
  ...(process.env.LONG_SUITE === "1" ? [] : ["**/*.long.test.*"]),
  // The folders that have a part of their own there, while all others run.
  ...(process.env.LONG_WITHOUT ?? "").split(",").flatMap((folder) => (folder === "" ? [] : [`${folder}**`])),
];

const alone = process.env.VITEST === undefined ? [] : nodeTests().filter((path) => NEEDS_OWN_WORKER.test(read(path)));

function nodeTests(): string[] {
  const names = readdirSync(new URL("test", import.meta.url), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name.replaceAll("\\", "/")}`);
}

export default defineConfig(({ isSsrBuild = false }) => {
  const { plugin, inWorkers } = licences({ isHost: isSsrBuild });
  return {
    plugins: [
      react(),
      tailwindcss(),
      devMiddleware(),
      firstPaint(),
      screenFiles(),
      pageOfHost(),
      policyInPage(),
      sandboxWorker(),
      plugin,
      notFoundPage(),
      offlineWorker(),
      compressedFiles(),
    ],
    define: { "import.meta.env.STUDIO_VERSION": JSON.stringify(version) },
    worker: { format: "es", plugins: () => [inWorkers], rolldownOptions: workerBuild },
    build: isSsrBuild ? hostBuild : pageBuild,
    ...(isSsrBuild ? { ssr: { noExternal: true as const, external: hostExternals } } : {}),
    test: {
      // Many tests wait more than they compute: two cores carry four workers.
      maxWorkers: 4,
      // A thread starts sooner than a process, and there is one for each of many small files.
      pool: "threads",
      // Limits end what hangs and decide nothing else: a loaded machine takes many times as long over the same work.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // What is left behind is given a minute to end (test/setup/left-behind.ts).
      teardownTimeout: 90_000,
      expect: { poll: { timeout: 60_000 } },
      globalSetup: "./test/setup/left-behind.ts",
      // `--sequence.shuffle.files` shows what one file leaves to the next.
      sequence: process.argv.includes("--sequence.shuffle.files") ? {} : { sequencer: DearestFirst },
      projects: [
        {
          extends: true,
          test: {
            name: "alone",
            include: alone,
            exclude: notNow,
            setupFiles: ["./test/setup/own-channels.ts", "./test/setup/fresh-globals.ts"],
          },
        },
        {
          extends: true,
          test: {
            name: "node",
            include: ["test/**/*.test.ts"],
            exclude: [...alone, ...notNow],
            // What one file has loaded, the next of the same worker has, too: most of them take longer to load than to run.
            isolate: false,
            setupFiles: ["./test/setup/own-channels.ts", "./test/setup/fresh-globals.ts"],
          },
        },
        {
          extends: true,
          test: {
            name: "dom",
            // A context of its own for each file, in a thread that has loaded jsdom once: half the work of a thread each.
            pool: "vmThreads",
            environment: "jsdom",
            environmentOptions: { jsdom: { url: "http://localhost:4173" } },
            include: ["test/**/*.test.tsx"],
            exclude: notNow,
            setupFiles: ["./test/setup/node-globals.ts", "./test/setup/own-channels.ts", "./test/setup/dom.ts"],
          },
        },
      ],
    },
  };
});
