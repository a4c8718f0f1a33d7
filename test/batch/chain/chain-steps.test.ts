import { describe, expect, it } from "vitest";
import type { MediaItem } from "#api/types.ts";
import { type ChainResult, chainResults } from "#batch/chain/chain-results.ts";
import {
  makeStep,
  stepFields,
  stepKinds,
  stepName,
  stepRuns,
  stepTotal,
  stepWays,
  takesStep,
  withStep,
} from "#batch/chain/step-rows.ts";
import { getTemplateSteps, plannedStep, plannedStepGroup } from "#batch/rows/batch-steps.ts";
import { withoutFields } from "#batch/rows/carry-axes.ts";
import type { ItemState, ItemView } from "#batch/runner/batch-views.ts";
import { getDeletedMedia } from "#media/deleted-media.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { type Batch, type BatchItem, DEFAULT_RULES } from "#storage/stored-batches.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const NOW_MS = 1_800_000_000_000;
const NOW_SECONDS = NOW_MS / 1000;
const DAY_SECONDS = 86_400;

const image = (id: string, more: Partial<MediaItem> = {}): MediaItem => ({
  id,
  kind: "image",
  url: `https://files.example.com/${id}.png`,
  ...more,
});

const row = (id: string, prompt = `Prompt of ${id}`, more: Partial<BatchItem> = {}): BatchItem => ({
  id,
  groupId: "g",
  intentId: `intent-${id}`,
  request: { model: "stills", payload: { prompt, size: "1024x768" } },
  ...more,
});

const done = (requestId: string): ItemState => ({ kind: "sent", requestId, status: "success", isRunning: false });
const view = (item: BatchItem, state: ItemState, job?: TrackedJob): ItemView => ({
  item,
  state,
  ...(job ? { job } : {}),
});

const made = (media: MediaItem[], createdAtSeconds = NOW_SECONDS) =>
  ({ media, createdAtSeconds }) as unknown as TrackedJob;

const batchOf = (items: readonly BatchItem[]): Batch => ({
  id: "b",
  name: "Harbour",
  createdAtMs: NOW_MS,
  groups: [{ id: "g", name: "Runs", kind: "runs" }],
  items,
  rules: DEFAULT_RULES,
});

const result = (itemId: string, more: Partial<ChainResult> = {}): ChainResult => ({
  key: `${itemId}/0`,
  itemId,
  name: itemId,
  file: image(itemId),
  prompt: `Prompt of ${itemId}`,
  createdAtSeconds: NOW_SECONDS,
  ...more,
});

const FRAMES = readSchema({
  parameters: [
    { name: "prompt", type: "string", required: true },
    { name: "first_frame", display_name: "First frame", type: "image (URL)", required: true },
    { name: "last_frame", display_name: "Last frame", type: "image (URL)", required: false },
    { name: "mask_image", display_name: "Mask", type: "image (URL)", required: false },
    { name: "duration", type: "integer", default_value: 5 },
  ],
});

describe("results of runs", () => {
  it("names each file by its place in the table and carries the prompt", () => {
    const all = [
      view(row("a"), done("1"), made([image("x")])),
      view(row("b"), done("2"), made([image("y"), image("z")])),
    ];
    const { results, leftOut } = chainResults([all[1] as ItemView], {
      all,
      nowMs: NOW_MS,
      deleted: getDeletedMedia(""),
    });
    expect(results.map(({ name, prompt, file }) => [name, prompt, file.id])).toEqual([
      ["Run 2, file 1", "Prompt of b", "y"],
      ["Run 2, file 2", "Prompt of b", "z"],
    ]);
    expect(leftOut).toEqual([]);
  });

  it("says what is left out and why", () => {
    const all = [
      view(row("draft"), { kind: "draft" }),
      view(row("failed"), { kind: "sent", requestId: "1", status: "failed", isRunning: false }),
      view(row("inside"), done("2"), made([image("i", { url: "s3://bucket/file.png" })])),
      view(row("mentioned"), done("3"), made([image("m", { isElsewhere: true })])),
    ];
    const { results, leftOut } = chainResults(all, { all, nowMs: NOW_MS, deleted: getDeletedMedia("") });
    expect(results).toEqual([]);
    expect(leftOut).toEqual([
      "1 run has no result yet.",
      "2 runs ended without a result.",
      "1 result has a URL that models can’t load.",
    ]);
  });

  it("leaves out what the service no longer keeps", () => {
    const all = [view(row("a"), done("1"), made([image("x"), image("y")], NOW_SECONDS - 61 * DAY_SECONDS))];
    expect(chainResults(all, { all, nowMs: NOW_MS, deleted: getDeletedMedia("") })).toEqual({
      results: [],
      leftOut: ["2 results have expired."],
    });
  });
});

