import { isRecord, type JsonRecord } from "#lib/json.ts";
import type { FieldMedia, Role } from "./field.ts";
import { ownArray, ownString } from "./own-value.ts";
import { schemaHint } from "./schema-hint.ts";

let last: { key: string; words: readonly string[] } | undefined;

/** The words of a key, in lower case: `endImageUrl` and `end_image_url.2` both give end, image, url. */
export function keyWords(key: string): readonly string[] {
  // Several questions about one key come one after the other.
  if (last?.key !== key) last = { key, words: splitWords(key) };
  return last.words;
}

function splitWords(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d+$)/)
    .filter((word) => word && !/^\d+$/.test(word));
}

/** Words that say that the key is about media but not an address of it: `image_size`, `num_images`. */
const ABOUT = new Set(
  (
    "size format count num number strength scale ratio quality style prompt type mode resolution width height dimension " +
    "dimensions weight id ids description caption model name names rate bitrate length duration steps guidance fps " +
    "threshold influence similarity enable keep generate output prefix max min per text alt seconds language setting " +
    "settings codec channel channels processing conditioning orientation effect effects key keys"
  ).split(" "),
);
const MEDIA_WORDS: Record<FieldMedia, RegExp> = {
  image: /^(image|images|img|imgs|photo|photos|picture|pictures|frame|frames|mask|masks|portrait|avatar|face|pic)$/,
  video: /^(video|videos|clip|clips|movie|footage)$/,
  audio: /^(audio|audios|song|music|speech|soundtrack)$/,
  file: /^(file|files|document|zip|attachment)$/,
};
const ADDRESS_WORDS = /^(url|urls|uri|uris|path|file|link)$/;

/**
 * Which media a key speaks of, undefined where it is none or speaks of a property of the media. A key known to hold an
 * address speaks of media also in `image_prompt`.
 */
export function mediaOfKey(key: string, isAddress = false): FieldMedia | undefined {
  const words = keyWords(key);
  if (!isAddress && words.some((word) => ABOUT.has(word))) return undefined;
  const kinds = ["image", "video", "audio", "file"] as const;
  const kind = kinds.find((candidate) => words.some((word) => MEDIA_WORDS[candidate].test(word)));
  if (kind === "audio" && !words.includes("audio") && !words.includes("audios")) {
    return words.some((word) => ADDRESS_WORDS.test(word)) ? "audio" : undefined;
  }
  if (kind) return kind;
  const voice = words.some((word) => /^(voice|sound)$/.test(word)) && words.some((word) => ADDRESS_WORDS.test(word));
  return voice ? "audio" : undefined;
}

function mediaOfType(contentMediaType: string): FieldMedia | undefined {
  const kind = contentMediaType.split("/")[0]?.toLowerCase();
  if (kind === "image" || kind === "video" || kind === "audio") return kind;
  return kind === "*" || kind === "application" ? "file" : undefined;
}

/** The control that a listing wishes for, in lower case. */
export function componentHint(schema: JsonRecord): string | undefined {
  const builder = schemaHint(schema, "builder");
  return (
    isRecord(builder) ? ownString(builder, "component") : ownString(schema, "x-component", "x-widget")
  )?.toLowerCase();
}

const COMPONENT_MEDIA: Record<string, FieldMedia> = { imageurl: "image", videourl: "video", audiourl: "audio" };

const LISTED_IN_TEXT =
  /\b(?:comma|newline|line|semicolon|space|pipe|\||,)[- ]?(?:separated|delimited)\b|\bseparated by\b/i;

/** Which media a string schema takes, by what it says of itself and then by its key. */
export function mediaOfSchema(key: string, schema: JsonRecord): FieldMedia | undefined {
  const words = ownString(schema, "description") ?? "";
  // Several addresses in one text are written as text.
  if (LISTED_IN_TEXT.test(words)) return undefined;
  const declared = ownString(schema, "contentMediaType");
  const component = componentHint(schema) ?? "";
  const known = (declared && mediaOfType(declared)) || COMPONENT_MEDIA[component.replace(/s$/, "")];
  if (known) return known === "file" ? (mediaOfKey(key) ?? "file") : known;
  if (ownArray(schema, "enum") || Object.hasOwn(schema, "const")) return undefined;
  const value = schema.default;
  if (typeof value === "string" && value && !/^(https?:|data:|\/)/i.test(value)) return undefined;
  const byKey = mediaOfKey(key);
  const format = ownString(schema, "format");
  if (byKey && byKey !== "file") return /\.zip\b|\bzip (file|archive)\b/i.test(words) ? "file" : byKey;
  if (format === "uri" || format === "binary" || format === "uri-reference") {
    if (
      keyWords(key).some((word) =>
        /^(webhook|callback|link|website|homepage|repo|endpoint|weights|lora|hf)$/.test(word),
      )
    )
      return undefined;
    return mediaOfKey(key, true) ?? "file";
  }
  return byKey === "file" && keyWords(key).some((word) => ADDRESS_WORDS.test(word)) ? "file" : undefined;
}

const TEXT_PROMPTS =
  /^(prompt|text|instruction|instructions|lyrics|sentence|caption|script|description|query|input_text|text_prompt|positive_prompt|prompt_text|promptText|gpt_prompt|edit_instruction)$/i;
const COUNTS =
  /^(n|num|count|num_(images|outputs|samples|videos|results|generations|predictions|images_per_prompt)|number_of_(images|videos|outputs|results)|numberOfImages|sampleCount|(image|video|sample|output)_(num|number|count)|batch_size|images_per_prompt|max_images|total_results)$/i;

/** What a field is for, by its key and its broad kind. Options are the texts of its choices. */
export function guessRole(key: string, kind: string, options: readonly string[]): Role | undefined {
  const words = keyWords(key);
  const name = words.join("_");
  const has = (word: RegExp) => words.some((candidate) => word.test(candidate));
  if (kind === "text" && has(/^negative$/)) return "negative-prompt";
  if (kind === "text" && TEXT_PROMPTS.test(name)) return "prompt";
  const numeric = kind === "number" || kind === "choice";
  if (kind === "number" && has(/^seeds?$/)) return "seed";
  if (numeric && COUNTS.test(name)) return "count";
  if (has(/^aspect$/) && !has(/^(mode|strategy)$/)) return "aspect-ratio";
  if (/^(aspect_?ratios?|ratio|image_ratio|video_ratio)$/.test(name)) return "aspect-ratio";
  const shapes = options.filter((option) => !/^(auto|adaptive|original|match|none)?$/i.test(option));
  if (shapes.length > 1 && shapes.every((option) => /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(option))) return "aspect-ratio";
  if (shapes.length > 1 && shapes.every((option) => /^\d{2,5}\s*[x×*]\s*\d{2,5}$/i.test(option))) return "size";
  if (/^(size|image_size|video_size|output_size|dimensions?|image_dimensions?)$/.test(name) && kind !== "number")
    return "size";
  if (/^(image_|video_|output_)?width$/.test(name)) return "width";
  if (/^(image_|video_|output_)?height$/.test(name)) return "height";
  if (has(/^resolution$/)) return "resolution";
  if (kind !== "boolean" && (has(/^durations?$/) || /^(seconds|length_seconds|video_length|audio_length)$/.test(name)))
    return "duration";
  return undefined;
}
