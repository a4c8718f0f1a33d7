// Writes a batch as a template, stores templates by name, and packs them into links.

import { namedKind } from "#connection/named-list.ts";
import type { Named } from "#lib/named-list.ts";
import { MAX_UNPACKED, packJson, unpackJson } from "#lib/packed-json.ts";
import type { JsonRecord } from "#lib/read.ts";
import { isPrivate, type Privacy, withoutPrivate } from "#lib/redact-secret.ts";
import { requestKey } from "#runs/request-key.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchAxes, BatchItem, ParameterAxis } from "#storage/stored-batches.ts";
import { expandAxes } from "./expand-axes.ts";
import {
  type ReadTemplate,
  readTemplate,
  type Template,
  type TemplateGroup,
  type TemplateStep,
  templateJson,
} from "./read-recipe.ts";

interface TemplateOptions extends Privacy {
  /** Needed to find out whether the rows of a group are exactly what its axes make. */
  schemas: ModelSchemas;
  /** The steps to write. With them, groups that are steps are left out, because their inputs are results. */
  steps?: readonly TemplateStep[];
}

/**
 * The template of a batch: its rows and axes, without prices, keys, and files that are private or expire.
 */
export function createTemplate(batch: Batch, options: TemplateOptions): Template {
  let leftOut = 0;
  const makePublic = (payload: JsonRecord): JsonRecord => {
    const cleaned = withoutPrivate(payload, options);
    leftOut += cleaned.leftOut;
    return cleaned.payload;
  };
  const groups = batch.groups.flatMap((group): TemplateGroup[] => {
    if (options.steps && group.kind === "step") return [];
    const items = batch.items.filter((item) => item.groupId === group.id);
    const { axes } = group;
    if (items.length === 0 && (axes === undefined || group.kind === "step")) return [];
    const followsFromAxes = axes !== undefined && (items.length === 0 || isExpansion(axes, items, options.schemas));
    const leftOutBefore = leftOut;
    const axesForFile = axes && publicAxes(axes, makePublic, options);
    // Where the rows are written as well, what both lack must be counted once.
    if (!followsFromAxes) leftOut = leftOutBefore;
    const runs = items.map(({ request }) => ({
      model: request.model,
      payload: followsFromAxes ? {} : makePublic(request.payload),
    }));
    return [{ name: group.name, ...(axesForFile ? { axes: axesForFile } : {}), ...(followsFromAxes ? {} : { runs }) }];
  });
  const steps = options.steps?.map((step) => ({ ...step, settings: makePublic(step.settings) }));
  return {
    name: batch.name,
    groups,
    rules: batch.rules,
    ...(steps && steps.length > 0 ? { steps } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
  };
}

/** Whether the rows are exactly what the axes make. */
function isExpansion(axes: BatchAxes, items: readonly BatchItem[], schemas: ModelSchemas): boolean {
  const { runs, problem, isLoading } = expandAxes(axes, schemas);
  if (problem !== undefined || isLoading || runs.length !== items.length) return false;
  const planned = runs.map(({ request }) => requestKey(request)).sort();
  const keys = items.map(({ request }) => requestKey(request)).sort();
  return keys.every((key, at) => key === planned[at]);
}

/** The axes without private values. `makePublic` counts what it leaves out. */
function publicAxes(axes: BatchAxes, makePublic: (payload: JsonRecord) => JsonRecord, privacy: Privacy): BatchAxes {
  const parameters = axes.parameters.map(({ key, values, text }): ParameterAxis => {
    const { list } = makePublic({ list: values });
    const isPublic = text !== undefined && !text.split("\n").some((line) => isPrivate(line, privacy));
    return { key, values: Array.isArray(list) ? list : [], ...(isPublic ? { text } : {}) };
  });
  const settings = Object.entries(axes.settings).map(([model, payload]) => [model, makePublic(payload)] as const);
  return { ...axes, parameters, settings: Object.fromEntries(settings) };
}

/** A template that the person saved. Its name counts before the one inside the template. */
interface StoredTemplate extends Named {
  savedAtMs: number;
  recipe: Template;
}

/** The saved templates of an account, newest first. Each is stored as its file would be, so that exports of local data have files. */
export const storedTemplates = namedKind<StoredTemplate>(
  "recipes",
  (raw, name) => {
    const { template } = readTemplate(raw.recipe);
    if (!template || typeof raw.savedAtMs !== "number") return undefined;
    return { name, savedAtMs: raw.savedAtMs, recipe: { ...template, name } };
  },
  {
    order: (a, b) => b.savedAtMs - a.savedAtMs,
    write: (stored) => stored.map((one) => ({ ...one, recipe: templateJson({ ...one.recipe, name: one.name }) })),
  },
);

/** Mail and chat programs may cut links with more characters. */
const MAX_LINK_CHARACTERS = 6000;

/** A template as the `recipe` parameter of a link; undefined where it would be too long. */
export async function packTemplate(template: Template): Promise<string | undefined> {
  const value = templateJson(template);
  const length = new TextEncoder().encode(JSON.stringify(value)).length;
  return length > MAX_UNPACKED ? undefined : packJson(value, MAX_LINK_CHARACTERS);
}

/** Reads the template of a link; resolves to a problem in a sentence where that fails. */
export async function unpackTemplate(words: string): Promise<ReadTemplate> {
  const value = await unpackJson(words, MAX_LINK_CHARACTERS);
  if (value === undefined) {
    return {
      problem: "Couldn’t read the template in this link. The link may be incomplete or from another version.",
    };
  }
  return readTemplate(value);
}

/**
 * The link of a template; `href` is the full address of `/batch` without a query. Resolves to a problem in a sentence where it would
 * be too long.
 */
export async function templateLink(
  template: Template,
  href: string,
): Promise<{ link: string; problem?: undefined } | { link?: undefined; problem: string }> {
  const words = await packTemplate(template);
  if (words === undefined) return { problem: "This template is too long for a link. Download it as a file instead." };
  return { link: `${href}?recipe=${words}` };
}
