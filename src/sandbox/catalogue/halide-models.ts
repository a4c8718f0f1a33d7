import { isRecord } from "#lib/read.ts";
import { type ModelDefinition, VIDEO_TIMING } from "./model-definition.ts";
import { clip } from "./output-sizes.ts";
import { choice, flag, float, jsonList, mediaAddress, seed, text } from "./parameter-kinds.ts";
import { perClipBy, perSecond, perSecondBy } from "./pricing.ts";

const prompt = text({
  name: "prompt",
  display_name: "Prompt",
  description: "What happens in the video.",
  required: true,
  maxLength: 2500,
});

const negativePrompt = text({
  name: "negative_prompt",
  display_name: "Negative prompt",
  description: "What to avoid.",
  required: false,
  default_value: "",
  maxLength: 2500,
});

const ratio = choice({
  name: "aspect_ratio",
  display_name: "Aspect ratio",
  required: false,
  default_value: "16:9",
  options: ["16:9", "9:16", "1:1"],
});

const sound = choice({
  name: "sound",
  display_name: "Audio",
  required: false,
  default_value: "off",
  options: ["on", "off"],
});

const lengths = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

const ELEMENT = {
  type: "object",
  title: "Element",
  properties: {
    image_url: { type: "string", title: "Image", contentMediaType: "image/*" },
    weight: { type: "number", title: "Weight", minimum: 0, maximum: 1 },
  },
  required: ["image_url"],
};

/** Videos from text. Durations are strings of digits, and one number is typed as a string. */
export const HALIDE_MODELS: readonly ModelDefinition[] = [
  {
    id: "halide-video",
    type: "video",
    brief: "Text-to-video, 5 or 10 seconds.",
    tags: ["text-to-video"],
    parameters: [
      prompt,
      negativePrompt,
      choice({
        name: "duration",
        display_name: "Duration",
        description: "Seconds, as a string.",
        required: false,
        default_value: "5",
        options: ["5", "10"],
      }),
      choice({
        name: "resolution",
        display_name: "Resolution",
        type: "string (enum)",
        required: false,
        default_value: "720P",
        options: ["720P", "1080P"],
      }),
      ratio,
      float({
        name: "cfg_scale",
        display_name: "CFG scale",
        description: "How closely the video follows the prompt.",
        type: "string",
        required: false,
        default_value: "0.5",
        min_value: 0,
        max_value: 1,
        takesText: true,
      }),
      sound,
      seed(-1),
    ],
    pricing: perSecondBy("resolution", { "720P": 42_000, "1080P": 70_000 }, "duration"),
    timing: VIDEO_TIMING,
    files: (payload) => clip(payload.aspect_ratio, payload.resolution, payload.duration),
  },
  {
    id: "halide-turbo",
    type: "video",
    brief: "Short videos at a low price.",
    tags: ["text-to-video", "fast"],
    parameters: [
      prompt,
      choice({
        name: "mode",
        display_name: "Mode",
        type: "string",
        required: true,
        default_value: "std",
        options: ["std", "pro"],
      }),
      choice({ name: "duration", display_name: "Duration", default_value: "3", options: lengths(3, 8) }),
      ratio,
    ],
    pricing: perClipBy("mode", { std: 120_000, pro: 210_000 }),
    timing: { minSeconds: 60, maxSeconds: 90 },
    files: (payload) => clip(payload.aspect_ratio, "720P", payload.duration),
  },
  {
    id: "halide-omni",
    type: "video",
    brief: "Video from text, images or videos, with several shots.",
    tags: ["text-to-video", "image-to-video", "multi-shot"],
    parameters: [
      text({
        name: "prompt",
        display_name: "Prompt",
        description: "Required unless multi_shot is true. Name an element as <<<element_1>>>.",
        required: "Conditional",
        maxLength: 2500,
      }),
      flag({ name: "multi_shot", display_name: "Several shots", required: false, default_value: false }),
      jsonList({ name: "multi_prompt", display_name: "Shots", description: "One object per shot.", maxItems: 6 }),
      jsonList({ name: "image_list", display_name: "Images", maxItems: 7 }),
      jsonList({
        name: "video_list",
        display_name: "Videos",
        description: "One at most. Requires audio off.",
        maxItems: 1,
      }),
      jsonList({ name: "element_list", display_name: "Elements", items: ELEMENT, maxItems: 4 }),
      choice({ name: "mode", display_name: "Mode", default_value: "pro", options: ["std", "pro"] }),
      choice({
        name: "duration",
        display_name: "Duration",
        type: "string",
        default_value: "5",
        options: lengths(3, 15),
      }),
      ratio,
      sound,
    ],
    pricing: perSecond(168_000, "duration"),
    timing: VIDEO_TIMING,
    files: (payload) => clip(payload.aspect_ratio, "1080P", payload.duration),
    rule(payload) {
      if (payload.multi_shot !== true && typeof payload.prompt !== "string")
        return "prompt is required unless multi_shot is true";
      if (payload.multi_shot === true && !hasItems(payload.multi_prompt))
        return "multi_prompt is required when multi_shot is true";
      if (hasItems(payload.video_list) && payload.sound === "on") return "sound must be off when video_list is given";
      return undefined;
    },
  },
  {
    id: "halide-longtake",
    type: "video",
    brief: "One slow, careful shot. Takes 10 minutes.",
    tags: ["text-to-video", "slow"],
    parameters: [
      prompt,
      choice({
        name: "durationSeconds",
        display_name: "Duration",
        description: "Seconds, as a string.",
        required: false,
        default_value: "8",
        options: ["4", "6", "8"],
      }),
      choice({
        name: "aspectRatio",
        display_name: "Aspect ratio",
        required: false,
        default_value: "16:9",
        options: ["16:9", "9:16"],
      }),
      text({ name: "negativePrompt", display_name: "Negative prompt", required: false, maxLength: 500 }),
      choice({
        name: "personGeneration",
        display_name: "People",
        required: false,
        default_value: "allow_adult",
        options: ["allow_adult", "dont_allow"],
      }),
      mediaAddress({ name: "image", display_name: "First frame", type: "string (URL)", required: false }),
      seed(0, { default_value: null }),
    ],
    pricing: perSecond(400_000, "durationSeconds"),
    timing: { minSeconds: 600, maxSeconds: 600 },
    files: (payload) => clip(payload.aspectRatio, "1080P", payload.durationSeconds),
  },
];

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.some(isRecord);
}
