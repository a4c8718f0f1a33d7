import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ModelPickerBody } from "#models/model-picker.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";

/** Asks which generation model the text is for, puts it into that model's draft as the prompt, and opens Create. */
export function PromptToCreate({ dialog, onClose }: DialogBodyProps<"prompt">) {
  const accountId = useConnection()?.accountId ?? "";
  const queries = modelQueries(useApi());
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpening, setIsOpening] = useState(false);
  const isAsked = useRef(false);
  const open = async (modelId: string) => {
    if (isAsked.current) return;
    isAsked.current = true;
    setIsOpening(true);
    try {
      const detail = await client.ensureQueryData(queries.detail(modelId)).catch(() => undefined);
      const draft = (await loadDraft(accountId, modelId))?.payload ?? {};
      const name = detail === undefined ? "prompt" : promptField(detail.raw);
      if (name === undefined) {
        toast({ title: `${visibleLine(modelId)} has no prompt field`, body: "Choose another model.", tone: "error" });
        return;
      }
      await saveDraft(accountId, modelId, { ...draft, [name]: dialog.text });
      onClose();
      await navigate({ to: "/create/$modelId", params: { modelId } });
    } finally {
      isAsked.current = false;
      setIsOpening(false);
    }
  };
  return (
    <div aria-busy={isOpening}>
      <ModelPickerBody selected={[]} onSelect={(id) => void open(id)} />
    </div>
  );
}

/** The key of the field that takes the words of a request. Without a schema that can be read it is `prompt`. */
function promptField(answer: unknown): string | undefined {
  const { fields, reading } = readSchema(answer, { place: getSchemaPlace(getConnection()?.queueBaseUrl) });
  if (reading === "none") return "prompt";
  return fields.find((field) => field.role === "prompt")?.key;
}
