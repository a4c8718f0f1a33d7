/** The longest name made here, in bytes of UTF-8 and with its extension: every file system takes it. */
export const MAX_NAME_BYTES = 120;

const FALLBACK = "media";
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;
// Separators and what Windows refuses; controls, formats (bidi, zero width), line and paragraph separators,
// private use, unassigned, and halves of surrogate pairs.
const UNSAFE = /[/\\<>:"|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]+/gu;

/**
 * A name that any file system takes and that cannot leave its folder, however hostile the text it is made from.
 * The extension is put on as given (letters and digits only); the rest is cut to fit.
 */
export function safeFileName(text: string, extension: string, maxBytes = MAX_NAME_BYTES): string {
  const suffix = `.${extension.replace(/[^a-z0-9]/gi, "").toLowerCase() || "bin"}`;
  const cleaned = trimEdges(
    text
      .normalize("NFC")
      .replace(UNSAFE, "-")
      .replace(/\s+/gu, " ")
      .replace(/\.{2,}/g, ".")
      .replace(/-{2,}/g, "-"),
  );
  const fitted = trimEdges(cutToBytes(cleaned, maxBytes - suffix.length - 1)) || FALLBACK;
  const base = fitted.split(".")[0]?.trim() ?? "";
  return `${DEVICE.test(base) ? "_" : ""}${fitted}${suffix}`;
}

/** Gives each name back once: a name already given gets `-2`, `-3` before its extension. Letter case does not tell names apart. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  return (name) => {
    const first = folded(name);
    if (!taken.has(first)) {
      taken.add(first);
      return name;
    }
    for (let number = nextNumber.get(first) ?? 2; ; number++) {
      const candidate = numbered(name, number);
      if (taken.has(folded(candidate))) continue;
      nextNumber.set(first, number + 1);
      taken.add(folded(candidate));
      return candidate;
    }
  };
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const suffix = `-${number}${dot > 0 ? name.slice(dot) : ""}`;
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return `${cutToBytes(stem, MAX_NAME_BYTES - suffix.length)}${suffix}`;
}

// What macOS and Windows take for the same name.
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

function trimEdges(text: string): string {
  return text.replace(/^[.\s~-]+|[.\s-]+$/gu, "");
}

function cutToBytes(text: string, maxBytes: number): string {
  const encoder = new TextEncoder();
  if (encoder.encode(text).length <= maxBytes) return text;
  let kept = "";
  let bytes = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
