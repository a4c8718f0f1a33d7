import { asAddressText, asRecord } from "#lib/read.ts";

interface PlaygroundSearch {
  /** A text model that was chosen on another screen, taken once. */
  model?: string | undefined;
  /** A message to begin with, taken once. */
  ask?: string | undefined;
}

const LONGEST_MESSAGE = 2000;

/** The search part of `/playground`, validated: what is not understood is undefined. */
export function readPlaygroundSearch(raw: unknown): PlaygroundSearch {
  const { model, ask } = asRecord(raw);
  return { model: asAddressText(model), ask: asAddressText(ask)?.slice(0, LONGEST_MESSAGE) };
}
