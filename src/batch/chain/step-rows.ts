import type { MediaKind } from "#api/types.ts";
import { newGroup, type PlannedRun, plannedItem } from "#batch/rows/group-runs.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { RowPrices } from "#runs/prices/row-prices.ts";
import { maxFiles, mediaValue } from "#schema-form/media-value.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import type { ModelSchema } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchGroup, BatchItem, ItemSource } from "#storage/stored-batches.ts";
import type { ChainResult } from "./chain-results.ts";

/** Everything that decides the runs of a step. */
export interface StepPlan {
  results: readonly ChainResult[];
  model: string;
  /** The values of the form, which lacks the fields that results fill. */
  settings: JsonRecord;
  /** The field that takes the result. */
  field: MediaField;
  /**
   * `each`: one run per result. `all`: one run with all results in `field`. `ends`: one run of two results, the second in
   * `endField`.
   */
  way: "each" | "all" | "ends";
  endField: MediaField | undefined;
  /** The field for the prompt of each result; undefined: all runs have the prompt of the settings. */
  promptKey: string | undefined;
  use: ItemSource["use"];
}

/** The ways in which results can become runs of a model; "each", the first, is always possible. */
export function stepWays(field: MediaField, fields: readonly MediaField[], count: number): StepPlan["way"][] {
  const takesAll = count > 1 && count <= maxFiles(field);
  const hasEnds = count === 2 && findEndField(field, fields) !== undefined;
  return ["each", ...(takesAll ? (["all"] as const) : []), ...(hasEnds ? (["ends"] as const) : [])];
}

/** The field for the second of two images, such as an end frame. */
export function findEndField(field: MediaField, fields: readonly MediaField[]): MediaField | undefined {
  return fields.find((other) => other !== field && other.media === field.media && /end|last|tail/i.test(other.key));
}

/**
 * The runs of a step. `addressOf` gives the address of a result as an input. For one that is not stored yet it may be another
 * address, which gives the same price.
 */
export function stepRuns(plan: StepPlan, addressOf: (result: ChainResult) => string): PlannedRun[] {
  const { results, model, settings, field, way, endField, promptKey, use } = plan;
  const groups = way === "each" ? results.map((result) => [result]) : results.length > 0 ? [results] : [];
  return groups.flatMap((group): PlannedRun[] => {
    const [first] = group;
    if (!first) return [];
    const addresses = group.map(addressOf);
    const media: JsonRecord =
      way === "ends" && endField
        ? {
            [field.key]: mediaValue(field, addresses.slice(0, 1)),
            [endField.key]: mediaValue(endField, addresses.slice(1, 2)),
          }
        : { [field.key]: mediaValue(field, addresses) };
    const prompt = promptKey !== undefined && first.prompt !== undefined ? { [promptKey]: first.prompt } : {};
    return [
      { request: { model, payload: { ...prompt, ...settings, ...media } }, source: { itemId: first.itemId, use } },
    ];
  });
}

/** The number of a run's step: 1 for a run that uses no result, and one more than the run whose result it uses. */
function getStepNumber(item: BatchItem, byId: ReadonlyMap<string, BatchItem>): number {
  let depth = 1;
  const seen = new Set([item.id]);
  for (let current: BatchItem | undefined = item; current?.source; depth += 1) {
    current = byId.get(current.source.itemId);
    if (!current || seen.has(current.id)) break;
    seen.add(current.id);
  }
  return depth;
}

/** The name of a step's group, such as "Step 2: Animate". `sources`: ids of the runs whose results it uses. */
export function stepName(batch: Batch, sources: readonly string[], label: string): string {
  const byId = new Map(batch.items.map((item) => [item.id, item]));
  const depths = sources.flatMap((id) => {
    const item = byId.get(id);
    return item ? [getStepNumber(item, byId)] : [];
  });
  return `Step ${Math.max(1, ...depths) + 1}: ${label}`;
}

