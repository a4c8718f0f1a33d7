import { createRandom, hashText, type SeededRandom } from "../media/seeded-random.ts";
import { betterPrompt, codeBody, codeLanguage, poem, pointList, promptToImprove, table } from "./answer-blocks.ts";
import { asksForRuns, proposalCall, proposalText } from "./proposed-runs.ts";
import { createSentenceMaker, type SentenceMaker, titleOf, topicWords } from "./sentences.ts";
import type { TextModelDefinition } from "./text-models.ts";
import { countTokens, splitTokens } from "./tokens.ts";

/** What one answer is asked for, the same for all three endpoints. */
export interface AnswerRequest {
  model: TextModelDefinition;
  /** The person's last message; the answer follows it. */
  prompt: string;
  /** The pictures of that message, in words. */
  pictures?: readonly string[];
  /** How the answer begins, where it is to be continued. */
  begun?: string | undefined;
  /** Number of earlier turns, so that a conversation does not begin anew each time. */
  turns: number;
  seed: number;
  /** Undefined: the model's own limit. */
  maxTokens: number | undefined;
  stops: readonly string[];
  /** Whether to show reasoning first; only a reasoning model does. */
  shows: "reasoning" | "answer";
  /** Whether the endpoint's format has calls of tools. */
  hasCalls?: boolean;
}

/** A complete answer, decided before its first token is sent. */
export interface AnswerPlan {
  reasoning: readonly string[];
  text: readonly string[];
  /** The call of a tool after the text: its name, and its arguments as JSON. Complete unless the answer is cut. */
  call?: { name: string; input: readonly string[] };
  /** `length`: `max_tokens` was reached; `stop-sequence`: one of the asked texts would have come next. */
  finish: "stop" | "length" | "stop-sequence";
  stopSequence: string | undefined;
  /** A failure in mid-stream that the prompt asked for, and the place in `text` where it happens. */
  trouble: { kind: "error" | "break"; at: number } | undefined;
}

/** Writes, cuts at the first stop sequence, then at the token limit, which reasoning counts against too. */
export function planAnswer(request: AnswerRequest): AnswerPlan {
  const { model, stops, begun } = request;
  const limit = Math.min(request.maxTokens ?? model.outputTokens, model.outputTokens);
  const isReasoning = model.reasons && request.shows === "reasoning";
  const reasoning = isReasoning ? splitTokens(writeReasoning(request.prompt, request.seed)) : [];
  const maxWritten = limit + (begun === undefined ? 0 : countTokens(begun));
  const whole = restOf(aboutPictures(request.pictures) + writeAnswer(request, maxWritten), begun);
  const stop = firstStop(whole, stops);
  const text = splitTokens(stop === undefined ? whole : whole.slice(0, stop.at));
  const call = begun === undefined && stop === undefined ? askedCall(request) : undefined;
  const isCut = reasoning.length + text.length + (call?.input.length ?? 0) > limit;
  const spoken = text.slice(0, Math.max(0, limit - reasoning.length));
  const called = call?.input.slice(0, Math.max(0, limit - reasoning.length - text.length)) ?? [];
  return {
    reasoning: reasoning.slice(0, limit),
    text: spoken,
    ...(call && called.length > 0 ? { call: { name: call.name, input: called } } : {}),
    trouble: askedTrouble(request.prompt, spoken.length),
    finish: isCut ? "length" : stop === undefined ? "stop" : "stop-sequence",
    stopSequence: isCut ? undefined : stop?.sequence,
  };
}

/**
 * The rest of an answer after `begun`. A beginning that is not that of this text, or is all of it, is followed by the whole
 * text without its heading.
 */
function restOf(whole: string, begun: string | undefined): string {
  if (begun === undefined) return whole;
  if (whole.startsWith(begun) && whole.length > begun.length) return whole.slice(begun.length);
  return `${/\s$/.test(begun) ? "" : " "}${whole.replace(/^#+ .*\n+/, "")}`;
}

/** How an answer about pictures begins. The sandbox looks at no picture, so it says what it got. */
function aboutPictures(pictures: readonly string[] = []): string {
  if (pictures.length === 0) return "";
  return `I was given ${pictures.length === 1 ? "1 image" : `${pictures.length} images`}: ${pictures.join(", ")}.\n\n`;
}

