import type { JobRequest } from "#api/types.ts";
import { formatNumber } from "#lib/numbers.ts";
import { asFilledText, asNumber, isRecord, type JsonRecord, makeSafe, parseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { type BatchAxes, type BatchRules, MAX_ITEMS, readAxes, readRules } from "#storage/stored-batches.ts";

/** A step of a chain: the model that uses a result, and its settings. `use`: the result's file, or its last frame. */
export interface TemplateStep {
  model: string;
  settings: JsonRecord;
  use: "file" | "last-frame";
}

/** A group of runs of a template: combinations of axes, or a list. */
export interface TemplateGroup {
  name: string;
  axes?: BatchAxes;
  /** The runs one by one. With `axes`, these are the rows, because some were edited or removed. */
  runs?: readonly JobRequest[];
}

/** A batch without prices, jobs and files, to be saved by name and shared. */
export interface Template {
  name: string;
  groups: readonly TemplateGroup[];
  rules?: BatchRules;
  steps?: readonly TemplateStep[];
  /** How many values were left out because they are private or expire. */
  leftOut?: number;
}

/** The version of the file's format. Files of a higher version are refused. */
const VERSION = 1;
const MAX_CHARACTERS = 5_000_000;
const MAX_NAME_CHARACTERS = 120;
const MAX_GROUPS = 200;
const MAX_MODELS = 50;
const MAX_STEPS = 20;

export type ReadTemplate = { template: Template; problem?: undefined } | { template?: undefined; problem: string };

/** A template as the value of its file or link. */
export function templateJson(template: Template): JsonRecord {
  return { safelight: "recipe", version: VERSION, ...template };
}

/** A template as the text of its file. */
export function writeTemplate(template: Template): string {
  return `${JSON.stringify(templateJson(template), null, 2)}\n`;
}

/**
 * Reads an untrusted template: a text, or parsed JSON, from which keys such as `__proto__` are removed in place. Unknown fields are
 * ignored. A run that cannot be read refuses the whole template, because it must not be lost silently.
 */
export function readTemplate(raw: unknown): ReadTemplate {
  if (typeof raw !== "string") return readParsed(raw);
  if (raw.length > MAX_CHARACTERS) return { problem: "This file is too large for a template." };
  const { value, problem } = parseJson(raw.startsWith("\uFEFF") ? raw.slice(1) : raw);
  return problem === undefined
    ? readParsed(value)
    : { problem: `This file isn’t a template: invalid JSON (${problem}).` };
}

function readParsed(raw: unknown): ReadTemplate {
  if (!isRecord(raw) || raw.safelight !== "recipe") return { problem: "This isn’t a Safelight template." };
  const version = asNumber(raw.version);
  if (version === undefined || !Number.isInteger(version) || version < 1) {
    return { problem: "This template has no version, so it can’t be read." };
  }
  if (version > VERSION) {
    return {
      problem: "This template was made by a newer version of Safelight. Reload the page to update.",
    };
  }
  if (!makeSafe(raw)) return { problem: "This template is too large." };
  return readContent(raw, "template");
}

/**
 * Reads the content of a template: groups, or the axes or runs of one group. `word` names the template in problems. `raw` must have
 * passed `makeSafe`.
 */
export function readContent(raw: JsonRecord, word: string): ReadTemplate {
  const listed = Array.isArray(raw.groups) ? raw.groups : [raw];
  if (listed.length > MAX_GROUPS) return { problem: `This ${word} has more than ${MAX_GROUPS} groups.` };
  const groups: TemplateGroup[] = [];
  let count = 0;
  for (const [at, one] of listed.entries()) {
    if (!isRecord(one)) return { problem: `Group ${at + 1} of this ${word} can’t be read.` };
    const axes = readAxes(one.axes);
    const runs = readRuns(one.runs, word);
    if (runs.problem !== undefined) return { problem: runs.problem };
    if (axes === undefined && runs.list.length === 0) continue;
    count += runs.list.length;
    const name = readName(one.name) ?? readName(raw.name) ?? "Runs";
    groups.push({
      name,
      ...(axes ? { axes } : {}),
      ...(axes === undefined || runs.list.length > 0 ? { runs: runs.list } : {}),
    });
  }
  if (groups.length === 0) return { problem: `This ${word} has no runs.` };
  const most = formatNumber(MAX_ITEMS);
  if (count > MAX_ITEMS) {
    return { problem: `This ${word} has ${formatNumber(count)} runs. A batch can have up to ${most}.` };
  }
  const steps = readSteps(raw.steps);
  const leftOut = Math.round(asNumber(raw.leftOut) ?? 0);
  const template: Template = {
    name: readName(raw.name) ?? "Template",
    groups,
    ...(isRecord(raw.rules) ? { rules: readRules(raw.rules) } : {}),
    ...(steps.length > 0 ? { steps } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
  };
  // Each model is a request before anything can be shown.
  if (templateModels(template).length > MAX_MODELS) {
    return { problem: `This ${word} has more than ${MAX_MODELS} models.` };
  }
  return { template };
}

/** A name, safe to show; undefined where there is none. */
function readName(raw: unknown): string | undefined {
  const text = asFilledText(raw);
  return text === undefined ? undefined : asFilledText(visibleLine(text, MAX_NAME_CHARACTERS));
}

function readRuns(raw: unknown, word: string): { list: JobRequest[]; problem?: string } {
  if (raw === undefined || raw === null) return { list: [] };
  if (!Array.isArray(raw)) return { list: [], problem: `The runs of this ${word} aren’t a list.` };
  const list: JobRequest[] = [];
  for (const [at, run] of raw.entries()) {
    const model = isRecord(run) ? asFilledText(run.model) : undefined;
    const name = `Run ${formatNumber(at + 1)} of this ${word}`;
    if (!isRecord(run) || model === undefined) return { list, problem: `${name} has no model.` };
    if (!isRecord(run.payload)) return { list, problem: `${name} has no settings.` };
    list.push({ model, payload: run.payload });
  }
  return { list };
}

function readSteps(raw: unknown): TemplateStep[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_STEPS).flatMap((step): TemplateStep[] => {
    const model = isRecord(step) ? asFilledText(step.model) : undefined;
    if (!isRecord(step) || model === undefined) return [];
    const settings = isRecord(step.settings) ? step.settings : {};
    return [{ model, settings, use: step.use === "last-frame" ? "last-frame" : "file" }];
  });
}

/** The models that a template names. Load their schemas before `openTemplate`. */
export function templateModels({ groups, steps = [] }: Template): string[] {
  const named = groups.flatMap(({ axes, runs = [] }) => [...(axes?.models ?? []), ...runs.map(({ model }) => model)]);
  return [...new Set([...named, ...steps.map(({ model }) => model)])];
}
