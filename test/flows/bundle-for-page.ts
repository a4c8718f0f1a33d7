import { fileURLToPath } from "node:url";
import { build } from "vite";

/** A module of the tests and the studio's modules that it imports, as one script that puts its exports into `name`. */
export async function bundleForPage(file: string, name: string): Promise<string> {
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, lib: { entry, name, formats: ["iife"] } },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !("output" in first)) throw new Error("Nothing was built.");
  return `${first.output[0].code}\nglobalThis.${name} = ${name};`;
}
