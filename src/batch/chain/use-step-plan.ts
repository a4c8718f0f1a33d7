import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { plannedStep } from "#batch/rows/batch-steps.ts";
import { withoutFields } from "#batch/rows/carry-axes.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { useApi } from "#connection/client.ts";
import type { JsonRecord } from "#lib/read.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useStarredModels } from "#models/starred-models.ts";
import { addressesIn } from "#runs/job-inputs.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { type ModelSchemas, useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchGroup } from "#storage/stored-batches.ts";
import type { ChainResult } from "./chain-results.ts";
import { findEndField, type StepKind, type StepPlan, stepFields, stepWays, takesStep } from "./step-rows.ts";

/** A step whose model and settings are offered first: one that a template plans, or one that was made before. */
interface KnownStep {
  model: string;
  settings: JsonRecord;
  /** For a planned step: the group without runs that the template left for it. */
  group?: BatchGroup;
}

/** The planned steps of this batch, then the steps that were made last, in any batch. */
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

/** More known steps than this are not looked at: each may name a model whose parameters are then read. */
const LAST_STEPS = 50;

interface StepInputs {
  batch: Batch;
  kinds: readonly StepKind[];
  results: readonly ChainResult[];
  /** The last values of the form. If results fill another field, a new form begins with them. */
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

/** The choices of a step except its settings, each with its options and defaults. */
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
  const plannedNext = known.find(({ group }) => group !== undefined);
  const kind =
    kinds.find(({ id }) => id === kindId) ??
    kinds.find((each) => plannedNext && takesStep(schemas.get(plannedNext.model), each)) ??
    kinds[0];
  const models = kind ? catalogue.ids.filter((id) => takesStep(schemas.get(id), kind)) : [];
  const ofKind = all.filter(({ file }) => file.kind === kind?.from);
  const results = ofKind.filter(({ key }) => !left.has(key));

  const model = models.find((id) => id === chosenModel) ?? models[0];
  const modelSchema = model === undefined ? undefined : schemas.get(model);
  const schema = modelSchema?.state === "ready" ? modelSchema.schema : undefined;
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
  const formSchema = useMemo(
    () => schema && withoutFields(schema, new Set(JSON.parse(filledText) as string[])),
    [schema, filledText],
  );
  const knownStep = known.find((step) => step.model === model);
  const starting: JsonRecord = {
    ...(promptField && results[0]?.prompt !== undefined ? { [promptField.key]: results[0].prompt } : {}),
    ...withoutMedia(knownStep?.settings ?? {}, promptField?.key),
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
    /** Without the fields that results fill. */
    schema: formSchema,
    /** The form begins anew when this changes. */
    formKey: `${model} ${filledText}`,
    starting,
    fields,
    field,
    ways,
    way,
    endField,
    hasPrompts,
    promptKey,
    planned: knownStep?.group,
  };
}

/** Settings without files and the prompt, which belong to the results of the earlier step. */
function withoutMedia(settings: JsonRecord, promptKey: string | undefined): JsonRecord {
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => key !== promptKey && addressesIn(value).length === 0),
  );
}

/** Models to read at first, and each time the person loads more. The parameters of each are a request (spec 4.1). */
const MODELS_PER_LOAD = 40;

interface StepModels {
  /** Models whose parameters are read: `wanted`, then starred ones, then in the order of the catalog. */
  ids: readonly string[];
  schemas: ModelSchemas;
  /** The service's own words for prices, by model: "$0.40 per second". */
  priceTexts: ReadonlyMap<string, string>;
  isLoading: boolean;
  /** How many models `loadMore` would add; 0 once all are loaded. */
  more: number;
  loadMore: () => void;
  /** Why the catalog could not be read. */
  error: Error | null;
  retry: () => void;
}

/** The models of the catalog with their parameters. `wanted`: models that are read and offered first. */
function useStepModels(wanted: readonly string[]): StepModels {
  const queries = modelQueries(useApi());
  const list = useQuery(queries.ids());
  const starred = useStarredModels();
  const [limit, setLimit] = useState(MODELS_PER_LOAD);
  const listed = new Set(list.data);
  const ordered = [...new Set([...wanted, ...starred, ...(list.data ?? [])])].filter((id) => listed.has(id));
  const loaded = ordered.slice(0, limit);
  const schemas = useModelSchemas(loaded);
  const priceTexts = useQueries({ queries: loaded.map((id) => queries.detail(id)), combine: getPriceTexts });
  // Ends before the first model that is still loading, so that no model is inserted between two that are shown.
  const firstLoading = loaded.findIndex((id) => schemas.get(id)?.state === "loading");
  return {
    ids: firstLoading < 0 ? loaded : loaded.slice(0, firstLoading),
    schemas,
    priceTexts,
    isLoading: list.isPending || firstLoading >= 0,
    more: Math.min(MODELS_PER_LOAD, ordered.length - loaded.length),
    loadMore: () => setLimit(limit + MODELS_PER_LOAD),
    error: list.error,
    retry: () => void list.refetch(),
  };
}

function getPriceTexts(details: readonly { data?: { id: string; priceText: string | undefined } | undefined }[]) {
  return new Map(details.flatMap(({ data }) => (data?.priceText === undefined ? [] : [[data.id, data.priceText]])));
}
