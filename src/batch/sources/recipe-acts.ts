import { useRouter } from "@tanstack/react-router";
import { type Recipe, writeRecipe } from "#batch/rows/recipe.ts";
import { recipeLink } from "#batch/rows/recipe-link.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { toast } from "#ui/toast-store.ts";

/** Saves a recipe as a file of this device. */
export function saveRecipeFile(recipe: Recipe): void {
  const name =
    recipe.name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "recipe";
  saveBlob(new Blob([writeRecipe(recipe)], { type: "application/json" }), `${name.toLowerCase()}.recipe.json`);
}

/** Copies a link that opens a recipe for anyone with a key of their own; says what came of it. */
export function useCopyRecipeLink(): (recipe: Recipe) => Promise<void> {
  const router = useRouter();
  return async (recipe) => {
    const { publicHref } = router.buildLocation({ to: "/batch", search: {} });
    const { link, problem } = await recipeLink(recipe, new URL(publicHref, location.href).href.replace(/[?#].*$/, ""));
    if (link === undefined) {
      toast({ tone: "warning", title: "The link was not copied", body: problem });
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: "Link copied", body: "It holds the recipe, but no key and no files from this device." });
    } catch {
      toast({ tone: "warning", title: "The browser did not allow copying" });
    }
  };
}
