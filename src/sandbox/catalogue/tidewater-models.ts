import { type ModelDefinition, VIDEO_TIMING } from "./model-definition.ts";
import { clip, readSize } from "./output-sizes.ts";
import { choice, flag, integer, mediaAddress, mediaAddresses, seed, text } from "./parameter-kinds.ts";
import { flat, perSecond, perSecondBy } from "./pricing.ts";

const prompt = text({ name: "prompt", display_name: "Prompt", required: false, default_value: "", maxLength: 1500 });

const duration = integer({
  name: "duration",
  display_name: "Duration",
  description: "Seconds.",
  required: false,
  default_value: 5,
  min_value: 2,
  max_value: 15,
});

const watermark = flag({ name: "watermark", display_name: "Watermark", required: false, default_value: false });

const frame = (name: string, display: string) =>
  mediaAddress({
    name,
    display_name: display,
    type: "image (URL)",
    required: false,
    default_value: null,
    nullable: true,
  });

/** Videos from images, videos and audio. */
export const TIDEWATER_MODELS: readonly ModelDefinition[] = [
  {
    id: "tidewater-frames",
    type: "video",
    brief: "Video from first and last frame, or extend a video.",
    tags: ["image-to-video"],
    parameters: [
      prompt,
      text({ name: "negative_prompt", display_name: "Negative prompt", default_value: "", maxLength: 500 }),
      frame("first_frame", "First frame"),
      frame("last_frame", "Last frame"),
      mediaAddress({
        name: "driving_audio",
        display_name: "Driving audio",
        description: "WAV or MP3, 3 to 30 seconds.",
        type: "audio (URL)",
        required: false,
        default_value: null,
        nullable: true,
      }),
      mediaAddress({
        name: "first_clip",
        display_name: "Video to extend",
        description: "Can’t be combined with a first frame.",
        type: "video (URL)",
        required: false,
        default_value: null,
        nullable: true,
      }),
      choice({
        name: "resolution",
        display_name: "Resolution",
        type: "string (enum)",
        default_value: "1080P",
        options: ["720P", "1080P"],
      }),
      duration,
      flag({ name: "prompt_extend", display_name: "Extend prompt", default_value: true }),
      watermark,
      seed(0, { min_value: 0 }),
    ],
    pricing: perSecondBy("resolution", { "720P": 60_000, "1080P": 90_000 }, "duration"),
    timing: VIDEO_TIMING,
    files: (payload) => clip("16:9", payload.resolution, payload.duration),
    rule: (payload) =>
      typeof payload.first_clip === "string" && typeof payload.first_frame === "string"
        ? "first_clip cannot be used together with first_frame"
        : undefined,
  },
  {
    id: "tidewater-reference",
    type: "video",
    brief: "Video with people from up to 3 reference videos.",
    tags: ["video-to-video"],
    parameters: [
      text({
        name: "prompt",
        display_name: "Prompt",
        description: "Name the people as character1, character2 and so on.",
        required: false,
        default_value: "",
        maxLength: 1500,
      }),
      mediaAddresses({
        name: "reference_video_urls",
        display_name: "Reference videos",
        type: "array of strings (URLs)",
        required: true,
        maxItems: 3,
      }),
      choice({
        name: "size",
        display_name: "Size",
        type: "string (enum)",
        default_value: "1920*1080",
        options: ["1280*720", "720*1280", "960*960", "1088*832", "832*1088", "1920*1080", "1080*1920", "1440*1440"],
      }),
      choice({ name: "shot_type", display_name: "Shot", default_value: "single", options: ["single", "multi"] }),
      duration,
      watermark,
      seed(0),
    ],
    pricing: perSecond(100_000, "duration"),
    timing: VIDEO_TIMING,
    files: (payload) => {
      const size = readSize(payload.size);
      return clip(
        `${size.width}:${size.height}`,
        size.width * size.height > 1_000_000 ? "1080P" : "720P",
        payload.duration,
      );
    },
  },
  {
    id: "marionette",
    type: "video",
    brief: "Animates the person in an image with the motion of a video.",
    tags: ["motion"],
    parameters: [
      mediaAddress({ name: "image_url", display_name: "Image", type: "string", required: true }),
      mediaAddress({ name: "video_url", display_name: "Video", type: "string", required: true }),
      choice({
        name: "character_orientation",
        display_name: "Orientation",
        type: "string",
        required: true,
        default_value: "video",
        options: ["video", "image"],
      }),
      choice({
        name: "keep_original_sound",
        display_name: "Keep original audio",
        type: "string",
        required: false,
        default_value: "yes",
        options: ["yes", "no"],
      }),
      text({ name: "prompt", display_name: "Prompt", required: false, default_value: "" }),
    ],
    pricing: flat(350_000, "clip"),
    timing: VIDEO_TIMING,
    files: () => clip("9:16", "720P", 5),
  },
];
