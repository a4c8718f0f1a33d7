import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { ReadRecipe } from "#batch/rows/recipe.ts";
import { unpackRecipe } from "#batch/rows/recipe-link.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { OpenRecipeDialog } from "./open-recipe-dialog.tsx";
import type { RunTarget } from "./run-target.ts";

const route = getRouteApi("/studio/batch");

/** The recipe of a link, opened once: whatever becomes of it, the address is without it afterwards. */
export function RecipeLink({ target }: { target: RunTarget }) {
  const { recipe: words } = route.useSearch();
  const navigate = route.useNavigate();
  const [read, setRead] = useState<ReadRecipe & { words: string }>();
  useEffect(() => {
    if (words === undefined) return;
    let isCurrent = true;
    void unpackRecipe(words).then((found) => isCurrent && setRead({ ...found, words }));
    return () => {
      isCurrent = false;
    };
  }, [words]);
  if (words === undefined || read?.words !== words) return null;
  const close = () => void navigate({ to: "/batch", search: {}, replace: true });
  if (read.recipe) return <OpenRecipeDialog recipe={read.recipe} target={target} onClose={close} />;
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && close()}
      title="This recipe was not opened"
      description={`${read.problem} Nothing was changed.`}
      footer={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    />
  );
}