describe("kinds of steps", () => {
  const clip = result("c", { file: { ...image("c"), kind: "video" } });

  it("offers what the results allow, the more frequent kind first", () => {
    expect(stepKinds([result("a")]).map(({ id }) => id)).toEqual(["animate", "edit"]);
    expect(stepKinds([clip, clip, result("a")]).map(({ id }) => id)).toEqual([
      "continue",
      "edit-clip",
      "animate",
      "edit",
    ]);
    expect(stepKinds([])).toEqual([]);
  });

  it("takes models that make the right thing and have a field for the file, never a mask", () => {
    const [animate, edit] = stepKinds([result("a")]);
    if (!animate || !edit) throw new Error("no kinds");
    expect(stepFields(FRAMES, animate).map(({ key }) => key)).toEqual(["first_frame", "last_frame"]);
    expect(takesStep({ state: "ready", schema: FRAMES, type: "video" }, animate)).toBe(true);
    expect(takesStep({ state: "ready", schema: FRAMES, type: "video" }, edit)).toBe(false);
    const words = readSchema({ parameters: [{ name: "prompt", type: "string" }] });
    expect(takesStep({ state: "ready", schema: words, type: "video" }, animate)).toBe(false);
    expect(takesStep({ state: "loading" }, animate)).toBe(false);
  });
});

describe("runs of a step", () => {
  const [animate] = stepKinds([result("a")]);
  const fields = animate ? stepFields(FRAMES, animate) : [];
  const [field] = fields;
  if (!field) throw new Error("no field");
  const plan = {
    results: [result("a"), result("b", { prompt: undefined })],
    model: "clips",
    settings: { duration: 8 },
    field,
    way: "each" as const,
    endField: undefined,
    promptKey: "prompt",
    use: "file" as const,
  };
  const own = ({ file }: ChainResult) => file.url;

  it("makes one for each result, with its prompt and its address", () => {
    expect(stepRuns(plan, own)).toEqual([
      {
        request: {
          model: "clips",
          payload: { prompt: "Prompt of a", duration: 8, first_frame: "https://files.example.com/a.png" },
        },
        source: { itemId: "a", use: "file" },
      },
      {
        request: { model: "clips", payload: { duration: 8, first_frame: "https://files.example.com/b.png" } },
        source: { itemId: "b", use: "file" },
      },
    ]);
  });

  it("gives all the prompt of the settings where each has none of its own", () => {
    const made = stepRuns({ ...plan, settings: { prompt: "Slow pan" }, promptKey: undefined }, own);
    expect(made.map(({ request }) => request.payload.prompt)).toEqual(["Slow pan", "Slow pan"]);
  });

  it("makes one of two as start and end, where the model has both", () => {
    expect(stepWays(field, fields, 1)).toEqual(["each"]);
    expect(stepWays(field, fields, 2)).toEqual(["each", "ends"]);
    expect(stepWays(field, fields, 3)).toEqual(["each"]);
    const ends = { ...plan, way: "ends" as const, endField: fields[1] };
    expect(stepRuns(ends, own).map(({ request }) => request.payload)).toEqual([
      {
        prompt: "Prompt of a",
        duration: 8,
        first_frame: "https://files.example.com/a.png",
        last_frame: "https://files.example.com/b.png",
      },
    ]);
  });

  it("puts all into a field that takes a list, as far as it takes so many", () => {
    const many = { ...field, shape: "many" as const, maxItems: 3 };
    expect(stepWays(many, [many], 3)).toEqual(["each", "all"]);
    expect(stepWays(many, [many], 4)).toEqual(["each"]);
    const [run] = stepRuns({ ...plan, field: many, way: "all" }, own);
    expect(run?.request.payload.first_frame).toEqual([
      "https://files.example.com/a.png",
      "https://files.example.com/b.png",
    ]);
  });

  it("hides the fields that results fill, and does not ask for them", () => {
    const shown = withoutFields(FRAMES, new Set(["first_frame", "prompt"]));
    expect(shown.fields.map(({ key }) => key)).not.toContain("first_frame");
    expect(shown.schema.required ?? []).toEqual([]);
    expect(FRAMES.schema.required).toEqual(["prompt", "first_frame"]);
  });

  it("has a total only when every run has an exact price", () => {
    const runs = stepRuns(plan, own);
    const price = (priceMicroUsd: number) => ({ state: "priced" as const, priceMicroUsd, isExact: true });
    expect(stepTotal(runs, { of: () => price(140_001) })).toEqual({ totalMicroUsd: 280_002, error: undefined });
    const half = (request: { payload: object }) =>
      "prompt" in request.payload ? price(1) : { state: "pricing" as const, formerMicroUsd: 1 };
    expect(stepTotal(runs, { of: half }).totalMicroUsd).toBeUndefined();
    const error = new Error("No price");
    expect(stepTotal(runs, { of: () => ({ state: "failed", error }) })).toEqual({ totalMicroUsd: undefined, error });
  });

  it("is put into a batch once, as drafts under a heading with its number", () => {
    const first = batchOf([row("a"), row("b")]);
    const name = stepName(first, ["a", "b"], "Animate");
    expect(name).toBe("Step 2: Animate");
    const step = makeStep(name, stepRuns(plan, own));
    const second = withStep(first, step);
    expect(withStep(second, step)).toEqual(second);
    expect(second.groups.at(-1)).toMatchObject({ name, kind: "step" });
    expect(second.items.slice(2).map(({ source, priceMicroUsd }) => [source, priceMicroUsd])).toEqual([
      [{ itemId: "a", use: "file" }, undefined],
      [{ itemId: "b", use: "file" }, undefined],
    ]);
    expect(new Set(second.items.map(({ intentId }) => intentId)).size).toBe(4);
    expect(stepName(second, [second.items[2]?.id ?? ""], "Edit")).toBe("Step 3: Edit");
  });

  it("counts steps even where rows name each other in a circle", () => {
    const circle = batchOf([
      row("a", "", { source: { itemId: "b", use: "file" } }),
      row("b", "", { source: { itemId: "a", use: "file" } }),
    ]);
    expect(stepName(circle, ["a"], "Animate")).toMatch(/^Step \d+: Animate$/);
  });
});

