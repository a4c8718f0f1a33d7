import fc from "../../setup/fc.ts";
import { anyMarkdown } from "../../text/markdown/markdown-samples.ts";

export const JSON_TEXT = '{ "runs": [] }';
export const runsBlock = (fence: string, more = "") => `${fence}safelight-runs${more}\n${JSON_TEXT}\n${fence}`;
const block = runsBlock("```");

/** Answers with a block that proposes runs. */
export const PROPOSALS: readonly (readonly [name: string, text: string])[] = [
  ["between other text", `Here:\n\n${block}\n\nChange them.`],
  ["right behind a line", `Here:\n${block}`],
  ["with another fence", runsBlock("~~~~")],
  ["with a space, words behind and other letters", block.replace("safelight-runs", " Safelight-Runs title=x")],
  ["with lines of another system", block.replaceAll("\n", "\r\n")],
  ["in a list", `1. First\n\n   ${block.replaceAll("\n", "\n   ")}\n\n2. Then`],
  ["in a quote", block.replaceAll(/^/gm, "> ")],
  ["cut off by the end of the answer", `Here:\n\n\`\`\`safelight-runs\n${JSON_TEXT}`],
];

/** Any text with pieces of such blocks in it. */
export const anyProposal = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: anyMarkdown },
      { weight: 1, arbitrary: fc.constantFrom(block, runsBlock("~~~"), "\n```safelight-runs\n", "```\n", "\n- ") },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join("\n"));
