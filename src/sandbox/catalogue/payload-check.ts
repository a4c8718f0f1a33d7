import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { ModelDefinition, Parameter } from "./model-definition.ts";

/**
 * What is wrong with a payload, in words that begin with the key; undefined when nothing is.
 * The keys accepted are exactly the model's parameters (spec 2).
 */
export function payloadProblem(model: ModelDefinition, payload: JsonRecord): string | undefined {
  const names = new Set(model.parameters.map((parameter) => parameter.wire.name));
  const unknown = Object.keys(payload).find((key) => !names.has(key));
  if (unknown !== undefined) return `${unknown} is not a parameter of ${model.id}`;
  for (const parameter of model.parameters) {
    const problem = parameterProblem(parameter, payload);
    if (problem !== undefined) return `${parameter.wire.name} ${problem}`;
  }
  return model.rule?.(withDefaults(model, payload));
}

function parameterProblem(parameter: Parameter, payload: JsonRecord): string | undefined {
  const { name, required, default_value: fallback } = parameter.wire;
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
  if (value === undefined) {
    return required === true && fallback === undefined ? "is required" : undefined;
  }
  // A default of null means that null is a value of this parameter.
  return value === null && fallback === null ? undefined : parameter.check(value);
}

/** The payload as the model works with it: defaults filled in (spec 2), null as if left out. */
export function withDefaults(model: ModelDefinition, payload: JsonRecord): JsonRecord {
  const full: JsonRecord = {};
  for (const { wire } of model.parameters) {
    const given = Object.hasOwn(payload, wire.name) ? payload[wire.name] : undefined;
    const value = given === undefined ? wire.default_value : given;
    if (value !== undefined && value !== null) full[wire.name] = isRecord(value) ? { ...value } : value;
  }
  return full;
}
