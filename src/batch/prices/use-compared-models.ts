import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { JobRequest, ModelDetail } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { useInactiveModels } from "#models/inactive-models.ts";
import { modelQueries } from "#models/model-queries.ts";
import { roundTime, useUsualTimes } from "#results/waiting/usual-time.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { useRowPrices } from "#runs/prices/row-prices.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { carryPayload } from "./price-axes.ts";
import { refusalWords } from "./use-price-table.ts";

/** A model that takes the compared payload. */
export interface ComparedModel {
  id: string;
  /** Undefined while the price loads. */
  priceMicroUsd: MicroUsd | undefined;
  /** How long the person's own jobs usually took: "52 s". */
  usual: string | undefined;
  /** Labels of settings that the model has no field for. */
  leftOut: readonly string[];
  isYours: boolean;
}

export interface Comparison {
  /** The cheapest first once all prices are known; until then the person's own first, and the others as they come. */
  models: readonly ComparedModel[];
  /** Models of the same type that do not take the payload, and why, in a few words. */
  others: readonly { id: string; why: string }[];
  /** How many models were not read yet. */
  unread: number;
  isComplete: boolean;
  /** The catalog has more than `MAX_UNASKED` models, so nothing is read before the person calls `start`. */
  isWaiting: boolean;
  start: () => void;
  error: Error | null;
  retry: () => void;
}

/** Up to this many models are read without the person's wish. */
const MAX_UNASKED = 20;
/** Models that are read in parallel. */
const PARALLEL_READS = 3;

/** The price of one payload with every model of the catalog that takes it. Requests stay within the request budget. */
export function useComparedModels(from: {
  modelId: string;
  type: string | undefined;
  schema: FormSchema;
  /** The payload whose price is compared. */
  payload: JsonRecord;
}): Comparison {
  const { modelId, type, schema, payload } = from;
  const api = useApi();
  const ids = useQuery(modelQueries(api).ids());
  const inactive = useInactiveModels();
  const times = useUsualTimes();
  const [isStarted, setIsStarted] = useState(false);
  const listed = ids.data ?? NO_IDS;
  const isWaiting = listed.length > MAX_UNASKED && !isStarted;
  const read = useReadModels(isWaiting ? NO_IDS : listed);
  const known = listed.filter((id) => read.get(id) === "read" || id === modelId);
  const schemas = useModelSchemas(isWaiting ? NO_IDS : known);

  const { requests, others } = useMemo(() => {
    const requests = new Map<string, { request: JobRequest; leftOut: readonly string[] }>();
    const others: { id: string; why: string }[] = [];
    for (const id of listed) {
      const model = schemas.get(id);
      if (id === modelId) requests.set(id, { request: { model: id, payload }, leftOut: [] });
      else if (read.get(id) === "failed") others.push({ id, why: "Details not loaded" });
      else if (model?.state === "ready" && model.type === type) {
        const carried = carryPayload(schema, payload, model.schema);
        if (Object.hasOwn(inactive, id)) others.push({ id, why: "Inactive" });
        else if (carried.payload) {
          requests.set(id, { request: { model: id, payload: carried.payload }, leftOut: carried.leftOut });
        } else others.push({ id, why: carried.why });
      }
    }
    return { requests, others };
  }, [listed, schemas, read, modelId, type, schema, payload, inactive]);
  const wanted = useMemo(
    () => (isWaiting ? [] : [...requests.values()].map(({ request }) => request)),
    [requests, isWaiting],
  );
  const prices = useRowPrices(wanted, schemas);

  return useMemo(() => {
    const models: ComparedModel[] = [];
    const refused: { id: string; why: string }[] = [];
    for (const [id, { request, leftOut }] of isWaiting ? [] : requests) {
      const price = prices.of(request);
      const usual = times.of(id);
      if (price.state === "failed") refused.push({ id, why: refusalWords(price.error) });
      else {
        models.push({
          id,
          priceMicroUsd: price.state === "priced" ? price.priceMicroUsd : undefined,
          usual: usual?.of === "model" ? roundTime(usual.medianMs) : undefined,
          leftOut,
          isYours: id === modelId,
        });
      }
    }
    const unread = isWaiting ? listed.length : listed.filter((id) => read.get(id) === undefined).length;
    const isComplete = !isWaiting && unread === 0 && models.every(({ priceMicroUsd }) => priceMicroUsd !== undefined);
    const rank = ({ priceMicroUsd = 0, isYours }: ComparedModel) => (isComplete ? priceMicroUsd : isYours ? 0 : 1);
    return {
      models: models.sort((a, b) => rank(a) - rank(b)),
      others: [...others, ...refused],
      unread,
      isComplete,
      isWaiting,
      start: () => setIsStarted(true),
      error: ids.error,
      retry: () => void ids.refetch(),
    };
  }, [requests, prices, times, others, listed, read, isWaiting, modelId, ids.error, ids.refetch]);
}

const NO_IDS: readonly string[] = [];

/** Reads the details of models into the cache, a few at a time and within the request budget. */
function useReadModels(ids: readonly string[]): ReadonlyMap<string, "read" | "failed"> {
  const api = useApi();
  const client = useQueryClient();
  const [read, setRead] = useState<ReadonlyMap<string, "read" | "failed">>(new Map());
  useEffect(() => {
    let isStopped = false;
    const done = new Map<string, "read" | "failed">();
    const waiting = ids.filter((id) => {
      const isKnown = client.getQueryData<ModelDetail>(modelQueries(api).detail(id).queryKey) !== undefined;
      if (isKnown) done.set(id, "read");
      return !isKnown;
    });
    setRead(new Map(done));
    const { sendPaced } = getPollControl(api);
    const worker = async () => {
      for (let id = waiting.shift(); id !== undefined && !isStopped; id = waiting.shift()) {
        const modelId = id;
        const query = {
          ...modelQueries(api).detail(modelId),
          queryFn: ({ signal }: { signal: AbortSignal }) => sendPaced(() => api.getModel(modelId, signal)),
        };
        const isRead = await client.fetchQuery(query).then(
          () => true,
          () => false,
        );
        done.set(modelId, isRead ? "read" : "failed");
        if (!isStopped) setRead(new Map(done));
      }
    };
    for (let at = 0; at < PARALLEL_READS; at += 1) void worker();
    return () => {
      isStopped = true;
    };
  }, [api, client, ids]);
  return read;
}
