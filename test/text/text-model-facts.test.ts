import { describe, expect, test } from "vitest";
import { contextOfPath, estimateTokens, withQuestion } from "#text/answer-request.ts";
import { contextLimit, takesPictures } from "#text/text-model-facts.ts";
import { someColumn, somePath } from "./conversations/some-conversation.ts";

describe("a catalogue entry", () => {
  test.each([
    [{ context_length: 8192 }, 8192],
    [{ contextWindow: "128k" }, 128_000],
    [{ max_model_len: "131072" }, 131_072],
    [{ top_provider: { context_length: 32_000 } }, 32_000],
    [{ limits: { max_input_tokens: 1_000_000 } }, 1_000_000],
    [{ limit: { context: 200_000, output: 8000 } }, 200_000],
    [{ meta: { n_ctx_train: 4096 } }, 4096],
    [{ max_input_tokens: 100_000, context_window: "1M" }, 1_000_000],
    [{ max_tokens: 4096, id: "m" }, undefined],
    [{ context_length: 0 }, undefined],
    [{ context_length: null, inputTokenLimit: 2048 }, 2048],
  ])("%j tells the limit %s", (raw, limit) => {
    expect(contextLimit(raw)).toBe(limit);
  });

  test.each([
    [{ architecture: { modality: "text+image->text" } }, true],
    [{ architecture: { input_modalities: ["text"] } }, false],
    [{ modalities: { input: ["text", "image"], output: ["text"] } }, true],
    [{ capabilities: { vision: false } }, false],
    [{ capabilities: { image_input: { supported: true } } }, true],
    [{ supports_vision: true }, true],
    [{ id: "m" }, undefined],
  ])("%j tells about pictures: %s", (raw, takes) => {
    expect(takesPictures(raw)).toBe(takes);
  });
});

describe("the context of a column", () => {
  const column = someColumn({ params: { max_tokens: 500 } });
  const [ask, response, next] = somePath("x".repeat(40), "y".repeat(40), "z".repeat(40));
  if (!ask || !response || !next) throw new Error("No path.");
  const counted = { ...response, facts: { pieces: 1, inputTokens: 90, outputTokens: 60, reasoningTokens: 40 } };

  test("is estimated until an answer tells its counts, reasoning not among them", () => {
    expect(contextOfPath(column, [ask])).toEqual({ tokens: 14, responseTokens: 500, isEstimated: true });
    expect(contextOfPath(column, [ask, counted])).toMatchObject({ tokens: 110, isEstimated: false });
    expect(contextOfPath(column, [ask, counted, next]).tokens).toBe(124);
  });

  test("leaves out what does not go along", () => {
    const refused = { ...response, text: "", outcome: { how: "failed" as const } };
    expect(contextOfPath(column, [ask, refused]).tokens).toBe(0);
  });

  test("counts the words and pictures that are being written", () => {
    const size = { tokens: 10, responseTokens: undefined, isEstimated: true };
    const picture = { id: "p", name: "", mimeType: "image/png", width: 750, height: 1000 };
    expect(withQuestion(size, "x".repeat(8), [picture]).tokens).toBe(10 + 6 + 1000);
    expect(estimateTokens("潮の満ち引き")).toBe(6);
  });
});
