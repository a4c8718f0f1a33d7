import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { plannedStep } from "#batch/rows/batch-steps.ts";
import { withoutFields } from "#batch/rows/carry-axes.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { useApi } from "#connection/client.ts";
import type { JsonRecord } from "#lib/read.ts";
import { useFavourites } from "#models/favourites-store.ts";
import { modelQueries } from "#models/model-queries.ts";
import { addressesIn } from "#runs/job-inputs.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { type ModelSchemas, useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchGroup } from "#storage/stored-batches.ts";
import type { ChainResult } from "./chain-results.ts";
import { findEndField, type StepKind, type StepPlan, stepFields, stepWays, takesStep } from "./step-rows.ts";

/** A step that was made before, or that a recipe plans: its model and settings are offered first. */
interface KnownStep {
  model: string;
  settings: JsonRecord;
  /** The group without runs that a recipe has left for it. */
  group?: BatchGroup;
}

/** The steps that a recipe plans in this batch, then those that were made last, of whichever batch. */
function knownSteps(batch: Batch, others: readonly Batch[]): KnownStep[] {
  const planned = batch.groups.flatMap((group): KnownStep[] => {
    const step = plannedStep(batch, group);
    return step ? [{ ...step, group }] : [];
  });
  const made = [batch, ...others].flatMap(({ items }) =>
    items
      .flatMap(({ source, request }) => (source ? [{ model: request.model, settings: request.payload }] : []))
      .reverse(),
  );
  return [...planned, ...made];
}

/** How many of the steps that were made last are looked at for a model. */
const LAST_STEPS = 50;

interface StepInputs {
  batch: Batch;
  kinds: readonly StepKind[];
  results: readonly ChainResult[];
  /** The last content of the form of a model: where results fill another field it is another form, with the same settings. */
  typed: Pick<KnownStep, "model" | "settings"> | undefined;
}

interface StepPlanForm {
  kindId: StepKind["id"] | undefined;
  /** Keys of the results that are left out. */
  left: ReadonlySet<string>;
  model: string | undefined;
  fieldKey: string | undefined;
  way: StepPlan["way"];
  wantsOwnPrompts: boolean;
}

/** All choices of a step but its settings, each with what follows from it. */
export function useStepPlan({ batch, kinds, results: all, typed }: StepInputs) {
  const { views } = useBatches();
  const known = useMemo(() => {
    const others = views.map((view) => view.batch).filter(({ id }) => id !== batch.id);
    return knownSteps(batch, others).slice(0, LAST_STEPS);
  }, [batch, views]);
  const catalogue = useStepModels(known.map(({ model }) => model));
  const { schemas } = catalogue;
  const { control, setValue } = useForm<StepPlanForm>({
    defaultValues: {
      kindId: undefined,
      left: new Set(),
      model: undefined,
      fieldKey: undefined,
      way: "each",
      wantsOwnPrompts: true,
    },
  });
  const [kindId, left, chosenModel, fieldKey, chosenWay, wantsOwnPrompts] = useWatch({
    control,
    name: ["kindId", "left", "model", "fieldKey", "way", "wantsOwnPrompts"],
  });
  const next = known.find(({ group }) => group !== undefined);
  const kind =
    kinds.find(({ id }) => id === kindId) ??
    kinds.find((each) => next && takesStep(schemas.get(next.model), each)) ??
    kinds[0];
  const models = kind ? catalogue.ids.filter((id) => takesStep(schemas.get(id), kind)) : [];
  const ofKind = all.filter(({ file }) => file.kind === kind?.from);
  const results = ofKind.filter(({ key }) => !left.has(key));

  const model = models.find((id) => id === chosenModel) ?? models[0];
  const read = model === undefined ? undefined : schemas.get(model);
  const schema = read?.state === "ready" ? read.schema : undefined;
  const fields: MediaField[] = schema && kind ? stepFields(schema, kind) : [];
  const field = fields.find(({ key }) => key === fieldKey) ?? fields[0];
  const ways = field ? stepWays(field, fields, results.length) : [];
  const way = ways.includes(chosenWay) ? chosenWay : "each";
  const endField = way === "ends" && field ? findEndField(field, fields) : undefined;
  const promptField = schema?.fields.find(({ role }) => role === "prompt");
  const hasPrompts = promptField !== undefined && results.some(({ prompt }) => prompt !== undefined);
  const promptKey = hasPrompts && wantsOwnPrompts ? promptField?.key : undefined;

  const filled = [field?.key, endField?.key, promptKey].filter((key) => key !== undefined);
  const filledText = JSON.stringify(filled);
  const shown = useMemo(
    () => schema && withoutFields(schema, new Set(JSON.parse(filledText) as string[])),
    [schema, filledText],
  );
  const before = known.find((step) => step.model === model);
  const starting: JsonRecord = {
    ...(promptField && results[0]?.prompt !== undefined ? { [promptField.key]: results[0].prompt } : {}),
    ...withoutMedia(before?.settings ?? {}, promptField?.key),
    ...(typed?.model === model ? typed?.settings : {}),
  };
  for (const key of filled) delete starting[key];
  return {
    catalogue,
    setValue,
    kind,
    /** All results of the kind, with those that are left out. */
    ofKind,
    left,
    results,
    models,
    model,
    schema: shown,
    /** Another one is another form. */
    formKey: `${model} ${filledText}`,
    starting,
    fields,
    field,
    ways,
    way,
    endField,
    hasPrompts,
    promptKey,
    planned: before?.group,
  };
}

