import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import type { Recipe } from "#jobs/batch-rows/recipe.ts";
import { recipesQuery, removeRecipe, renameRecipe, saveRecipe } from "#jobs/batch-rows/stored-recipes.ts";
import { openRows } from "#storage/database.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

beforeEach(freshDatabase);

const recipe = (name: string, prompt = "fog"): Recipe => ({
  name,
  groups: [{ name, runs: [{ model: "m", payload: { prompt } }] }],
});

let accounts = 0;
/** The recipes of an account as they are stored. */
async function stored(accountId: string) {
  const { value = [] } = await new QueryClient().fetchQuery(recipesQuery(accountId));
  return value;
}
const newAccount = () => `account-${accounts++}`;

describe("saved recipes", () => {
  it("come back newest first, and one of the same name is replaced", async () => {
    const account = newAccount();
    await saveRecipe(account, recipe("A"), 1);
    await saveRecipe(account, recipe("B"), 2);
    await saveRecipe(account, recipe("A", "rain"), 3);
    expect(await stored(account)).toEqual([
      { name: "A", savedAtMs: 3, recipe: recipe("A", "rain") },
      { name: "B", savedAtMs: 2, recipe: recipe("B") },
    ]);
    expect(await stored(newAccount())).toEqual([]);
  });

  it("are renamed, in the place of one of that name, and removed", async () => {
    const account = newAccount();
    for (const name of ["A", "B", "C"]) await saveRecipe(account, recipe(name), 1);
    await renameRecipe(account, "A", "B");
    await removeRecipe(account, "C");
    const [only, ...rest] = await stored(account);
    expect(rest).toEqual([]);
    expect(only?.recipe).toEqual({ ...recipe("A"), name: "B" });
  });

  // H23
  it("that were changed on the disk are left out, and the others stay", async () => {
    const account = newAccount();
    await saveRecipe(account, recipe("A"), 1);
    const rows = await openRows();
    await rows.edit({ store: "settings", key: `recipes|${account}` }, (row) => ({
      changes: row
        ? [{ kind: "put", store: "settings", row: { ...row, body: [{ name: "B" }, 7, ...(row.body as unknown[])] } }]
        : [],
      result: undefined,
    }));
    expect((await stored(account)).map(({ name }) => name)).toEqual(["A"]);
  });
});
