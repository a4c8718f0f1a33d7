import type { TextEndpoint } from "#api/text/text-types.ts";
import { formatNumber } from "#lib/numbers.ts";
import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { OWN_FIELDS } from "#text/answer-request.ts";
import { DEFAULT_MAX_TOKENS } from "#text/conversations/conversation.ts";

/** One field of a request body that has a control of its own. */
export interface Parameter {
  name: string;
  label: string;
  kind: "count" | "number" | "texts" | "choice" | "switch" | "tools";
  min?: number;
  max?: number;
  choices?: readonly string[];
  hint?: string;
  /** For a field inside another: `reasoning` for `reasoning.effort`. */
  inside?: string;
}

const TEMPERATURE: Parameter = { name: "temperature", label: "Temperature", kind: "number", min: 0, max: 2 };
const TOP_P: Parameter = { name: "top_p", label: "Top p", kind: "number", min: 0, max: 1 };
/** Tools that a model may call. Safelight only shows the calls. */
const TOOLS: Parameter = {
  name: "tools",
  label: "Tools",
  kind: "tools",
  hint: "Safelight shows tool calls but doesn’t run them.",
};
const MAX_TOKENS: Parameter = { name: "max_tokens", label: "Max tokens", kind: "count", min: 1 };

/** The fields with a control: those of the specification (spec 4.2), and others that the formats usually have. */
export const PARAMETERS: Record<TextEndpoint, readonly Parameter[]> = {
  messages: [
    { ...MAX_TOKENS, hint: `Required by this endpoint. Default: ${formatNumber(DEFAULT_MAX_TOKENS)}.` },
    { ...TEMPERATURE, max: 1, hint: "Newer models don’t accept it." },
    TOP_P,
    { name: "top_k", label: "Top k", kind: "count", min: 1 },
    {
      name: "type",
      inside: "thinking",
      label: "Thinking",
      kind: "choice",
      choices: ["enabled", "adaptive", "disabled"],
      hint: "“enabled” needs a budget.",
    },
    {
      name: "budget_tokens",
      inside: "thinking",
      label: "Budget",
      kind: "count",
      min: 1024,
      hint: "In tokens. Must be below Max tokens.",
    },
    { name: "stop_sequences", label: "Stop sequences", kind: "texts" },
    TOOLS,
  ],
  responses: [
    { name: "max_output_tokens", label: "Max tokens", kind: "count", min: 1 },
    TEMPERATURE,
    TOP_P,
    {
      name: "effort",
      inside: "reasoning",
      label: "Reasoning effort",
      kind: "choice",
      choices: ["none", "minimal", "low", "medium", "high"],
    },
    {
      name: "summary",
      inside: "reasoning",
      label: "Reasoning summary",
      kind: "choice",
      choices: ["auto", "concise", "detailed"],
    },
    TOOLS,
  ],
  completions: [
    { ...MAX_TOKENS, hint: `Default: ${formatNumber(DEFAULT_MAX_TOKENS)}` },
    TEMPERATURE,
    TOP_P,
    { name: "stop", label: "Stop sequences", kind: "texts", hint: "Up to 4" },
    { name: "presence_penalty", label: "Presence penalty", kind: "number", min: -2, max: 2 },
    { name: "frequency_penalty", label: "Frequency penalty", kind: "number", min: -2, max: 2 },
    { name: "seed", label: "Seed", kind: "count", min: 0 },
    { name: "include_usage", inside: "stream_options", label: "Request token counts", kind: "switch" },
  ],
};

/** The value of a parameter; undefined where it is not set. */
export function readParameter(params: JsonRecord, { name, inside }: Parameter): unknown {
  if (inside === undefined) return params[name];
  const group = params[inside];
  return isRecord(group) ? group[name] : undefined;
}

/** Sets one parameter, or with undefined removes it from the request. */
export function writeParameter(params: JsonRecord, { name, inside }: Parameter, value: unknown): JsonRecord {
  if (inside === undefined) return withField(params, name, value);
  const group = params[inside];
  const changed = withField(isRecord(group) ? group : {}, name, value);
  return withField(params, inside, Object.keys(changed).length === 0 ? undefined : changed);
}

function withField(record: JsonRecord, name: string, value: unknown): JsonRecord {
  const { [name]: _, ...others } = record;
  return value === undefined ? others : { ...others, [name]: value };
}

/** The value of a parameter's control: a boolean for a switch, a text for every other control. */
export function parameterInput({ kind }: Parameter, value: unknown): string | boolean {
  if (kind === "switch") return value === true;
  // A line end inside one stop sequence is shown as its escape, as each line is a sequence of its own.
  if (Array.isArray(value)) return value.map((line) => String(line).replaceAll("\n", "\\n")).join("\n");
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

/** The value to send for the input of a control, or what is wrong with the input. An undefined value is not sent. */
export function parseParameter(
  parameter: Parameter,
  input: string | boolean,
): { value: unknown } | { problem: string } {
  if (typeof input === "boolean") return { value: input ? true : undefined };
  switch (parameter.kind) {
    case "count":
    case "number":
      return parseNumber(parameter, input);
    case "texts": {
      const lines = input.split("\n").filter((line) => line !== "");
      return { value: lines.length === 0 ? undefined : lines.map((line) => line.replaceAll("\\n", "\n")) };
    }
    default:
      return { value: input === "" ? undefined : input };
  }
}

function parseNumber({ kind, min, max }: Parameter, text: string): { value: unknown } | { problem: string } {
  if (text.trim() === "") return { value: undefined };
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "Enter a number." };
  if (kind === "count" && !Number.isInteger(value)) return { problem: "Enter a whole number." };
  if (min !== undefined && value < min) return { problem: `Enter ${formatNumber(min)} or more.` };
  if (max !== undefined && value > max) return { problem: `Enter ${formatNumber(max)} or less.` };
  return { value };
}

/** The fields without a control, for the field "Extra JSON". */
export function otherFields(endpoint: TextEndpoint, params: JsonRecord): JsonRecord {
  const known = new Set(PARAMETERS[endpoint].map(({ name, inside }) => inside ?? name));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !known.has(name)));
}

/** The parameters, with the fields without a control replaced by those in `text`; or what is wrong with `text`. */
export function withOtherFields(
  endpoint: TextEndpoint,
  params: JsonRecord,
  text: string,
): { params: JsonRecord } | { problem: string } {
  const others = text.trim() === "" ? {} : tryParseJson(text);
  if (!isRecord(others)) return { problem: "Enter a JSON object." };
  const ownField = OWN_FIELDS.find((name) => name in others);
  if (ownField !== undefined) return { problem: `${ownField} is set by the chat.` };
  const withControl = PARAMETERS[endpoint].find(({ name, inside }) => (inside ?? name) in others);
  if (withControl !== undefined)
    return { problem: `Use the field above for ${withControl.inside ?? withControl.name}.` };
  const replaced = Object.keys(otherFields(endpoint, params));
  const controlled = Object.fromEntries(Object.entries(params).filter(([name]) => !replaced.includes(name)));
  return { params: { ...controlled, ...others } };
}
