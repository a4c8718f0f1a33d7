import type { ModelDefinition } from "./model-definition.ts";
import { recording } from "./output-sizes.ts";
import { choice, flag, float, integer, seed, text } from "./parameter-kinds.ts";
import { flat, perSecond } from "./pricing.ts";

const words = text({
  name: "text",
  display_name: "Text",
  description: "The text to speak.",
  required: true,
  maxLength: 5000,
});

const dial = (name: string, display: string) =>
  integer({ name, display_name: display, required: false, default_value: 0, min_value: -100, max_value: 100 });

const digits = (name: string, display: string, value: string, options: string[]) =>
  choice({ name, display_name: display, type: "string", required: false, default_value: value, options });

/** Speech and music. */
export const OVERTURE_MODELS: readonly ModelDefinition[] = [
  {
    id: "overture-voice",
    type: "audio",
    brief: "Expressive text-to-speech.",
    tags: ["text-to-speech"],
    parameters: [
      words,
      text({ name: "voice_id", display_name: "Voice", required: false, default_value: "english_narrator" }),
      float({
        name: "speed",
        display_name: "Speed",
        required: false,
        default_value: 1,
        min_value: 0.5,
        max_value: 2,
        step: 0.1,
        takesText: true,
      }),
      float({
        name: "vol",
        display_name: "Volume",
        required: false,
        default_value: 1,
        min_value: 0,
        max_value: 10,
        step: 0.1,
        takesText: true,
      }),
      integer({
        name: "pitch",
        display_name: "Pitch",
        required: false,
        default_value: 0,
        min_value: -12,
        max_value: 12,
      }),
      choice({
        name: "emotion",
        display_name: "Emotion",
        required: false,
        default_value: "auto",
        options: ["auto", "calm", "happy", "sad", "angry", "fearful", "disgusted", "surprised"],
      }),
      digits("audio_sample_rate", "Sample rate", "32000", ["8000", "16000", "22050", "24000", "32000", "44100"]),
      digits("channel", "Channels", "2", ["1", "2"]),
      dial("intensity", "Intensity"),
      dial("timbre", "Timbre"),
      choice({
        name: "sound_effects",
        display_name: "Sound effects",
        required: false,
        default_value: "",
        options: ["", "spacious_echo", "auditorium_echo", "lofi_telephone", "robotic"],
      }),
    ],
    pricing: flat(100_000, "audio"),
    timing: { minSeconds: 20, maxSeconds: 60 },
    files: (payload) => recording(spokenSeconds(payload.text)),
  },
  {
    id: "overture-voice-lively",
    type: "audio",
    brief: "Lively text-to-speech.",
    tags: ["text-to-speech"],
    parameters: [
      words,
      choice({
        name: "stability",
        display_name: "Stability",
        description: "0 is creative, 0.5 natural, 1 robust.",
        required: false,
        default_value: 0.5,
        options: [0, 0.5, 1],
      }),
      float({ name: "similarity_boost", display_name: "Similarity", default_value: 0.75, min_value: 0, max_value: 1 }),
      float({ name: "style", display_name: "Style", default_value: 0, min_value: 0, max_value: 1 }),
      flag({ name: "use_speaker_boost", display_name: "Speaker boost", default_value: true }),
      seed(0, { default_value: 0 }),
    ],
    pricing: flat(80_000, "audio"),
    timing: "sync",
    files: (payload) => recording(spokenSeconds(payload.text)),
  },
  {
    id: "overture-music",
    type: "audio",
    brief: "Music from a description, with optional lyrics.",
    tags: ["music"],
    parameters: [
      text({
        name: "prompt",
        display_name: "Style",
        description: "Genre, mood and instruments.",
        required: true,
        maxLength: 2000,
      }),
      text({ name: "lyrics", display_name: "Lyrics", required: false, default_value: "", maxLength: 3500 }),
      integer({ name: "duration", display_name: "Duration", default_value: 10, min_value: 5, max_value: 60 }),
      seed(-1),
    ],
    pricing: perSecond(4_000, "duration"),
    timing: { minSeconds: 60, maxSeconds: 180 },
    files: (payload) => recording(Number(payload.duration)),
  },
];

/** About fifteen letters a second, at least one second and at most thirty. */
function spokenSeconds(value: unknown): number {
  return Math.min(30, Math.max(1, Math.round(String(value).length / 15)));
}