/** The documented words `stream-error` and `stream-break`. */
function askedTrouble(prompt: string, length: number): AnswerPlan["trouble"] {
  const kind = /\bstream-(error|break)\b/.exec(prompt)?.[1];
  return kind === "error" || kind === "break" ? { kind, at: Math.floor(length / 2) } : undefined;
}

/** The documented word `propose:tool`, where the format has calls. */
function askedCall({ prompt, hasCalls }: AnswerRequest): { name: string; input: string[] } | undefined {
  if (hasCalls !== true || asksForRuns(prompt) !== "tool") return undefined;
  const { name, input } = proposalCall(prompt);
  return { name, input: splitTokens(input) };
}

function firstStop(text: string, stops: readonly string[]): { at: number; sequence: string } | undefined {
  return stops
    .filter((sequence) => sequence !== "")
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
}

/** Tokens that an answer is charged for. */
export function outputTokens(plan: AnswerPlan): number {
  return plan.reasoning.length + plan.text.length + (plan.call?.input.length ?? 0);
}

const SIGNATURE = "_Written by the sandbox from your words and a seed; no model was used._";

/**
 * An answer in Markdown that follows the prompt: code where code is asked for, a table for a comparison, steps, a poem,
 * a better prompt, a long text where a length is named. The same request gives the same text.
 * `limit` is the most that can be used, in tokens; nothing much longer is written.
 */
function writeAnswer(request: AnswerRequest, limit: number): string {
  const { seed, model } = request;
  const proposes = asksForRuns(request.prompt);
  if (proposes !== undefined) return proposalText(request.prompt, proposes === "tool" && request.hasCalls === true);
  const { prompt } = request;
  const random = createRandom(seed ^ hashText(prompt));
  const words = topicWords(prompt);
  const maker = createSentenceMaker(random, words);
  const toImprove = promptToImprove(prompt);
  if (toImprove !== undefined && !model.isBase) return betterPrompt(random, toImprove);
  const length = askedLength(prompt);
  const isStory = /\b(story|tale|novel|letter|fable)\b/i.test(prompt);
  if (length !== undefined) return longText(prompt, maker, words, Math.min(length, limit + 1), isStory);
  if (model.isBase) return continuation(prompt, maker);
  if (isGreeting(prompt)) {
    const hello = request.turns > 0 ? "Hello again." : "Hello.";
    return `${hello} Ask for a list, a table, some code, or a text of 2,000 words.\n\n${SIGNATURE}`;
  }
  if (/\b(poem|haiku|verse|lyrics|song)\b/i.test(prompt)) return poem(random, words);
  if (/\bjson\b/i.test(prompt)) return codeFence("json", words);
  if (/\b(code|function|script|program|python|javascript|typescript|sql|css|rust|bash|regex)\b/i.test(prompt)) {
    return codeAnswer(prompt, maker, words);
  }
  if (isStory) return story(prompt, maker, words, 4);
  if (/\b(essay|email|article)\b/i.test(prompt)) {
    return [`## ${titleOf(prompt)}`, ...[1, 2, 3].map(() => maker.paragraph(4))].join("\n\n");
  }
  return explanation(prompt, random, maker, words);
}

/** "2,000 words", "long:5000" (tokens), "a long answer". In tokens. */
function askedLength(prompt: string): number | undefined {
  const exact = /\blong:(\d{1,6})\b/.exec(prompt)?.[1];
  if (exact !== undefined) return Number(exact);
  const [, amount, unit] = /\b(\d[\d,.]{0,8})[\s-]*(words?|tokens?)\b/i.exec(prompt) ?? [];
  if (amount !== undefined && unit !== undefined) {
    // A word has about 1.25 tokens.
    return Math.round(Number(amount.replace(/[,.]/g, "")) * (/^word/i.test(unit) ? 1.25 : 1));
  }
  return /\b(long|detailed|in depth|thorough)\b/i.test(prompt) ? 1500 : undefined;
}

function isGreeting(prompt: string): boolean {
  return (
    prompt.trim().length < 30 && /^\s*(hi|hello|hey|good (morning|evening)|thanks?( you)?|test|ping)\b/i.test(prompt)
  );
}

function codeFence(language: string, words: readonly [string, ...string[]]): string {
  return `\`\`\`${language}\n${codeBody(language, words)}\n\`\`\``;
}

