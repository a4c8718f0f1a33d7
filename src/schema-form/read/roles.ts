import { isRecord, type JsonRecord, ownArray, ownString } from "#lib/read.ts";
import type { Field, FieldMedia, Role } from "./field.ts";

/** The key that was split last, because several questions about one key come in a row. */
let last: { key: string; words: readonly string[] } | undefined;

/** The words of a key, in lower case: `endImageUrl` and `end_image_url.2` both give end, image, url. */
export function keyWords(key: string): readonly string[] {
  if (last?.key !== key) last = { key, words: splitWords(key) };
  return last.words;
}

/** Characters of a key whose words are read. */
const LONGEST_KEY = 200;

function splitWords(key: string): string[] {
  return key
    .slice(0, LONGEST_KEY)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d+$)/)
    .filter((word) => word && !/^\d+$/.test(word));
}

/** Words which show that the key is about media but not an address of it: `image_size`, `num_images`. */
const ABOUT = new Set(
  (
    "size format count num number strength scale ratio quality style prompt type mode resolution width height dimension " +
    "dimensions weight id ids description caption model name names rate bitrate length duration steps guidance fps " +
    "threshold influence similarity enable keep generate output prefix max min per text alt seconds language setting " +
    "settings codec channel channels processing conditioning orientation effect effects key keys"
  ).split(" "),
);
const wordSet = (words: string) => new Set(words.split(" "));
const MEDIA_WORDS: Record<FieldMedia, ReadonlySet<string>> = {
  image: wordSet(
    "image images img imgs photo photos picture pictures frame frames mask masks portrait avatar face pic",
  ),
  video: wordSet("video videos clip clips movie footage"),
  audio: wordSet("audio audios song music speech soundtrack"),
  file: wordSet("file files document zip attachment"),
};
const ADDRESS_WORDS = wordSet("url urls uri uris path file link");
const MEDIA_KINDS = ["image", "video", "audio", "file"] as const;

/**
 * Which media a key speaks of, undefined where it speaks of no media or of a property of the media. A key known to hold
 * an address speaks of media also in `image_prompt`.
 */
export function mediaOfKey(key: string, isAddress = false): FieldMedia | undefined {
  const words = keyWords(key);
  if (!isAddress && words.some((word) => ABOUT.has(word))) return undefined;
  const kind = MEDIA_KINDS.find((candidate) => words.some((word) => MEDIA_WORDS[candidate].has(word)));
  if (kind === "audio" && !words.includes("audio") && !words.includes("audios")) {
    return words.some((word) => ADDRESS_WORDS.has(word)) ? "audio" : undefined;
  }
  if (kind) return kind;
  const isVoice = (words.includes("voice") || words.includes("sound")) && words.some((word) => ADDRESS_WORDS.has(word));
  return isVoice ? "audio" : undefined;
}

function mediaOfType(contentMediaType: string): FieldMedia | undefined {
  const kind = contentMediaType.split("/")[0]?.toLowerCase();
  if (kind === "image" || kind === "video" || kind === "audio") return kind;
  return kind === "*" || kind === "application" ? "file" : undefined;
}

/** The control that a listing asks for, in lower case. Undefined where it asks for none. */
export function componentHint(schema: JsonRecord): string | undefined {
  const builder = schemaHint(schema, "builder");
  return (
    isRecord(builder) ? ownString(builder, "component") : ownString(schema, "x-component", "x-widget")
  )?.toLowerCase();
}

const COMPONENT_MEDIA: Record<string, FieldMedia> = { imageurl: "image", videourl: "video", audiourl: "audio" };

/** Words of keys whose address is not of a media file. */
const NO_MEDIA = wordSet("webhook callback link website homepage repo endpoint weights lora hf");

const LISTED_IN_TEXT =
  /\b(?:comma|newline|line|semicolon|space|pipe|\||,)[- ]?(?:separated|delimited)\b|\bseparated by\b/i;

/** Which media a string schema takes, by what it declares and then by its key. Undefined where it takes plain text. */
export function mediaOfSchema(key: string, schema: JsonRecord): FieldMedia | undefined {
  const words = ownString(schema, "description") ?? "";
  // Several addresses in one text are written as text.
  if (/separated|delimited/i.test(words) && LISTED_IN_TEXT.test(words)) return undefined;
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
    if (keyWords(key).some((word) => NO_MEDIA.has(word))) return undefined;
    return mediaOfKey(key, true) ?? "file";
  }
  return byKey === "file" && keyWords(key).some((word) => ADDRESS_WORDS.has(word)) ? "file" : undefined;
}

