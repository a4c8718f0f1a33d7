import { describe, expect, it } from "vitest";
import { mentionsRuns, proposedTexts, proposesRuns, readProposal } from "#playground/messages/proposals.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { hostileTexts } from "../../text/markdown/hostile-text.ts";
import { anyProposal, JSON_TEXT, PROPOSALS, runsBlock } from "./proposal-samples.ts";

// That they are those of the page is compared in `test/text/markdown/writer.test.tsx`.
describe("blocks that propose runs", () => {
  it.each(PROPOSALS)("are found %s", (_, text) => {
    expect(proposedTexts(text)).toEqual([JSON_TEXT]);
    expect(mentionsRuns(text)).toBe(true);
  });

  it.each([
    ["code of another kind", runsBlock("```").replace("safelight-runs", "json")],
    ["a longer word", runsBlock("```", "-2")],
    ["code in a line", "Use ```safelight-runs``` for that."],
    ["a block inside of another", `\`\`\`\`md\n${runsBlock("```")}\n\`\`\`\``],
    ["indented lines", runsBlock("```").replaceAll(/^/gm, "     ")],
  ])("are not found in %s", (_, text) => {
    expect(proposedTexts(text)).toEqual([]);
  });

  it("hold no letters that the page does not show", () => {
    const hidden = runsBlock("```").replace("runs", "ru\u202ens\u{e0041}");
    expect(proposedTexts(runsBlock("```").replace('"runs"', '"ru\u202ens\u{e0041}"'))).toEqual([JSON_TEXT]);
    expect(proposedTexts(hidden)).toEqual([]);
  });

  it("are at most eight of an answer", () => {
    expect(proposedTexts(`${runsBlock("```")}\n\n`.repeat(100))).toHaveLength(8);
  });

  it("are looked for in any text, and nothing throws", () => {
    fc.assert(
      fc.property(anyProposal, (text) => {
        const found = proposedTexts(text);
        expect(found.length).toBeLessThanOrEqual(8);
        if (found.length > 0) expect(mentionsRuns(text)).toBe(true);
      }),
      { numRuns: cases(300) },
    );
  });

  it(`hold each of ${hostileTexts.length} attacks as a text`, () => {
    for (const attack of hostileTexts) {
      const [first] = proposedTexts(`\`\`\`safelight-runs\n${attack}\n\`\`\``);
      expect(typeof first, attack).toBe("string");
    }
  });
});

describe("a call of a tool", () => {
  it("proposes runs by its name alone", () => {
    expect(proposesRuns({ kind: "tool-call", name: "propose_runs", input: "" })).toBe(true);
    expect(proposesRuns({ kind: "tool-call", name: "Propose_runs", input: JSON_TEXT })).toBe(false);
    expect(proposesRuns({ kind: "refusal", text: "propose_runs" })).toBe(false);
  });
});

const read = (value: unknown) => readProposal(JSON.stringify(value));
const RUN = { model: "lumen-2", payload: { prompt: "A tram" } };

describe("what an answer proposes, in words", () => {
  it.each<[unknown, string]>([
    [{ runs: [RUN] }, "1 run with lumen-2"],
    [{ runs: [RUN, RUN, { ...RUN, model: "lumen-2-pro" }] }, "3 runs with lumen-2 and lumen-2-pro"],
    [{ models: ["a", "b"], axes: { prompt: ["x", "y"], seed: [1, 2, 3] } }, "12 runs with a and b"],
    [{ model: "a", axes: { prompt: ["x", "y"], seed: [1, 2] }, way: "zip" }, "2 runs with a"],
    [{ model: "a", axes: { prompt: "a {red|blue} tram" } }, "2 runs with a"],
    [{ runs: ["a", "b", "c", "d"].map((model) => ({ ...RUN, model })) }, "4 runs with a, b, c, and d"],
    [{ runs: ["a", "b", "c", "d", "e"].map((model) => ({ ...RUN, model })) }, "5 runs with a, b, c, and 2 more models"],
    // A name that would be read from right to left.
    [{ runs: [{ ...RUN, model: "a\u202eb" }] }, "1 run with a⟨U+202E⟩b"],
  ])("%j", (value, words) => {
    expect(read(value)).toMatchObject({ words, notes: [] });
  });

  it("tells runs that are left out, and what is wrong where nothing is left", () => {
    const some = read({ runs: [RUN, { model: "lumen-2" }] });
    expect(some.words).toBe("1 run with lumen-2");
    expect(some.notes).toHaveLength(1);
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"runs":[]}',
      '{"runs":{}}',
      '{"models":["a"],"axes":[]}',
      '{"name":"x"}',
    ]) {
      const none = readProposal(text);
      expect(none.template, text).toBeUndefined();
      expect(none.notes.join(" "), text).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("says when there are more runs than a batch takes", () => {
    const seeds = Array.from({ length: 60 }, (_, at) => at);
    const { template, notes } = read({ model: "a", axes: { prompt: seeds.map(String), seed: seeds } });
    expect(template).toBeUndefined();
    expect(notes[0]).toContain("Too many runs: 3,600.");
  });

  const hostileKey = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "runs", "<img src=x>", "");
  const hostile = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue(),
      fc.constantFrom("{1..99999}", "{a|{b|c}}", "</script><script>", "\u202e", "\0", 1e308, -0),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(hostileKey, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  const run = fc.record({ model: fc.oneof(fc.string(), hostile), payload: hostile }, { requiredKeys: [] });
  const proposal = fc.oneof(
    hostile,
    fc.record({ name: hostile, runs: fc.oneof(fc.array(run, { maxLength: 20 }), hostile) }, { requiredKeys: ["runs"] }),
    fc.record(
      {
        models: fc.oneof(fc.array(fc.string()), hostile),
        axes: fc.dictionary(fc.oneof(fc.string(), hostileKey), fc.oneof(fc.array(hostile), hostile)),
        settings: hostile,
        way: fc.oneof(fc.constant("zip"), hostile),
      },
      { requiredKeys: ["models"] },
    ),
  );

  it("nothing hostile throws, grows without end, or reaches an object's prototype", () => {
    fc.assert(
      fc.property(proposal, fc.nat(), (value, cut) => {
        const text = JSON.stringify(value) ?? "";
        for (const one of [text, text.slice(0, cut % (text.length + 1))]) {
          const { template, words = "", notes } = readProposal(one);
          expect(words.length).toBeLessThan(400);
          for (const note of notes) expect(note.length).toBeLessThan(2000);
          if (!template) expect(notes.length).toBeGreaterThan(0);
          const rows = template?.groups.flatMap(({ runs = [] }) => runs) ?? [];
          expect(rows.length).toBeLessThanOrEqual(2000);
          expect(JSON.stringify(template) ?? "").not.toMatch(/"(__proto__|constructor|prototype)":/);
        }
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      }),
      { numRuns: Number(process.env.CASES ?? 300) },
    );
  });

  it.each<[string, () => string]>([
    ["nested 100,000 deep", () => `{"runs":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["with 3,000 runs", () => JSON.stringify({ runs: Array.from({ length: 3000 }, () => RUN) })],
    [
      "with 2,000 models",
      () => JSON.stringify({ runs: Array.from({ length: 2000 }, (_, at) => ({ ...RUN, model: `m${at}` })) }),
    ],
    ["of 20 MB", () => JSON.stringify({ runs: [{ ...RUN, payload: { prompt: "a".repeat(20_000_000) } }] })],
    [
      "whose template makes a trillion",
      () => JSON.stringify({ model: "a", axes: { prompt: "{1..999999}".repeat(9) } }),
    ],
  ])("one %s ends in a sentence", (_, make) => {
    const { template, notes } = readProposal(make());
    expect(notes.join(" ")).toMatch(/\.$/);
    expect(template?.groups.flatMap(({ runs = [] }) => runs).length ?? 0).toBeLessThanOrEqual(2000);
  });
});
