import { asLooseNumber, asTexts, isRecord, type JsonRecord } from "#lib/read.ts";

// What an entry of /v1/models says of a model, apart from its price. The specification leaves the fields open (spec
// 4.2), so every usual spelling is read, at the top of the entry and in the records within it.

/** Names of the context limit, in lower case and with letters only. The first one that an entry has counts. */
const LIMIT_NAMES = [
  "contextlength",
  "contextwindow",
  "maxcontextlength",
  "maxcontextwindow",
  "maxcontextwindowtokens",
  "contextwindowtokens",
  "contextsize",
  "contexttokens",
  "maxcontexttokens",
  "maxcontext",
  "maxmodellen",
  "maxmodellength",
  "nctx",
  "nctxtrain",
  "maxsequencelength",
  "maxseqlen",
  "maxpositionembeddings",
  "tokenlimit",
  "maxinputtokens",
  "inputtokenlimit",
  "maxprompttokens",
  "maxinput",
  "context",
];
/** Bounds on the search through an entry, which may have any shape: levels of records, and fields. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 2000;

/** The tokens of a model's context at most, by its catalogue entry; undefined where that does not say. */
export function contextLimit(raw: JsonRecord): number | undefined {
  const fields = fieldsOf(raw);
  for (const wanted of LIMIT_NAMES) {
    for (const { name, value } of fields) {
      const count = name === wanted ? tokenCount(value) : undefined;
      if (count !== undefined) return count;
    }
  }
  return undefined;
}

/** Names of the limit of one response, written and ranked like `LIMIT_NAMES`. */
const OUTPUT_NAMES = [
  "maxoutputtokens",
  "maxcompletiontokens",
  "outputtokenlimit",
  "maxoutput",
  "maxtokens",
  "maxcompletion",
  "maxoutputlength",
];

/**
 * The most tokens of one response, by the model's catalogue entry, else of its context. Undefined where it says neither.
 */
export function outputLimit(raw: JsonRecord): number | undefined {
  const fields = fieldsOf(raw);
  for (const wanted of OUTPUT_NAMES) {
    for (const { name, value } of fields) {
      const count = name === wanted ? tokenCount(value) : undefined;
      if (count !== undefined) return count;
    }
  }
  return contextLimit(raw);
}

/** Reads `131072`, `"131072"`, `"128k"` and `"1M"`. Numbers below 256 or from 1e9 up are something else. */
function tokenCount(value: unknown): number | undefined {
  const [, digits, unit] = typeof value === "string" ? (/^\s*([\d.,_]+)\s*([km])?/i.exec(value) ?? []) : [];
  const factor = unit === undefined ? 1 : unit.toLowerCase() === "k" ? 1000 : 1_000_000;
  const number = typeof value === "string" ? asLooseNumber((digits ?? "").replace(/[,_]/g, "")) : asLooseNumber(value);
  const count = number === undefined ? undefined : Math.round(number * factor);
  return count !== undefined && count >= 256 && count < 1e9 ? count : undefined;
}

/** Whether a model takes pictures, by its catalogue entry; undefined where that does not say. */
export function takesPictures(raw: JsonRecord): boolean | undefined {
  for (const { name, value } of fieldsOf(raw)) {
    if (/^(supports?)?(vision|imageinput|images)$|^supportsimage(s|input|inputs)?$/.test(name)) {
      if (typeof value === "boolean") return value;
      if (isRecord(value) && typeof value.supported === "boolean") return value.supported;
    }
    const words =
      name === "modality" && typeof value === "string"
        ? (value.split("->")[0] ?? "").split(/[+,\s]+/)
        : /^(input|supportedinput)?modalities(in|input)?$|^inputtypes$/.test(name)
          ? asTexts(isRecord(value) ? (value.input ?? value.inputs) : value)
          : [];
    if (words.length > 0) return words.some((word) => /^(image|images|vision|multimodal)\b/i.test(word.trim()));
  }
  return undefined;
}

/** Every field of the entry and of the records in it, the outer ones first. */
function fieldsOf(raw: JsonRecord): { name: string; value: unknown }[] {
  const fields: { name: string; value: unknown }[] = [];
  let level: JsonRecord[] = [raw];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: JsonRecord[] = [];
    for (const record of level) {
      for (const [key, value] of Object.entries(record)) {
        if (fields.length >= MAX_FIELDS) return fields;
        fields.push({ name: key.toLowerCase().replace(/[^a-z]/g, ""), value });
        if (isRecord(value)) next.push(value);
      }
    }
    level = next;
  }
  return fields;
}