// Keys that have a role, as their `keyWords` joined by `_`: in lower case and without numbers.
const TEXT_PROMPTS = wordSet(
  "prompt text instruction instructions lyrics sentence caption script description query input_text text_prompt " +
    "positive_prompt prompt_text gpt_prompt edit_instruction prompttext",
);
const COUNTS = wordSet(
  "n num count batch_size images_per_prompt max_images total_results numberofimages samplecount " +
    "num_images num_outputs num_samples num_videos num_results num_generations num_predictions num_images_per_prompt " +
    "number_of_images number_of_videos number_of_outputs number_of_results " +
    "image_num image_number image_count video_num video_number video_count " +
    "sample_num sample_number sample_count output_num output_number output_count",
);
const ROLE_BY_NAME: ReadonlyMap<string, Role> = new Map(
  Object.entries({
    "aspect-ratio": "aspectratio aspect_ratio aspectratios aspect_ratios ratio image_ratio video_ratio",
    size: "size image_size video_size output_size dimension dimensions image_dimension image_dimensions",
    width: "width image_width video_width output_width",
    height: "height image_height video_height output_height",
    duration: "seconds length_seconds video_length audio_length",
  } satisfies Partial<Record<Role, string>>).flatMap(([role, names]) =>
    names.split(" ").map((name): [string, Role] => [name, role as Role]),
  ),
);

/** The role of a choice whose options are all proportions or all sizes in pixels. */
function shapeOfOptions(options: readonly string[]): Role | undefined {
  const shapes = options.filter((option) => !/^(auto|adaptive|original|match|none)?$/i.test(option));
  if (shapes.length < 2) return undefined;
  if (shapes.every((option) => /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(option))) return "aspect-ratio";
  return shapes.every((option) => /^\d{2,5}\s*[x×*]\s*\d{2,5}$/i.test(option)) ? "size" : undefined;
}

/** What a field is for, by its key, its kind and the texts of its options. Undefined where nothing suggests a role. */
export function guessRole(key: string, kind: Field["kind"], options: readonly string[]): Role | undefined {
  const words = keyWords(key);
  const name = words.join("_");
  if (kind === "text" && words.includes("negative")) return "negative-prompt";
  if (kind === "text" && TEXT_PROMPTS.has(name)) return "prompt";
  if (kind === "number" && (words.includes("seed") || words.includes("seeds"))) return "seed";
  if ((kind === "number" || kind === "choice") && COUNTS.has(name)) return "count";
  if (words.includes("aspect") && !words.includes("mode") && !words.includes("strategy")) return "aspect-ratio";
  const named = ROLE_BY_NAME.get(name);
  if (named === "aspect-ratio") return named;
  const shape = options.length > 0 ? shapeOfOptions(options) : undefined;
  if (shape) return shape;
  if (named === "size" && kind !== "number") return named;
  if (named === "width" || named === "height") return named;
  if (words.includes("resolution")) return "resolution";
  const isDuration = named === "duration" || words.includes("duration") || words.includes("durations");
  return kind !== "boolean" && isDuration ? "duration" : undefined;
}

/**
 * An `x-` hint by its name, with or without a maker's word in it: `x-step` and `x-maker-step` are both "step".
 * Undefined where there is none.
 */
export function schemaHint(schema: JsonRecord, name: string): unknown {
  for (const key of Object.keys(schema)) {
    if (!key.startsWith("x-") || !key.endsWith(name)) continue;
    if (/^x-(?:[a-z0-9]+-)?$/i.test(key.slice(0, key.length - name.length))) return schema[key];
  }
  return undefined;
}

const ACRONYMS = new Map(
  ["url", "urls", "id", "fps", "cfg", "lora", "loras", "nsfw", "tts", "json", "api", "hd", "uri", "vae", "hdr"].map(
    (word) => [
      word,
      word === "urls" ? "URLs" : word === "loras" ? "LoRAs" : word === "lora" ? "LoRA" : word.toUpperCase(),
    ],
  ),
);

/** A parameter key in words: `num_inference_steps` is "Num inference steps". The key itself is never changed. */
export function humaniseName(key: string): string {
  if (key === "n") return "Number of results";
  const words = key
    .replace(/\.\d+$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_.\-/]+/)
    .filter(Boolean)
    .map((word) => ACRONYMS.get(word.toLowerCase()) ?? (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  if (!text) return key.trim() || "Unnamed";
  return text[0]?.toUpperCase() + text.slice(1);
}
