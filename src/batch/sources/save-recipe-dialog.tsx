import { useQuery } from "@tanstack/react-query";
import { Link2, Save } from "lucide-react";
import { stepsOf } from "#batch/rows/batch-steps.ts";
import { createRecipe, type Recipe } from "#batch/rows/recipe.ts";
import { storedRecipes } from "#batch/rows/stored-recipes.ts";
import { getConnection } from "#connection/connection-store.ts";
import { useNamedList } from "#connection/named-list.ts";
import type { Privacy } from "#lib/public-json.ts";
import { blockedHost, foreignHost } from "#media/known-hosts.ts";
import { ownAddresses } from "#media/upload/upload-memory.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { SaveAs } from "#ui/named-list.tsx";
import { toast } from "#ui/toast-store.ts";
import { runsWord } from "./combine-form.tsx";
import { saveRecipeFile, useCopyRecipeLink } from "./recipe-acts.ts";

interface SaveRecipeDialogProps {
  batch: Batch;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Saves a batch under a name, as a file or as a link: without prices, jobs and files. */
export function SaveRecipeDialog({ batch, open, onOpenChange }: SaveRecipeDialogProps) {
  return open ? <SaveRecipe batch={batch} onClose={() => onOpenChange(false)} /> : null;
}

function SaveRecipe({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const recipe = useRecipe(batch);
  const list = useNamedList(storedRecipes);
  const copyLink = useCopyRecipeLink();
  const leftOut = recipe?.leftOut ?? 0;
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && onClose()}
      title="Save as recipe"
      description="Saved: models, settings and axes. Left out: prices, jobs, and files that are private or expire."
    >
      <SaveAs
        list={list}
        noun="recipe"
        initial={batch.name}
        hint={runsWord(batch.items.length)}
        make={(name) => recipe && { name, savedAtMs: Date.now(), recipe: { ...recipe, name } }}
        onSaved={({ name }) => {
          toast({ title: `Recipe saved: ${name}` });
          onClose();
        }}
        acts={(stored) => (
          <>
            <Button aria-disabled={!stored} onClick={() => stored && void copyLink(stored.recipe)}>
              <Link2 aria-hidden="true" className="size-4" />
              Copy link
            </Button>
            <Button aria-disabled={!stored} onClick={() => stored && saveRecipeFile(stored.recipe)}>
              <Save aria-hidden="true" className="size-4" />
              Save file
            </Button>
          </>
        )}
      >
        {leftOut > 0 && (
          <p role="status" className="m-0 mb-3 text-[12.5px] text-ink-2">
            {leftOut === 1 ? "1 value is" : `${leftOut} values are`} left out, because a file is private or expires.
          </p>
        )}
      </SaveAs>
    </Dialog>
  );
}

/** The recipe of a batch; undefined while it is not known what must be left out. */
function useRecipe(batch: Batch): Recipe | undefined {
  const { data: privacy } = useQuery({ queryKey: ["recipe-privacy"], queryFn: recipePrivacy, gcTime: 0, retry: false });
  const models = [...new Set(batch.groups.flatMap(({ axes }) => axes?.models ?? []))];
  const schemas = useModelSchemas(models);
  if (!privacy || [...schemas.values()].some(({ state }) => state === "loading")) return undefined;
  const steps = stepsOf(batch);
  return createRecipe(batch, { ...privacy, schemas, ...(steps.length > 0 ? { steps } : {}) });
}

/** What must not be in a recipe of the connected account. */
async function recipePrivacy(): Promise<Privacy> {
  const connection = getConnection();
  return {
    keyShape: connection?.keyShape,
    // Where they cannot be read, the hosts below still cover what the service stores.
    ownAddresses: await ownAddresses(connection?.accountId ?? "").catch(() => new Set<string>()),
    // Hosts that the service's answers name keep files for a time only (spec 8), and so does the sandbox on this page's own.
    isExpiring: (address) => foreignHost(address) === undefined || blockedHost(address) === undefined,
  };
}
