import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { openText } from "./text-client.ts";

/** One transparent pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const message = (source: unknown) => ({
  model: "quill-2",
  max_tokens: 300,
  messages: [
    {
      role: "user",
      content: [
        { type: "image", source },
        { type: "text", text: "What is it?" },
      ],
    },
  ],
});
const response = (image_url: unknown) => ({
  model: "quill-2",
  input: [
    {
      role: "user",
      content: [
        { type: "input_image", image_url },
        { type: "input_text", text: "What is it?" },
      ],
    },
  ],
});
const textOf = (json: JsonRecord) => JSON.stringify(json.content ?? json.output);

describe("a picture in a question", () => {
  it.each([
    ["/v1/messages", message({ type: "base64", media_type: "image/png", data: PIXEL }), "a PNG of 1 × 1 (1 kB)"],
    ["/v1/messages", message({ type: "url", url: "https://files.example/a.png" }), "an image at files.example"],
    ["/v1/responses", response(`data:image/png;base64,${PIXEL}`), "a PNG of 1 × 1 (1 kB)"],
    ["/v1/responses", response("https://files.example/a.png"), "an image at files.example"],
  ])("on %s is answered with what it is", async (path, body, words) => {
    const { status, json } = await openText().post(path, body);
    expect(status).toBe(200);
    expect(textOf(json)).toContain(`I was given 1 image: ${words}.`);
    expect((json.usage as { input_tokens: number }).input_tokens).toBeGreaterThan(800);
  });

  it.each([
    ["/v1/messages", message(undefined), "messages.0.content.0.source: Field required"],
    ["/v1/messages", message({ type: "base64", media_type: "image/bmp", data: PIXEL }), "media_type: must be one of"],
    ["/v1/messages", message({ type: "base64", media_type: "image/png", data: "no!" }), "must be Base64"],
    ["/v1/messages", message({ type: "url", url: "http://files.example/a.png" }), "must be an https URL"],
    ["/v1/responses", response(undefined), "input.0.content.0.image_url: Field required"],
  ])("on %s that is malformed is refused by its place", async (path, body, words) => {
    const { status, json } = await openText().post(path, body);
    expect(status).toBe(400);
    expect(JSON.stringify(json.error)).toContain(words);
  });
});
