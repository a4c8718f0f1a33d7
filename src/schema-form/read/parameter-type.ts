import type { JsonRecord } from "#lib/read.ts";

const MEDIA = /\b(image|video|audio|file|media|photo|mask)s?\b/;

/** A string that holds an address (or inline data) of one kind of media. */
function mediaSchema(word: string): JsonRecord {
  const kind = word === "photo" || word === "mask" ? "image" : word;
  const contentMediaType = kind === "file" || kind === "media" ? "*/*" : `${kind}/*`;
  return { type: "string", contentMediaType };
}

/** The schema of one value of a type word, without arrays. Undefined: the word says nothing. */
function scalarSchema(word: string): JsonRecord | undefined {
  const media = word.match(MEDIA)?.[1];
  if (media) return mediaSchema(media);
  if (/\bjson|\bobject|\bdict|\bmap\b|\bstruct/.test(word)) return {};
  if (/bool|\bswitch\b|\btoggle\b|\bcheckbox\b/.test(word)) return { type: "boolean" };
  if (/\bint|\blong\b/.test(word)) return { type: "integer" };
  if (/float|double|number|decimal|slider|\breal\b/.test(word)) return { type: "number" };
  if (/colou?r/.test(word)) return { type: "string", format: "color" };
  if (/password|secret/.test(word)) return { type: "string", format: "password" };
  if (/date-?time|timestamp/.test(word)) return { type: "string", format: "date-time" };
  if (/\bdate\b/.test(word)) return { type: "string", format: "date" };
  if (/\bur[li]s?\b|\blink/.test(word)) return { type: "string", format: "uri" };
  if (/textarea|multi-?line/.test(word)) return { type: "string", "x-multiline": true };
  if (/str|text|prompt|char/.test(word)) return { type: "string" };
  if (/enum|select|dropdown|radio|choice|option/.test(word)) return { "x-choice": true };
  return undefined;
}

/**
 * The JSON Schema that a parameter's `type` word stands for. The vocabulary is open (in-the-wild 1): words are matched
 * in any case and by parts, such as `image (URL)`, `string/array` or `array of strings (URLs)`. `{}` is any JSON;
 * undefined means that the word is not known.
 */
export function parameterTypeSchema(type: string): JsonRecord | undefined {
  const word = type.trim().toLowerCase();
  if (!word || word === "any") return undefined;
  if (/\bjson|\bobject/.test(word) && !/array|list|\[\]/.test(word)) return {};
  if (/array|list|\[\]|\btuple\b/.test(word)) {
    const rest = word.replace(/arrays?|lists?|\[\]|\bof\b|[<>]/g, " ").trim();
    if (word.includes("/") && /str|text|image|video|audio|url/.test(rest)) {
      const items = scalarSchema(rest.replace("/", " ").trim()) ?? { type: "string" };
      return { anyOf: [items, { type: "array", items }] };
    }
    const items = rest ? scalarSchema(rest) : undefined;
    return items ? { type: "array", items } : { type: "array" };
  }
  return scalarSchema(word);
}
