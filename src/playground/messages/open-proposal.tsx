import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { explainError } from "#api/explain-error.ts";
import { withGroup } from "#batch/rows/group-runs.ts";
import { openRecipe } from "#batch/rows/open-recipe.ts";
import type { Recipe } from "#batch/rows/read-recipe.ts";
import { recipeModels } from "#batch/rows/read-recipe.ts";
import { addBatch, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useApi } from "#connection/client.ts";
import { refuseToSave } from "#connection/find-key.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { browserRows } from "#storage/database.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { useChat } from "#text/chat.ts";
import { type Conversation, NEW_TITLE } from "#text/conversations/conversation.ts";
import { toast } from "#ui/toast-store.ts";

/**
 * Makes a batch of proposed runs once their models are loaded, and opens it: a draft, of which nothing is sent. A model that
 * the catalogue does not list stays as it is; the batch says so.
 */
export function OpenProposal({
  recipe,
  conversation,
  onEnd,
}: {
  recipe: Recipe;
  conversation: Conversation | undefined;
  /** It is opened, or was not saved. */
  onEnd: () => void;
}) {
  const { accountId } = useChat();
  const navigate = useNavigate();
  const catalogue = useQuery(modelQueries(useApi()).ids());
  const modelIds = catalogue.data && new Set(catalogue.data);
  // Names in an answer are no reason to ask the service about them: only of models that it lists.
  const wanted = recipeModels(recipe).filter((id) => modelIds?.has(id));
  const schemas = useModelSchemas(wanted);
  const isReady = !catalogue.isPending && wanted.every((id) => (schemas.get(id)?.state ?? "loading") !== "loading");
  const isMade = useRef(false);
  useEffect(() => {
    if (!isReady || isMade.current) return;
    isMade.current = true;
    const opened = openRecipe(recipe, { modelIds, schemas });
    const title = conversation?.title === NEW_TITLE ? undefined : conversation?.title;
    const batch = opened.groups.reduce(
      (all, { group, runs }) => withGroup(all, { ...group, kind: "chat" }, runs),
      newBatch(recipe.name || title || "Proposed runs"),
    );
    const open = async () => {
      if (!refuseToSave(batch, "batch")) {
        await save(accountId, batch, conversation?.projectId);
        if (opened.notes.length > 0) {
          toast({ tone: "warning", title: "Not everything is as proposed", body: opened.notes.slice(0, 3).join(" ") });
        }
        await navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
      }
    };
    open().catch(sayNotSaved).finally(onEnd);
  });
  return null;
}

async function save(accountId: string, batch: Batch, projectId: string | undefined): Promise<void> {
  const where = { rows: browserRows, accountId };
  await addBatch(where, batch);
  // A new batch is stored under the current project, which may be another.
  if (projectId !== undefined) await editBatch(where, batch.id, (stored) => ({ ...stored, projectId }));
}

function sayNotSaved(error: unknown): void {
  const { body, nextStep } = explainError(error, "read");
  const why = error instanceof Error && error.name === "BatchFullError" ? error.message : `${body} ${nextStep}`;
  toast({ tone: "error", title: "The batch was not saved", body: why });
}
