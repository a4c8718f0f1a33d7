import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const made = new Map<string, Promise<string>>();

/**
 * Bundles a file of the project for a process of its own, once for each test file, and resolves to its path. It stands as
 * the built host does, beside a `dist/` with a page. The folder lies in `node_modules`, from where its packages are found.
 */
export function bundleForNode(entry: string): Promise<string> {
  const bundle = made.get(entry) ?? makeBundle(entry);
  made.set(entry, bundle);
  return bundle;
}

async function makeBundle(entry: string): Promise<string> {
  const folder = mkdtempSync(join(root, "node_modules", ".safelight-test-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "index.html"), "<!doctype html><title>The page</title>");
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: { ssr: entry, outDir: join(folder, "dist-host"), minify: false, copyPublicDir: false },
    ssr: { noExternal: true, external: ["classic-level"] },
  });
  return join(folder, "dist-host", basename(entry).replace(/\.ts$/, ".js"));
}
