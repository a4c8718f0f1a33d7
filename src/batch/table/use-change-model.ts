import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelQueries } from "#models/model-queries.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { placeOf } from "#schema-form/read/place-store.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { rolesOf } from "#schema-form/read/role-corrections-store.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";
import { withCell } from "./table-edits.ts";
import { useUndoableEdit } from "./use-undoable-edit.ts";

/**
 * Gives drafts another model, with the values that mean the same there. What has no place there is named. Where the
 * parameters of the model cannot be loaded, the values stay as they are, and the rows say what is wrong. Never rejects.
 */
export function useChangeModel(): (ids: ReadonlySet<string>, model: string) => Promise<void> {
  const { schemas, batch } = useBatchDocument();
  const edit = useUndoableEdit();
  const api = useApi();
  const client = useQueryClient();
  const service = useConnection()?.queueBaseUrl;

  async function schemaOf(model: string) {
    const known = schemas.get(model);
    if (known?.state === "ready") return known.schema;
    const detail = await client.fetchQuery(modelQueries(api).detail(model));
    return readSchema(detail.raw, { roles: rolesOf(model), place: placeOf(service) });
  }

  return async (ids, model) => {
    const to = await schemaOf(model).catch(() => undefined);
    const lost = new Set<string>();
    const payloadOf = ({ request }: BatchItem) => {
      const from = schemas.get(request.model);
      if (!to || from?.state !== "ready") return request.payload;
      const { payload, dropped } = carryValues(from.schema, request.payload, to);
      for (const label of dropped) lost.add(visibleLine(label, 60));
      return payload;
    };
    const payloads = new Map(
      batch.items.flatMap((item) => (ids.has(item.id) ? [[item.id, payloadOf(item)] as const] : [])),
    );
    edit(ids, (now) =>
      withCell(now, ids, (item) => ({ kind: "model", model, payload: payloads.get(item.id) ?? item.request.payload })),
    );
    if (lost.size === 0) return;
    toast({
      title: `${visibleLine(model, 60)} has no field for: ${[...lost].slice(0, 5).join(", ")}`,
      body: "These values were left out.",
      tone: "info",
    });
  };
}
