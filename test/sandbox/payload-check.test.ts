import { describe, expect, it } from "vitest";
import { CATALOGUE } from "#sandbox/catalogue/catalogue.ts";
import { errorOf, openSandbox } from "./sandbox-client.ts";

const refused: [what: string, model: string, payload: Record<string, unknown>, key: string][] = [
  ["an unknown key", "lumen-2", { prompt: "A fox", sharpness: 3 }, "sharpness"],
  ["a key of another model's prompt", "contact-sheet", { prompt: "A fox" }, "prompt"],
  ["a missing required key", "lumen-2", {}, "prompt"],
  ["an empty required text", "lumen-2", { prompt: "  " }, "prompt"],
  ["a text of the wrong type", "lumen-2", { prompt: 5 }, "prompt"],
  ["a text that is too long", "lumen-2", { prompt: "x".repeat(2001) }, "prompt"],
  ["an option that is not there", "lumen-2", { prompt: "A fox", size: "2048x2048" }, "size"],
  ["a number for an option that is a string of digits", "halide-video", { prompt: "A fox", duration: 5 }, "duration"],
  [
    "a string for an option that is a number",
    "overture-voice-lively",
    { text: "Hello", stability: "0.5" },
    "stability",
  ],
  ["an integer with a fraction", "lumen-2", { prompt: "A fox", n: 1.5 }, "n"],
  ["an integer written as a string", "lumen-2", { prompt: "A fox", n: "2" }, "n"],
  ["an integer above its range", "lumen-2", { prompt: "A fox", n: 5 }, "n"],
  ["an integer below its range", "tidewater-frames", { duration: 1 }, "duration"],
  ["a number above its range", "lumen-2-fast", { prompt: "A fox", guidance_scale: 21 }, "guidance_scale"],
  [
    "a number written as a string where that is not taken",
    "lumen-2-fast",
    { prompt: "A fox", guidance_scale: "2" },
    "guidance_scale",
  ],
  ["a number in a string outside its range", "halide-video", { prompt: "A fox", cfg_scale: "1.5" }, "cfg_scale"],
  ["a flag that is a word", "lumen-2-fast", { prompt: "A fox", add_watermark: "yes" }, "add_watermark"],
  ["null where it is not taken", "lumen-2", { prompt: "A fox", size: null }, "size"],
  [
    "an address of another scheme",
    "grainfield-edit",
    { instruction: "Blue", image_url: "ftp://host/a.png" },
    "image_url",
  ],
  ["an address that is none", "grainfield-edit", { instruction: "Blue", image_url: "picture" }, "image_url"],
  [
    "a list of addresses that is too long",
    "tidewater-reference",
    { reference_video_urls: Array(4).fill("https://host/a.mp4") },
    "reference_video_urls",
  ],
  ["an empty required list", "tidewater-reference", { reference_video_urls: [] }, "reference_video_urls"],
  ["a JSON list that is none", "halide-omni", { prompt: "A fox", image_list: "[]" }, "image_list"],
  ["a condition that is not met: prompt", "halide-omni", {}, "prompt"],
  ["a condition that is not met: multi_prompt", "halide-omni", { multi_shot: true }, "multi_prompt"],
  [
    "a condition that is not met: sound",
    "halide-omni",
    { prompt: "A fox", sound: "on", video_list: [{ url: "https://host/a.mp4" }] },
    "sound",
  ],
  [
    "two keys that exclude each other",
    "tidewater-frames",
    { first_clip: "https://host/a.mp4", first_frame: "https://host/a.png" },
    "first_clip",
  ],
];

const accepted: [what: string, model: string, payload: Record<string, unknown>][] = [
  ["null where it lets the system decide", "grainfield", { prompt: "A fox", aspect_ratio: null }],
  ["null where it is the default", "tidewater-frames", { driving_audio: null }],
  ["an empty string that is an option", "overture-voice", { text: "Hello", sound_effects: "" }],
  ["a number written as a string, where real models take both", "overture-voice", { text: "Hello", speed: "1.2" }],
  ["the same as a number", "overture-voice", { text: "Hello", speed: 1.2 }],
  ["one address for a list", "lumen-2-pro", { prompt: "A fox", image: "https://host/a.png" }],
  ["a data address", "grainfield-edit", { instruction: "Blue", image_url: "data:image/png;base64,AAAA" }],
  [
    "a required key with a default left out",
    "marionette",
    { image_url: "https://h/a.png", video_url: "https://h/a.mp4" },
  ],
  ["names with dots", "atelier-fitting", { "person_image.24": "https://h/a.png", "top_image.25": "https://h/b.png" }],
  ["several shots without a prompt", "halide-omni", { multi_shot: true, multi_prompt: [{ prompt: "A fox" }] }],
];

// Spec 2.
describe("the keys of a payload are exactly the model's parameters", () => {
  // Spec 7.
  it.each(refused)("refuses %s with 400 that names the key", async (_, model, payload, key) => {
    const { submit, estimate, sandbox } = openSandbox();
    for (const answer of [await estimate(model, payload), await submit(model, payload)]) {
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message.split(/\W+/)).toContain(key);
    }
    expect(sandbox.inspect()).toMatchObject({ ledger: [], jobs: [] });
  });

  it.each(accepted)("accepts %s", async (_, model, payload) => {
    const answer = await openSandbox().submit(model, payload);
    expect(answer.json.error ?? answer.status).toBe(200);
  });

  it("accepts every default of every model", () => {
    for (const { id, parameters } of CATALOGUE) {
      for (const { wire, check } of parameters) {
        if (wire.default_value === undefined || wire.default_value === null) continue;
        expect([id, wire.name, check(wire.default_value)]).toEqual([id, wire.name, undefined]);
      }
    }
  });
});
