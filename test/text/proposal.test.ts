import { describe, expect, it } from "vitest";
import { mentionsRuns, proposedTexts, proposesRuns } from "#text/proposal.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";
import { hostileTexts } from "./markdown/hostile-text.ts";
import { anyProposal, JSON_TEXT, PROPOSALS, runsBlock } from "./proposal-samples.ts";

// That they are those of the page is compared in `markdown/writer.test.tsx`.
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
