import { useQuery } from "@tanstack/react-query";
import { Check, FolderOpen, Link2, Pencil, Save, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { type Recipe, readRecipe } from "#jobs/batch-rows/recipe.ts";
import { unpackRecipe } from "#jobs/batch-rows/recipe-link.ts";
import { recipesQuery, removeRecipe, renameRecipe, type StoredRecipe } from "#jobs/batch-rows/stored-recipes.ts";
import { formatDate } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";
import { OpenRecipeDialog } from "./open-recipe-dialog.tsx";
import { saveRecipeFile, useCopyRecipeLink } from "./recipe-acts.ts";
import type { SourceProps } from "./run-target.ts";

const MOST_BYTES = 10_000_000;
const LONGEST_NAME = 120;

/** Saved recipes, and those of a file or a link. */
export function RecipesDialog({ target, onClose }: SourceProps & { onClose: () => void }) {
  const [opened, setOpened] = useState<Recipe>();
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState<StoredRecipe>();
  const accountId = useConnection()?.accountId ?? "";
  const { data: recipes = [] } = useQuery(recipesQuery(accountId));
  if (opened) return <OpenRecipeDialog recipe={opened} target={target} onClose={onClose} />;

  function take(read: ReturnType<typeof readRecipe>) {
    setProblem(read.problem);
    if (read.recipe) setOpened(read.recipe);
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="Recipes"
        description="A recipe is a batch without prices, jobs and files. Opening one adds its runs, and nothing runs yet."
      >
        {recipes.length === 0 ? (
          <p className="m-0 mb-4 text-ink-2">
            No saved recipes yet. Save a batch as a recipe, or open one from a file or a link.
          </p>
        ) : (
          <ul aria-label="Recipes" className="m-0 mb-4 flex list-none flex-col gap-0.5 p-0">
            {recipes.map((one) => (
              <RecipeRow
                key={one.name}
                stored={one}
                onOpen={() => setOpened(one.recipe)}
                onRename={(to) => tell(renameRecipe(accountId, one.name, to))}
                onDelete={() => setDeleting(one)}
              />
            ))}
          </ul>
        )}
        <OpenElsewhere
          onFile={async (file) => {
            if (file.size > MOST_BYTES) return setProblem(`${visibleLine(file.name, 60)} is too large for a recipe.`);
            take(
              await file.text().then(readRecipe, () => ({
                problem: `${visibleLine(file.name, 60)} could not be read. Choose it again.`,
              })),
            );
          }}
          onLink={async (link) => {
            const words = URL.canParse(link) ? new URL(link).searchParams.get("recipe") : null;
            take(words === null ? { problem: "This link holds no recipe." } : await unpackRecipe(words));
          }}
        />
        {problem !== undefined && (
          <Notice tone="error" title="This recipe was not opened" className="mt-3">
            {problem} Nothing was changed.
          </Notice>
        )}
      </Dialog>
      {deleting && (
        <ConfirmDialog
          open
          danger
          onOpenChange={() => setDeleting(undefined)}
          title={`Delete the recipe ${visibleLine(deleting.name, 80)}?`}
          description="Deleted: the recipe. Kept: batches that were made from it, and their jobs."
          confirmLabel="Delete permanently"
          onConfirm={() => {
            setDeleting(undefined);
            tell(removeRecipe(accountId, deleting.name));
          }}
        />
      )}
    </>
  );
}

function tell(change: Promise<void>): void {
  change.catch(() => toast({ tone: "error", title: "This browser could not save the recipes" }));
}

function OpenElsewhere({ onFile, onLink }: { onFile: (file: File) => void; onLink: (link: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [link, setLink] = useState("");
  return (
    <form
      className="flex flex-col gap-3 border-line border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (link.trim() !== "") onLink(link.trim());
      }}
    >
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
          if (file) onFile(file);
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
              value={link}
              onChange={(event) => setLink(event.target.value)}
            />
            <Button type="submit" aria-disabled={link.trim() === ""}>
              Open
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}

function RecipeRow({
  stored: { name, savedAtMs, recipe },
  onOpen,
  onRename,
  onDelete,
}: {
  stored: StoredRecipe;
  onOpen: () => void;
  onRename: (name: string) => void;
  onDelete: () => void;
}) {
  const copyLink = useCopyRecipeLink();
  const [next, setNext] = useState<string>();
  const shown = visibleLine(name, 120);
  if (next !== undefined) {
    return (
      <li>
        <form
          className="flex gap-1"
          onSubmit={(event) => {
            event.preventDefault();
            setNext(undefined);
            if (next.trim() !== "" && next.trim() !== name) onRename(next.trim());
          }}
        >
          <TextInput
            aria-label={`New name for ${shown}`}
            autoFocus
            maxLength={LONGEST_NAME}
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
          <IconButton type="submit" label="Save the name">
            <Check aria-hidden="true" className="size-4" />
          </IconButton>
        </form>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-0.5">
      <Button variant="ghost" className="min-w-0 flex-1 justify-start!" title={`Open ${shown}`} onClick={onOpen}>
        <span className="truncate text-ink" dir="auto">
          {shown}
        </span>
        <span className="ms-auto shrink-0 font-normal text-[12px] text-ink-3 max-sm:hidden">
          {formatDate(savedAtMs / 1000)}
        </span>
      </Button>
      <IconButton label={`Copy a link to ${shown}`} onClick={() => void copyLink(recipe)}>
        <Link2 aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Save ${shown} as a file`} onClick={() => saveRecipeFile(recipe)}>
        <Save aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Rename ${shown}`} onClick={() => setNext(name)}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Delete ${shown}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}
