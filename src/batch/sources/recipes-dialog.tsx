import { FolderOpen, Link2, Save } from "lucide-react";
import { useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { type Recipe, readRecipe } from "#batch/rows/recipe.ts";
import { unpackRecipe } from "#batch/rows/recipe-link.ts";
import { storedRecipes } from "#batch/rows/stored-recipes.ts";
import { useNamedList } from "#connection/named-list.ts";
import { formatDate } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { NamedRows } from "#ui/named-list.tsx";
import { Notice } from "#ui/notice.tsx";
import { OpenRecipeDialog } from "./open-recipe-dialog.tsx";
import { saveRecipeFile, useCopyRecipeLink } from "./recipe-acts.ts";
import type { SourceProps } from "./run-target.ts";

const MAX_BYTES = 10_000_000;

/** Saved recipes, and those of a file or a link. */
export function RecipesDialog({ target, onClose }: SourceProps & { onClose: () => void }) {
  const [opened, setOpened] = useState<Recipe>();
  const list = useNamedList(storedRecipes);
  const copyLink = useCopyRecipeLink();
  if (opened) return <OpenRecipeDialog recipe={opened} target={target} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Recipes"
      description="A recipe is a batch without prices, jobs and files. Opening one adds its runs, and nothing runs yet."
    >
      <div className="mb-4">
        <NamedRows
          list={list}
          noun="recipe"
          verb="Open"
          empty={
            <p className="m-0 text-ink-2">
              No saved recipes yet. Save a batch as a recipe, or open one from a file or a link.
            </p>
          }
          onUse={({ recipe }) => setOpened(recipe)}
          aside={({ savedAtMs }) => <span className="max-sm:hidden">{formatDate(savedAtMs / 1000)}</span>}
          acts={({ recipe }, name) => (
            <>
              <IconButton label={`Copy a link to ${name}`} onClick={() => void copyLink(recipe)}>
                <Link2 aria-hidden="true" className="size-4" />
              </IconButton>
              <IconButton label={`Save ${name} as a file`} onClick={() => saveRecipeFile(recipe)}>
                <Save aria-hidden="true" className="size-4" />
              </IconButton>
            </>
          )}
        />
      </div>
      <OpenElsewhere onOpen={setOpened} />
    </Dialog>
  );
}

function OpenElsewhere({ onOpen }: { onOpen: (recipe: Recipe) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { control, register, handleSubmit, setError, formState } = useForm({ defaultValues: { link: "" } });
  const isEmpty = useWatch({ control, name: "link" }).trim() === "";
  const problem = formState.errors.root?.message;
  function take(read: ReturnType<typeof readRecipe>) {
    if (read.problem !== undefined) setError("root", { message: read.problem });
    if (read.recipe) onOpen(read.recipe);
  }
  async function openFile(file: File) {
    const name = visibleLine(file.name, 60);
    if (file.size > MAX_BYTES) return take({ problem: `${name} is too large for a recipe.` });
    take(await file.text().then(readRecipe, () => ({ problem: `${name} could not be read. Choose it again.` })));
  }
  const openLink = handleSubmit(async (values) => {
    const link = values.link.trim();
    if (link === "") return;
    const words = URL.canParse(link) ? new URL(link).searchParams.get("recipe") : null;
    take(words === null ? { problem: "This link holds no recipe." } : await unpackRecipe(words));
  });
  return (
    <form className="flex flex-col gap-3 border-line border-t pt-4" onSubmit={openLink}>
      <Button className="self-start" onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden="true" className="size-4" />
        Open a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Recipe file to open"
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) void openFile(file);
        }}
      />
      <Field label="Or paste a link" errorless>
        {({ id, describedBy }) => (
          <div className="flex gap-2">
            <TextInput
              mono
              id={id}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              aria-describedby={describedBy}
              {...register("link")}
            />
            <Button type="submit" aria-disabled={isEmpty}>
              Open
            </Button>
          </div>
        )}
      </Field>
      {problem !== undefined && (
        <Notice tone="error" title="This recipe was not opened">
          {problem} Nothing was changed.
        </Notice>
      )}
    </form>
  );
}
