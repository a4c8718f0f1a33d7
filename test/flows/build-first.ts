import { ensureBuilt } from "../../.scripts/ensure-built.mjs";

/** The stories run against the built studio: this builds it when something changed since. */
export default async function buildFirst(): Promise<void> {
  await ensureBuilt();
}