/** A step that is ready to be put into a batch. */
interface MadeStep {
  group: BatchGroup;
  items: readonly BatchItem[];
}

/** The rows of a step with new ids, in a new group, or in the group `planned` that a template left for it. */
export function makeStep(name: string, runs: readonly PlannedRun[], planned?: BatchGroup): MadeStep {
  const group = planned ?? newGroup(name, "step");
  return { group, items: runs.map((run) => plannedItem(run, group.id)) };
}

/** The batch with the rows of a step at its end. Rows that are in it already are not added again. */
export function withStep(batch: Batch, { group, items }: MadeStep): Batch {
  const known = new Set(batch.items.map(({ id }) => id));
  const groups = batch.groups.some(({ id }) => id === group.id) ? batch.groups : [...batch.groups, group];
  return { ...batch, groups, items: [...batch.items, ...items.filter(({ id }) => !known.has(id))] };
}

/** What a step costs, before anything of it is sent. */
interface StepTotalState {
  /** Whole micro-USD of all runs; undefined while one of them has no price. */
  totalMicroUsd: number | undefined;
  error: Error | undefined;
}

/** Adds up the exact prices of some runs. */
export function stepTotal(runs: readonly PlannedRun[], prices: Pick<RowPrices, "of">): StepTotalState {
  let totalMicroUsd: number | undefined = 0;
  for (const { request } of runs) {
    const price = prices.of(request);
    if (price.state === "failed") return { totalMicroUsd: undefined, error: price.error };
    totalMicroUsd =
      price.state === "priced" && totalMicroUsd !== undefined ? totalMicroUsd + price.priceMicroUsd : undefined;
  }
  return { totalMicroUsd, error: undefined };
}

/** A kind of step: which results it uses, and what its models take and make. */
export interface StepKind {
  id: "animate" | "edit" | "continue" | "edit-clip" | "sound";
  /** Shown on the screen and in the name of the group: "Step 2: Animate". */
  label: string;
  /** The kind of the results that it uses. */
  from: MediaKind;
  /** The kind of the input. A last frame of a video is an image. */
  takes: "image" | "video" | "audio";
  /** The type of its models; undefined: any. */
  makes: string | undefined;
  use: ItemSource["use"];
}

const KINDS: readonly StepKind[] = [
  { id: "animate", label: "Animate", from: "image", takes: "image", makes: "video", use: "file" },
  { id: "edit", label: "Edit or upscale", from: "image", takes: "image", makes: "image", use: "file" },
  {
    id: "continue",
    label: "Continue from last frame",
    from: "video",
    takes: "image",
    makes: "video",
    use: "last-frame",
  },
  { id: "edit-clip", label: "Edit or extend", from: "video", takes: "video", makes: undefined, use: "file" },
  { id: "sound", label: "Use as audio", from: "audio", takes: "audio", makes: undefined, use: "file" },
];

/** The kinds of step that some results allow; those for the most frequent kind of file come first. */
export function stepKinds(results: readonly ChainResult[]): StepKind[] {
  const count = (kind: MediaKind) => results.filter(({ file }) => file.kind === kind).length;
  return KINDS.filter(({ from }) => count(from) > 0).sort((a, b) => count(b.from) - count(a.from));
}

/** The fields of a model that take the input of a step; fields for its very kind come first. */
export function stepFields(schema: FormSchema, { takes }: StepKind): MediaField[] {
  const fields = schema.fields.filter((field) => field.kind === "media");
  const fitting = fields.filter(({ media, role }) => role !== "mask" && (media === takes || media === "file"));
  return fitting.sort((a, b) => Number(b.media === takes) - Number(a.media === takes));
}

/** Whether a model can do a step: it accepts such a file, and makes what the step makes. */
export function takesStep(known: ModelSchema | undefined, kind: StepKind): boolean {
  if (known?.state !== "ready") return false;
  const makes = kind.makes === undefined || known.type === kind.makes;
  return makes && stepFields(known.schema, kind).length > 0;
}
