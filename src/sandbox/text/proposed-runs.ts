import { capital, topicWords } from "./sentences.ts";

const ASK = /(?<![\w-])propose:(runs|tool)\b/;

/** The documented words `propose:runs` and `propose:tool`. */
export function asksForRuns(prompt: string): "runs" | "tool" | undefined {
  const asked = ASK.exec(prompt)?.[1];
  return asked === "runs" || asked === "tool" ? asked : undefined;
}

/** What an answer says that proposes runs. `hasCall`: they stand in a call beside it, so that it needs no block of them. */
export function proposalText(prompt: string, hasCall: boolean): string {
  const intro = "Three prompts, each with a fast and a more careful model. Edit them as you like before you run them.";
  return hasCall ? intro : `${intro}\n\n\`\`\`safelight-runs\n${writeRuns(proposal(prompt))}\n\`\`\``;
}

/** The call of a tool with the same runs as its arguments, as JSON. */
export function proposalCall(prompt: string): { name: string; input: string } {
  return { name: "propose_runs", input: JSON.stringify(proposal(prompt)) };
}

interface Proposal {
  name: string;
  runs: readonly { model: string; payload: Record<string, string> }[];
}

/** Other documented words, the roles of a chat that is written out, and what is made of the topic. */
const NO_TOPIC = /\b[a-z-]+:\w+|\b(user|assistant|images?|pictures?|photos?|prompts?|runs?)\b/gi;

/** Three prompts with the words of the message, each with two models of the sandbox. */
function proposal(prompt: string): Proposal {
  const words = topicWords(prompt.replace(NO_TOPIC, " "));
  const subject = words[0] === "the question" ? "Harbor" : capital(words.slice(0, 3).join(", "));
  const lights = ["at dawn, low mist, long exposure", "in the rain, reflections, 35 mm", "at night, one warm window"];
  const runs = lights.flatMap((light) => [
    { model: "lumen-2", payload: { prompt: `${subject}, ${light}`, size: "1024x1024" } },
    { model: "lumen-2-pro", payload: { prompt: `${subject}, ${light}`, image_size: "1K" } },
  ]);
  return { name: `${subject}: three lights`, runs };
}

/** A run on each line, as a person would write it. */
function writeRuns({ name, runs }: Proposal): string {
  const lines = runs.map((run) => `    ${JSON.stringify(run)}`);
  return `{\n  "name": ${JSON.stringify(name)},\n  "runs": [\n${lines.join(",\n")}\n  ]\n}`;
}
