import { devMiddleware } from "./.build/dev-middleware.ts";
import { compressedFiles, notFoundPage, policyInPage, sandboxByHost } from "./.build/page-plugins.ts";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The dialog's scroll lock writes a <style> element, which `style-src 'self'` refuses: an adopted sheet it allows.
const styleSingleton = fileURLToPath(new URL("./src/lib/style-singleton.ts", import.meta.url));

const vendorGroups = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  {
    name: "tanstack",
    test: /node_modules[\\/]@tanstack[\\/](query-core|react-query|router-core|react-router|history|store|react-store)[\\/]/,
    tags: ["$initial" as const],
  },
  // What every visit loads anyway is one file: many small ones compress worse.
  { name: "studio", tags: ["$initial" as const] },
  // Connect has these in common with the form, and is to load no more of it.
  { name: "fields", test: /src[\\/]ui[\\/](field|input-class|text-input|status-dot)\.tsx?$/ },
  { name: "create", test: /src[\\/]screens[\\/]create[\\/]create-screen\.tsx$/ },
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
  rolldownOptions: { output: { codeSplitting: { groups: vendorGroups } } },
};

// Everything is bundled, so that dist/ and dist-host/ run on a machine that has only Node.
const hostBuild = {
  outDir: "dist-host",
  copyPublicDir: false,
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    devMiddleware(),
    sandboxByHost(),
    policyInPage(),
    notFoundPage(),
    compressedFiles(),
  ],
  resolve: { alias: { "react-style-singleton": styleSingleton } },
  build: isSsrBuild ? hostBuild : pageBuild,
  ...(isSsrBuild ? { ssr: { noExternal: true as const } } : {}),
  test: {
    // Many tests wait more than they compute: two cores carry four workers.
    maxWorkers: 4,
    // A thread starts sooner than a process, and there is one for each of many small files.
    pool: "threads",
    // A machine that builds beside the tests takes longer over the same work; a test that hangs still ends.
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["test/**/*.test.ts"],
          setupFiles: ["./test/setup/own-channels.ts", "./test/setup/properties.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "jsdom",
          environmentOptions: { jsdom: { url: "http://localhost:4173" } },
          include: ["test/**/*.test.tsx"],
          setupFiles: ["./test/setup/own-channels.ts", "./test/setup/dom.ts", "./test/setup/properties.ts"],
        },
      },
    ],
  },
}));
