import { isRecord } from "#lib/read.ts";

function decodePart(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Not percent-encoded after all: the part is taken as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What a JSON pointer such as `/components/schemas/Input` points at in `root`; undefined where there is nothing. */
export function atPointer(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split("/").slice(1).map(decodePart)) {
    if (Array.isArray(at)) at = /^\d+$/.test(part) ? at[Number(part)] : undefined;
    else if (isRecord(at) && Object.hasOwn(at, part)) at = at[part];
    else return undefined;
  }
  return at;
}
