import { useEffect, useState } from "react";
import type { Api } from "#api/create-api.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import type { JsonRecord } from "#lib/read.ts";
import { uploadsOf } from "#media/upload/uploads.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { onOpenForms, putIntoDraft } from "./drafts.ts";
import { createFieldRows, type FieldOrder } from "./field-rows.ts";

const fieldRowsOf = perConnection((api: Api, accountId: string) => {
  const rows = createFieldRows(accountId, uploadsOf(api, accountId), putIntoDraft);
  onOpenForms((account, modelId, payload) => account === accountId && rows.follow(modelId, payload));
  return rows;
});

/** The inputs of a field on the screen, and their uploads. `onChange` gets the addresses whenever they are others. */
export function useFieldRows(
  order: FieldOrder,
  form: FormHandle,
  payload: JsonRecord,
  onChange: (addresses: string[]) => void,
) {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const uploads = uploadsOf(api, accountId);
  const fields = fieldRowsOf(api, accountId);
  const [held] = useState(() => fields.fieldOf(order, payload));
  useEffect(() => fields.show(held, onChange, form.getPayload), [fields, held, onChange, form]);
  const { top, place } = order;
  useEffect(() => fields.see(held, { top, place }, payload));
  return { rows: held.rows, uploads };
}