/** Files and the prompt belong to the results that the step before was made from. */
function withoutMedia(settings: JsonRecord, promptKey: string | undefined): JsonRecord {
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => key !== promptKey && addressesIn(value).length === 0),
  );
}

/** The models that are read at first, and with each wish for more: each one's parameters are a request (spec 4.1). */
const MODELS_AT_ONCE = 40;

interface StepModels {
  /** Those whose parameters are read: the wanted ones and favourites first, then as the catalogue has them. */
  ids: readonly string[];
  schemas: ModelSchemas;
  /** What the service says of their prices, such as "$0.40 per second". */
  priceTexts: ReadonlyMap<string, string>;
  isLoading: boolean;
  /** How many more can be loaded at once; 0: all are. */
  more: number;
  loadMore: () => void;
  /** Why the catalogue could not be read. */
  error: Error | null;
  retry: () => void;
}

/** The models of the catalogue with their parameters. `wanted`: models that are read and offered first. */
function useStepModels(wanted: readonly string[]): StepModels {
  const queries = modelQueries(useApi());
  const list = useQuery(queries.ids());
  const favourites = useFavourites();
  const [limit, setLimit] = useState(MODELS_AT_ONCE);
  const listed = new Set(list.data);
  const ordered = [...new Set([...wanted, ...favourites, ...(list.data ?? [])])].filter((id) => listed.has(id));
  const asked = ordered.slice(0, limit);
  const schemas = useModelSchemas(asked);
  const priceTexts = useQueries({ queries: asked.map((id) => queries.detail(id)), combine: textsOf });
  // Only up to the first that is still read: none comes between two that are there already.
  const loading = asked.findIndex((id) => schemas.get(id)?.state === "loading");
  return {
    ids: loading < 0 ? asked : asked.slice(0, loading),
    schemas,
    priceTexts,
    isLoading: list.isPending || loading >= 0,
    more: Math.min(MODELS_AT_ONCE, ordered.length - asked.length),
    loadMore: () => setLimit(limit + MODELS_AT_ONCE),
    error: list.error,
    retry: () => void list.refetch(),
  };
}

function textsOf(details: readonly { data?: { id: string; priceText: string | undefined } | undefined }[]) {
  return new Map(details.flatMap(({ data }) => (data?.priceText === undefined ? [] : [[data.id, data.priceText]])));
}
