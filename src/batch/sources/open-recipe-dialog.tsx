import { useQuery } from "@tanstack/react-query";
import { useForm, useWatch } from "react-hook-form";
import { plannedStepGroup } from "#batch/rows/batch-steps.ts";
import { roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { openRecipe } from "#batch/rows/open-recipe.ts";
import { type Recipe, recipeModels } from "#batch/rows/recipe.ts";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { runsWord } from "./combine-form.tsx";
import { ModelField, ModelName } from "./models-editor.tsx";
import type { RunTarget } from "./run-target.ts";

interface OpenRecipeDialogProps {
  recipe: Recipe;
  target: RunTarget;
  onClose: () => void;
}

/** What a recipe makes before it is added: its models, another one for each that is gone, and what is not as it was. */
export function OpenRecipeDialog({ recipe, target, onClose }: OpenRecipeDialogProps) {
  const ids = useQuery(modelQueries(useApi()).ids());
  const { control, setValue, handleSubmit, formState } = useForm<{ replaced: Readonly<Record<string, string>> }>({
    defaultValues: { replaced: {} },
  });
  const replaced = useWatch({ control, name: "replaced" });
  const models = recipeModels(recipe);
  const modelIds = ids.data && new Set(ids.data);
  const gone = modelIds ? models.filter((model) => !modelIds.has(model)) : [];
  const listed = models.filter((model) => modelIds?.has(model));
  const schemas = useModelSchemas([...listed, ...Object.values(replaced)]);
  const opened = openRecipe(recipe, { modelIds, schemas }, replaced);
  const count = opened.groups.reduce((sum, { runs }) => sum + runs.length, 0);
  const room = roomProblem(target.batch, undefined, count);
  const isLoading = opened.isLoading === true || (modelIds === undefined && !ids.error);
  const isEmpty = count === 0 && opened.groups.every(({ group }) => group.axes === undefined);
  const canAdd = !isLoading && room === undefined && !isEmpty && !formState.isSubmitting;
  // The sentence about a model that is gone stands beside the choice of another one.
  const notes = opened.notes.filter((note) => !note.startsWith("The service lists no model"));
  function add() {
    const change = (batch: Batch): Batch => {
      const whole = opened.groups.reduce((now, { group, runs }) => withGroup(now, group, runs), batch);
      const steps = opened.steps.map((step, at) => plannedStepGroup(step, at + 2));
      const planned = { ...whole, groups: [...whole.groups, ...steps] };
      return batch.items.length === 0 ? { ...planned, rules: opened.rules } : planned;
    };
    if (target.put(change, visibleLine(opened.name, 120) || "Recipe")) onClose();
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Open ${visibleLine(recipe.name, 80) || "a recipe"}`}
      footer={
        <>
          <p role="status" className="m-0 me-auto self-center text-ink-2 tabular-nums">
            {isLoading ? "Loading the parameters" : runsWord(count)}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" aria-disabled={!canAdd} onClick={handleSubmit(add)}>
            {target.batch.items.length === 0 ? "Open" : `Add ${runsWord(count)}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {ids.error && <ErrorNotice error={ids.error} operation="read" onRetry={() => void ids.refetch()} />}
        {listed.length > 0 && (
          <ul aria-label="Models" className="m-0 flex list-none flex-wrap gap-2 p-0">
            {listed.map((model) => (
              <li key={model} className="flex min-h-8 items-center gap-2 rounded-sm bg-raised px-2.5">
                <ModelName model={model} />
              </li>
            ))}
          </ul>
        )}
        {gone.map((model) => (
          <Notice key={model} tone="warning" title={`The service lists no model ${visibleLine(model, 80)}`}>
            <p className="m-0 mb-2">
              Choose another model for its runs. Parameters that match are carried over. Without one, these runs stay in
              the table and cannot be run.
            </p>
            <ModelField
              label="Use instead"
              model={Object.hasOwn(replaced, model) ? replaced[model] : undefined}
              onChange={(next) => setValue("replaced", { ...replaced, [model]: next })}
            />
          </Notice>
        ))}
        {(notes.length > 0 || room !== undefined) && (
          <Notice tone="info" title="Not as it was">
            <ul className="m-0 list-none p-0">
              {[...(room === undefined ? [] : [room]), ...notes].map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Notice>
        )}
        {opened.steps.length > 0 && (
          <p className="m-0 text-ink-2">
            {opened.steps.length === 1 ? "1 next step is" : `${opened.steps.length} next steps are`} planned. Choose
            results on the sheet to go on.
          </p>
        )}
        {isEmpty && !isLoading && <p className="m-0 text-ink-2">This recipe holds no runs.</p>}
      </div>
    </Dialog>
  );
}
