import { fileURLToPath } from "node:url";
import { isBuilt } from "../../.scripts/ensure-built.mjs";
import { type Bundle, bundleForNode } from "../setup/bundle-for-node.ts";

/** The host as a program: the built one where `npm test` has built it, otherwise a bundle for this test file alone. */
export async function hostProgram(): Promise<Bundle> {
  if (!isBuilt()) return bundleForNode("src/host/main.ts");
  return { path: fileURLToPath(new URL("../../dist-host/main.js", import.meta.url)), remove: () => {} };
}
