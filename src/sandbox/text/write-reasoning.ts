import { createRandom, hashText } from "#sandbox/media/seeded-random.ts";
import { topicWords } from "./topic-words.ts";

/** What a reasoning model says to itself before it answers: a few lines about the prompt. */
export function writeReasoning(prompt: string, seed: number): string {
  const random = createRandom(hashText(prompt) ^ (seed + 17));
  const [first, second = "the details", third = "an example"] = topicWords(prompt);
  const doubt = random.pick([
    `Is ${second} really the point? Probably it is the reason behind the question.`,
    `There are two readings of ${first}. The plainer one fits better.`,
    `A full treatment of ${second} would be too long here.`,
  ]);
  const plan = random.pick([
    "So: a direct answer first, then the reasons, then what to watch.",
    "I will give the rule, one case where it fails, and something to try.",
    "A short introduction, a list, and a closing remark should do.",
  ]);
  return `The question is about ${first}. ${doubt}\n\nI should mention ${third}, because it is easy to miss. ${plan}`;
}