function codeAnswer(prompt: string, maker: SentenceMaker, words: readonly [string, ...string[]]): string {
  const language = codeLanguage(prompt);
  const intro = `Here is a small version in \`${language}\` that you can run as is.`;
  return [intro, codeFence(language, words), "### How it works", pointList(maker, 3, true), SIGNATURE].join("\n\n");
}

function explanation(
  prompt: string,
  random: SeededRandom,
  maker: SentenceMaker,
  words: readonly [string, ...string[]],
): string {
  const isSteps = /\b(steps?|how (do|to|can|should)|guide|plan|recipe)\b/i.test(prompt);
  const wantsTable = /\b(table|compare|comparison|versus|vs|pros and cons|difference)\b/i.test(prompt);
  const blocks = [`## ${titleOf(prompt)}`, `${maker.sentence("opening")} ${maker.paragraph(2)}`];
  if (wantsTable) blocks.push(table(random, words));
  blocks.push(`### ${maker.sentence("heading")}`, pointList(maker, isSteps ? 5 : 4, isSteps));
  if (!wantsTable && random.next() < 0.6) blocks.push(`### ${maker.sentence("heading")}`, table(random, words));
  blocks.push(`> ${maker.sentence("body")}`, maker.paragraph(2), SIGNATURE);
  return blocks.join("\n\n");
}

/** Paragraphs of narration; the first names what the story is about. */
function story(
  prompt: string,
  maker: SentenceMaker,
  [hero]: readonly [string, ...string[]],
  paragraphs: number,
): string {
  const first = `Everyone in the village had a story about the ${hero}, and no two of them agreed.`;
  const rest = Array.from({ length: paragraphs }, () => maker.paragraph(4, "narration"));
  return [`# ${titleOf(prompt)}`, `${first} ${rest[0] ?? ""}`, ...rest.slice(1)].join("\n\n");
}

/** Section after section until the asked number of tokens is reached. */
function longText(
  prompt: string,
  maker: SentenceMaker,
  words: readonly [string, ...string[]],
  tokens: number,
  isStory: boolean,
): string {
  // A paragraph of a story has about 70 tokens.
  if (isStory) return story(prompt, maker, words, Math.max(1, Math.round(tokens / 70)));
  const blocks = [`# ${titleOf(prompt)}`];
  let count = countTokens(blocks[0] ?? "");
  for (let section = 1; count < tokens; section++) {
    const kind = section % 4;
    const next = [`## ${section}. ${maker.sentence("heading")}`, `${maker.sentence("opening")} ${maker.paragraph(4)}`];
    if (kind === 2) next.push(pointList(maker, 4, false));
    if (kind === 3) next.push(codeFence("typescript", words));
    next.push(maker.paragraph(4));
    for (const block of next) {
      if (count >= tokens) break;
      blocks.push(block);
      count += countTokens(block) + 2;
    }
  }
  return blocks.join("\n\n");
}

/** A base model goes on where the prompt stops, in code or in prose. */
function continuation(prompt: string, maker: SentenceMaker): string {
  const isCode = /[{};]\s*$|^\s*(def|function|class|import|const|let|SELECT|fn|#include)\b/m.test(prompt);
  if (isCode) {
    const isPython = /^\s*(def|class|import|from)\b/m.test(prompt) && !/[{};]\s*$/m.test(prompt);
    return isPython
      ? `\n    result = []\n    for item in items:\n        if item is not None:\n            result.append(item)\n    return result\n`
      : `\n  const result = [];\n  for (const item of items) {\n    if (item !== undefined) result.push(item);\n  }\n  return result;\n}\n`;
  }
  const joint = /\s$/.test(prompt) || prompt === "" ? "" : " ";
  const isMidSentence = /[\p{L}\p{N},]\s*$/u.test(prompt);
  const opening = isMidSentence ? "until the last lamp was lit, and then there was nothing left to do but wait." : "";
  const paragraphs = [1, 2, 3].map(() => maker.paragraph(4, "narration"));
  return `${joint}${opening}${opening === "" ? "" : " "}${paragraphs.join("\n\n")}`;
}

/** The reasoning of a model before it answers: a few lines about the prompt. */
function writeReasoning(prompt: string, seed: number): string {
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
