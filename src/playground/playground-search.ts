import { asAddressText, asRecord } from "#lib/read.ts";

interface PlaygroundSearch {
  /** A text model that was chosen on another screen. Removed from the address once it is read. */
  model?: string | undefined;
  /** A message to begin with. Removed from the address once it is read. */
  ask?: string | undefined;
}

const MAX_MESSAGE_LENGTH = 2000;

/** The search part of `/playground`. A part that is not valid is undefined. */
export function readPlaygroundSearch(raw: unknown): PlaygroundSearch {
  const { model, ask } = asRecord(raw);
  return { model: asAddressText(model), ask: asAddressText(ask)?.slice(0, MAX_MESSAGE_LENGTH) };
}
