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

/** The price table of a model, for the settings that its form on Create has. Nothing is run; estimates are free (spec 4.1). */
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
  // `true`: each value of a number is asked for as well, because the table must show what moves the price.
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

/** Why a price is missing: the service's own words where it refused, else the title of the error. */
export function refusalWords(error: Error): string {
  if (error instanceof RefusedError && error.message !== "") return visibleLine(error.message, 120);
  return explainError(error, "estimate").title;
}

/** The payload of a model's draft on Create; empty without a draft, undefined until it is read. */
function useDraftPayload(modelId: string): JsonRecord | undefined {
  const accountId = useConnection()?.accountId ?? "";
  // Follows changes, because the form that was left for this screen may still be writing its draft.
  const { data: draft, isFetched } = useQuery({
    ...storedRowQuery(draftRows, draftKey(accountId, modelId)),
    // Otherwise the draft of the last visit would be shown and priced first.
    gcTime: 0,
  });
  if (!isFetched) return undefined;
  // A draft that cannot be read counts as none.
  return draft?.payload ?? NO_VALUES;
}
