import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { RefusedError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useRowPrices } from "#runs/prices/row-prices.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { draftKey, draftRows } from "#storage/drafts.ts";
import { chooseAxes } from "./price-axes.ts";
import {
  basePayload,
  type CellPrice,
  commonSettings,
  type PriceCell,
  type PriceTable,
  priceCells,
  tableFacts,
} from "./price-cells.ts";
import type { PriceSearch } from "./price-search.ts";

type TableState =
  | { state: "loading" }
  | { state: "failed"; error: Error; retry: () => void }
  | { state: "ready"; table: PriceTable };

/** The prices of a model's combinations, from the draft of its form. Nothing is run; estimates are free (spec 4.1). */
export function usePriceTable(modelId: string, search: PriceSearch): TableState {
  const draft = useDraftPayload(modelId);
  const schemas = useModelSchemas([modelId]);
  const read = schemas.get(modelId);
  const schema = read?.state === "ready" ? read.schema : undefined;
  const { rows, columns, rowValues, columnValues } = search;
  const parts = useMemo(() => {
    if (!schema || !draft) return undefined;
    const base = basePayload(schema, draft);
    const axes = chooseAxes(schema, base.payload, { rows, columns, rowValues, columnValues });
    const cells = priceCells({ model: modelId, schema }, base, axes);
    const requests = cells.filter(({ problem }) => problem === undefined).map(({ request }) => request);
    return { schema, base, axes, cells, requests, common: commonSettings(schema, base, axes) };
  }, [modelId, schema, draft, rows, columns, rowValues, columnValues]);
  // A table is looked at to see what moves the price: of numbers, too, each is asked for.
  const prices = useRowPrices(parts?.requests ?? NONE, schemas, true);
  return useMemo((): TableState => {
    if (read?.state === "failed") return read;
    if (!parts || read?.state !== "ready") return { state: "loading" };
    const priceOf = ({ problem, request }: PriceCell): CellPrice => {
      if (problem !== undefined) return { state: "off", why: problem };
      const price = prices.of(request);
      return price.state === "failed" ? { state: "off", why: refusalWords(price.error) } : price;
    };
    const { requests: _, ...rest } = parts;
    const facts = tableFacts(parts.cells, priceOf, parts.axes);
    const { progress, refresh } = prices;
    return { state: "ready", table: { ...rest, modelId, type: read.type, priceOf, facts, progress, refresh } };
  }, [modelId, parts, prices, read]);
}

const NONE: readonly never[] = [];
const NO_VALUES: JsonRecord = {};

/** What the service says against a combination, or why its price is not known. */
export function refusalWords(error: Error): string {
  if (error instanceof RefusedError && error.message !== "") return visibleLine(error.message, 120);
  return explainError(error, "estimate").title;
}

/** What stands in the form of a model on Create; empty where nothing does. Undefined while it is read. */
function useDraftPayload(modelId: string): JsonRecord | undefined {
  const accountId = useConnection()?.accountId ?? "";
  // The form that was left for this screen may still be writing: what it writes is shown here.
  const { data: draft, isFetched } = useQuery({
    ...storedRowQuery(draftRows, draftKey(accountId, modelId)),
    // What stood in the form at the last visit is not priced once more.
    gcTime: 0,
  });
  if (!isFetched) return undefined;
  // A draft that cannot be read is no reason to show no prices.
  return draft?.payload ?? NO_VALUES;
}
