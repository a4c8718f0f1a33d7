import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mentionsRuns, proposedTexts, proposesRuns } from "#chat/proposal.ts";
import { hostileTexts } from "./markdown/hostile-text.ts";
import { anyMarkdown } from "./markdown/markdown-samples.ts";
import { write } from "./markdown/written-html.ts";

const JSON_TEXT = '{ "runs": [] }';
const block = (fence: string, more = "") => `${fence}safelight-runs${more}\n${JSON_TEXT}\n${fence}`;

/** The text of each such block as a reader sees it. */
function shownTexts(text: string): string[] {
  return [...write([text]).querySelectorAll(".md-code")].flatMap((code) => {
    const name = code.querySelector(".md-code-name")?.textContent?.toLowerCase();
    return name === "safelight-runs" ? [code.querySelector("code")?.textContent ?? ""] : [];
  });
}

describe("blocks that propose runs", () => {
  it.each([
    ["between other text", `Here:\n\n${block("```")}\n\nChange them.`],
    ["right behind a line", `Here:\n${block("```")}`],
    ["with another fence", block("~~~~")],
    ["with a space, words behind and other letters", block("```").replace("safelight-runs", " Safelight-Runs title=x")],
    ["with lines of another system", block("```").replaceAll("\n", "\r\n")],
    ["in a list", `1. First\n\n   ${block("```").replaceAll("\n", "\n   ")}\n\n2. Then`],
    ["in a quote", block("```").replaceAll(/^/gm, "> ")],
    ["cut off by the end of the answer", `Here:\n\n\`\`\`safelight-runs\n${JSON_TEXT}`],
  ])("are found %s, as they are shown", (_, text) => {
    expect(proposedTexts(text)).toEqual([JSON_TEXT]);
    expect(shownTexts(text)).toEqual([JSON_TEXT]);
  });

  it.each([
    ["code of another kind", block("```").replace("safelight-runs", "json")],
    ["a longer word", block("```", "-2")],
    ["code in a line", "Use ```safelight-runs``` for that."],
    ["a block inside of another", `\`\`\`\`md\n${block("```")}\n\`\`\`\``],
    ["indented lines", block("```").replaceAll(/^/gm, "     ")],
  ])("are not found in %s", (_, text) => {
    expect(proposedTexts(text)).toEqual([]);
  });

  it("hold no letters that the page does not show", () => {
    const hidden = block("```").replace("runs", "ru\u202ens\u{e0041}");
    expect(proposedTexts(block("```").replace('"runs"', '"ru\u202ens\u{e0041}"'))).toEqual([JSON_TEXT]);
    expect(proposedTexts(hidden)).toEqual([]);
  });

  it("are at most eight of an answer", () => {
    expect(proposedTexts(`${block("```")}\n\n`.repeat(100))).toHaveLength(8);
  });

  const withFence = fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: anyMarkdown },
        { weight: 1, arbitrary: fc.constantFrom(block("```"), block("~~~"), "\n```safelight-runs\n", "```\n", "\n- ") },
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join("\n"));

  it("are those of the page in any text, and nothing throws", () => {
    fc.assert(
      fc.property(withFence, (text) => {
        expect(proposedTexts(text)).toEqual(shownTexts(text).slice(0, 8));
        if (proposedTexts(text).length > 0) expect(mentionsRuns(text)).toBe(true);
      }),
      { numRuns: Number(process.env.CASES ?? 300) },
    );
  });

  it(`stay texts in every one of ${hostileTexts.length} attacks`, () => {
    for (const attack of hostileTexts) {
      const text = `\`\`\`safelight-runs\n${attack}\n\`\`\``;
      expect(proposedTexts(text)).toEqual(shownTexts(text));
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
