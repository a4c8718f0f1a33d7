import { describe, expect, it } from "vitest";
import { type AnswerRequest, outputTokens, planAnswer } from "#sandbox/text/answer-plan.ts";
import { TEXT_MODELS } from "#sandbox/text/text-models.ts";
import { countTokens, splitTokens } from "#sandbox/text/tokens.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const [QUILL] = TEXT_MODELS;

function plan(prompt: string, change: Partial<AnswerRequest> = {}) {
  if (QUILL === undefined) throw new Error("no model");
  const base: AnswerRequest = {
    model: QUILL,
    prompt,
    turns: 0,
    seed: 1,
    maxTokens: undefined,
    stops: [],
    shows: "reasoning",
  };
  return planAnswer({ ...base, ...change });
}

const answer = (prompt: string, change?: Partial<AnswerRequest>) => plan(prompt, change).text.join("");

describe("the sandbox's answers", () => {
  it("split into tokens and joined give the same text, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(splitTokens(text).join("")).toBe(text);
      }),
    );
  });

  it("respect any limit and never contain a stop sequence", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.nat(300),
        fc.string({ minLength: 1 }),
        (prompt, maxTokens, stop) => {
          for (const model of TEXT_MODELS) {
            const made = plan(prompt, { model, maxTokens, stops: [stop] });
            expect(outputTokens(made)).toBeLessThanOrEqual(maxTokens);
            expect(made.text.join("")).not.toContain(stop);
          }
        },
      ),
      { numRuns: cases(20) },
    );
  });

  it("are equal for equal seeds, and differ for different seeds", () => {
    expect(answer("How do I plan a garden?")).toBe(answer("How do I plan a garden?"));
    expect(answer("How do I plan a garden?", { seed: 2 })).not.toBe(answer("How do I plan a garden?"));
  });

  it("go on where a beginning stopped, wherever that is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(400), fc.nat(400), (words, first, more) => {
        const prompt = `Tell me about a garden. ${words}`;
        const begun = answer(prompt, { maxTokens: first, shows: "answer" });
        const rest = answer(prompt, { maxTokens: more, shows: "answer", begun });
        const whole = answer(prompt, { shows: "answer" });
        if (begun !== whole) expect(whole.startsWith(begun + rest)).toBe(true);
        else expect(rest).not.toMatch(/^\s*#/);
      }),
    );
  });

  it.each([
    ["Write a python function for lighthouses", /```python\n[\s\S]*def best_lighthouses/],
    ["A rust program about boats", /```rust\n[\s\S]*struct Boats/],
    ["Compare tea and coffee", /\| Tea \|[\s\S]*\| Coffee \|/],
    ["How do I plan a garden?", /1\. \*\*[\s\S]*2\. \*\*/],
    ["A poem about snow", /^.*snow.*\n.*\n/i],
    ["A story about a fox", /^# A story about a fox\n\nEveryone[^.]*fox/],
    ["Give me JSON for a boat", /```json\n\{/],
    ["Make it vivid.\n\nThe prompt:\nA boat at night", /^A [a-z ]+ boat at night, [^\n#]+\.$/],
    ["hello", /^Hello\./],
  ])("fit the prompt %j", (prompt, expected) => {
    expect(answer(prompt)).toMatch(expected);
  });

  it.each([
    ["Explain tides in 2,000 words", 2500],
    ["long:5000 tides", 5000],
    ["A story of 800 tokens about a fox", 800],
  ])("have the length that is asked for: %j", (prompt, tokens) => {
    const count = countTokens(answer(prompt));
    expect(count).toBeGreaterThan(tokens * 0.8);
    expect(count).toBeLessThan(tokens * 1.3);
  });

  it("write 100,000 tokens where they are asked for", () => {
    const swift = TEXT_MODELS.find(({ id }) => id === "quill-2-swift");
    const made = plan("long:100000", swift === undefined ? {} : { model: swift });
    expect(outputTokens(made)).toBeGreaterThan(95_000);
  });

  it("close every code fence that they open, unless cut", () => {
    for (const prompt of ["long:3000", "Write code", "JSON please"]) {
      expect((answer(prompt).match(/^```/gm) ?? []).length % 2).toBe(0);
    }
  });
});
