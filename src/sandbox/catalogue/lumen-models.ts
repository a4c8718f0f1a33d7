import type { ModelDefinition } from "./model-definition.ts";
import { pictures, readSize, sizeForRatio } from "./output-sizes.ts";
import { choice, flag, float, integer, mediaAddresses, seed, text } from "./parameter-kinds.ts";
import { perImage, perImageBy } from "./pricing.ts";

const prompt = text({
  name: "prompt",
  display_name: "Prompt",
  description: "What the image shows.",
  required: true,
  maxLength: 2000,
});

const size = (...options: string[]) =>
  choice({
    name: "size",
    display_name: "Size",
    description: "Width and height in pixels.",
    type: "string (enum)",
    required: false,
    default_value: "1024x1024",
    options,
  });

const count = (max: number) =>
  integer({
    name: "n",
    display_name: "Images",
    description: "Number of images.",
    required: false,
    default_value: 1,
    min_value: 1,
    max_value: max,
  });

/** Images from text; the small ones are done within the submit. */
export const LUMEN_MODELS: readonly ModelDefinition[] = [
  {
    id: "lumen-2",
    type: "image",
    brief: "Fast text-to-image, up to 4 images.",
    detailed: "# lumen-2\n\nA fast, all-purpose image model. Results are ready at once.",
    tags: ["text-to-image", "fast"],
    parameters: [
      prompt,
      size("512x512", "768x768", "1024x1024", "1024x1536", "1536x1024"),
      choice({
        name: "quality",
        display_name: "Quality",
        type: "string (enum)",
        required: false,
        default_value: "medium",
        options: ["low", "medium", "high", "auto"],
      }),
      count(4),
      choice({
        name: "output_format",
        display_name: "Output format",
        type: "string (enum)",
        required: false,
        default_value: "png",
        options: ["png", "jpeg"],
      }),
      seed(-1),
    ],
    pricing: perImage(35_000),
    timing: "sync",
    files: (payload) => pictures(readSize(payload.size), payload),
  },
  {
    id: "lumen-2-fast",
    type: "image",
    brief: "Quick low-resolution drafts.",
    tags: ["text-to-image", "fast", "draft"],
    parameters: [
      prompt,
      size("256x256", "512x512", "768x768", "1024x1024"),
      float({
        name: "guidance_scale",
        display_name: "Guidance scale",
        description: "How closely the image follows the prompt. 1 to 7.5 is recommended.",
        required: false,
        default_value: 2.5,
        min_value: 0,
        max_value: 20,
        step: 0.1,
      }),
      flag({ name: "add_watermark", display_name: "Add watermark", required: false, default_value: false }),
      seed(-1, { default_value: -1 }),
    ],
    pricing: perImage(9_000),
    timing: "sync",
    files: (payload) => pictures(readSize(payload.size), payload),
  },
  {
    id: "lumen-2-pro",
    type: "image",
    brief: "High-resolution images and edits, up to 14 reference images.",
    tags: ["text-to-image", "image-to-image"],
    parameters: [
      prompt,
      mediaAddresses({
        name: "image",
        display_name: "Reference images",
        description: "One URL, or up to 14 in a list.",
        type: "string/array",
        required: false,
        maxItems: 14,
        takesOne: true,
      }),
      choice({
        name: "image_size",
        display_name: "Resolution",
        type: "string",
        required: false,
        default_value: "1K",
        options: ["1K", "2K", "4K"],
      }),
      choice({
        name: "aspect_ratio",
        display_name: "Aspect ratio",
        type: "string",
        required: false,
        default_value: "1:1",
        options: ["1:1", "4:5", "5:4", "3:4", "4:3", "9:16", "16:9", "21:9"],
      }),
      count(4),
      seed(0),
    ],
    pricing: perImageBy("image_size", { "1K": 39_000, "2K": 78_000, "4K": 151_000 }),
    timing: { minSeconds: 8, maxSeconds: 25 },
    files: (payload) =>
      pictures(
        sizeForRatio(payload.aspect_ratio, { "2K": 2048, "4K": 4096 }[String(payload.image_size)] ?? 1024),
        payload,
      ),
  },
  {
    id: "lumen-1",
    type: "image",
    brief: "First generation. Temporarily inactive.",
    tags: ["text-to-image"],
    parameters: [prompt, size("512x512", "1024x1024"), seed(-1)],
    pricing: perImage(5_000),
    timing: "sync",
    files: (payload) => pictures(readSize(payload.size), payload),
    state: "inactive",
  },
];
