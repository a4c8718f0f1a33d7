// Reads the runs that a chat model proposes. `README.md` describes both shapes of a proposal.

import { jsonErrorPlace } from "#lib/json-place.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { asFilledText, asTexts, isRecord, type JsonRecord, makeSafe, parseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MAX_ITEMS, type ParameterAxis } from "#storage/stored-batches.ts";
import { readContent, type Template } from "./read-recipe.ts";

type ProposedRuns =
  | { template: Template; problems: string[]; problem?: undefined }
  | { template?: undefined; problems?: undefined; problem: string };

/** Longer than any response of a chat. */
const MAX_CHARACTERS = 1_000_000;
const MAX_PARAMETERS = 50;
/** Problems that are shown one by one. */
const MAX_PROBLEMS = 20;
/** The keys of a proposal, as a chat model writes them. */
const KEYS = { runs: "runs", models: "models", axes: "axes", settings: "settings", way: "way" } as const;
const NO_RUNS = `It needs “${KEYS.runs}”, or “${KEYS.models}” and “${KEYS.axes}”.`;

/**
 * Reads a proposal: the text of a block, or the parsed arguments of a tool call, from which keys such as `__proto__` are removed in
 * place. `problems` says in sentences what was skipped; `problem`, why nothing could be read.
 */
export function readProposedRuns(raw: unknown): ProposedRuns {
  if (typeof raw !== "string") return readProposal(raw);
  if (raw.length > MAX_CHARACTERS) return { problem: "This proposal is too long." };
  const { value, problem } = parseJson(raw);
  if (problem === undefined) return readProposal(value);
  const place = jsonErrorPlace(raw);
  const why = place ? `Check line ${formatNumber(place.line)}, column ${formatNumber(place.column)}.` : `${problem}.`;
  return { problem: `This isn’t JSON. ${why}` };
}

function readProposal(raw: unknown): ProposedRuns {
  if (!isRecord(raw)) return { problem: `This isn’t a JSON object. ${NO_RUNS}` };
  if (!makeSafe(raw)) return { problem: "This proposal is too large." };
  const problems: string[] = [];
  const content = raw.runs === undefined ? axesContent(raw, problems) : runsContent(raw.runs, problems);
  if (content.problem !== undefined) return { problem: content.problem };
  const name = raw.name === undefined ? {} : { name: raw.name };
  const read = readContent({ ...name, ...content.value }, "proposal");
  if (read.template === undefined) return { problem: [read.problem, ...problems.slice(0, 3)].join(" ") };
  // `readContent` makes up a name, which a proposal without one must not have.
  const template = asFilledText(raw.name) === undefined ? { ...read.template, name: "" } : read.template;
  const more = problems.length - MAX_PROBLEMS;
  return {
    template,
    problems: more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `${counted(more, "more problem")}.`] : problems,
  };
}

type Content = { value: JsonRecord; problem?: undefined } | { problem: string };

function runsContent(runs: unknown, problems: string[]): Content {
  if (!Array.isArray(runs)) return { problem: `The value of “${KEYS.runs}” isn’t a list.` };
  const complete = runs.filter((run, at) => {
    const hasModel = isRecord(run) && asFilledText(run.model) !== undefined;
    const hasPayload = isRecord(run) && isRecord(run.payload);
    const number = `Run ${formatNumber(at + 1)}`;
    if (!hasModel) problems.push(`${number} has no model, so it is skipped.`);
    else if (!hasPayload) problems.push(`${number} has no settings, so it is skipped.`);
    return hasModel && hasPayload;
  });
  if (complete.length > MAX_ITEMS) {
    const [all, most] = [complete.length, MAX_ITEMS].map((count) => formatNumber(count));
    problems.push(`Too many runs: ${all}. A batch can have up to ${most}, so the rest are skipped.`);
  }
  return { value: { runs: complete.slice(0, MAX_ITEMS) } };
}

function axesContent(raw: JsonRecord, problems: string[]): Content {
  const listed = asTexts(raw.models).filter((model) => model !== "");
  const single = asFilledText(raw.models) ?? asFilledText(raw.model);
  const models = listed.length > 0 ? listed : single === undefined ? [] : [single];
  const [first] = models;
  if (first === undefined) return { problem: `No model given. ${NO_RUNS}` };
  if (raw.axes !== undefined && !isRecord(raw.axes)) return { problem: `The value of “${KEYS.axes}” isn’t an object.` };
  if (raw.settings !== undefined && !isRecord(raw.settings)) {
    return { problem: `The value of “${KEYS.settings}” isn’t an object.` };
  }
  if (raw.way !== undefined && raw.way !== "product" && raw.way !== "zip") {
    problems.push(`“${KEYS.way}” is neither “product” nor “zip”, so every combination is used.`);
  }
  const entries = Object.entries(raw.axes ?? {});
  if (entries.length > MAX_PARAMETERS) return { problem: `This proposal has more than ${MAX_PARAMETERS} parameters.` };
  const parameters = entries.flatMap(([key, values]): ParameterAxis[] => {
    const list = Array.isArray(values) ? values : [values];
    if (list.length > MAX_ITEMS) problems.push(`${visibleLine(key, 60)} has more values than a batch can have runs.`);
    return list.length === 0 ? [] : [createAxis(key, list)];
  });
  const settings = Object.fromEntries([[first, raw.settings ?? {}]]);
  return { value: { axes: { models, settings, parameters, way: raw.way === "zip" ? "zip" : "product" } } };
}

/** An axis. If a value has `{a|b}` or `{1..4}`, the values become a text, as a person would type them, and are expanded. */
function createAxis(key: string, values: readonly unknown[]): ParameterAxis {
  const isText = values.every((value) => typeof value === "string" && !/[\r\n]/.test(value) && value.trim() !== "");
  const hasTemplate = values.some((value) => typeof value === "string" && /\{[^{}]*(?:\||\.\.)/.test(value));
  return isText && hasTemplate ? { key, values, text: values.join("\n") } : { key, values };
}
