import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { OWN_BUNDLE } from "./left-behind.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Bundle {
  path: string;
  remove(): void;
}

/**
 * Bundles a file of the project for a process of its own. It stands as the built host does, beside a `dist/` with a page.
 * The folder lies in `node_modules`, from where its packages are found: give `remove` back from `beforeAll`.
 */
export async function bundleForNode(entry: string): Promise<Bundle> {
  // Vite with its bundler is large, and most files that import this one make no bundle.
  const { build } = await import("vite");
  const folder = mkdtempSync(join(root, "node_modules", OWN_BUNDLE));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    mkdirSync(join(folder, "dist"));
    writeFileSync(join(folder, "dist", "index.html"), "<!doctype html><title>The page</title>");
    await build({
      root,
      configFile: false,
      logLevel: "error",
      build: { ssr: entry, outDir: join(folder, "dist-host"), minify: false, copyPublicDir: false },
      ssr: { noExternal: true, external: ["classic-level"] },
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { path: join(folder, "dist-host", basename(entry).replace(/\.ts$/, ".js")), remove };
}