describe("steps of a template", () => {
  const step = (id: string, payload: Record<string, unknown>): BatchItem =>
    row(id, "", { groupId: "s", request: { model: "clips", payload }, source: { itemId: "a", use: "last-frame" } });
  const withStepGroup = (items: readonly BatchItem[]): Batch => ({
    ...batchOf([row("a"), ...items]),
    groups: [...batchOf([]).groups, { id: "s", name: "Step 2: Animate", kind: "step" }],
  });

  it("are what the runs of a step have in common, without files", () => {
    const batch = withStepGroup([
      step("x", { prompt: "One", duration: 8, first_frame: "https://files.example.com/a.png" }),
      step("y", { prompt: "Two", duration: 8, first_frame: "https://files.example.com/b.png" }),
    ]);
    expect(getTemplateSteps(batch)).toEqual([{ model: "clips", settings: { duration: 8 }, use: "last-frame" }]);
  });

  it("are planned in a batch that was opened from one, until there are runs", () => {
    const planned = plannedStepGroup({ model: "clips", settings: { duration: 8 }, use: "file" }, 2);
    const batch = { ...batchOf([row("a")]), groups: [...batchOf([]).groups, planned] };
    expect(planned).toMatchObject({ name: "Step 2", kind: "step" });
    expect(plannedStep(batch, planned)).toEqual({ model: "clips", settings: { duration: 8 } });
    expect(getTemplateSteps(batch)).toEqual([{ model: "clips", settings: { duration: 8 }, use: "file" }]);
    const made = makeStep(
      "Step 2: Animate",
      [{ request: { model: "clips", payload: {} }, source: { itemId: "a", use: "file" } }],
      planned,
    );
    const after = withStep(batch, made);
    expect(after.groups).toHaveLength(2);
    expect(plannedStep(after, planned)).toBeUndefined();
  });

  it("never hold the address of a file, whatever is in a row", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.webUrl(), fc.string(), (settings, url, key) => {
        const [made] = getTemplateSteps(withStepGroup([step("x", { ...settings, [key]: [{ deep: url }] })]));
        expect(JSON.stringify(made?.settings)).not.toContain(JSON.stringify(url));
      }),
      { numRuns: cases(50, 2000) },
    );
  });
});
