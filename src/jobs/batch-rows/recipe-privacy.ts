import { getConnection } from "#connection/connection-store.ts";
import { foreignHost, heldHost } from "#media/known-hosts.ts";
import { allUploads } from "#media/upload/upload-memory.ts";
import type { RecipePrivacy } from "./recipe.ts";

/** What must not be in a recipe of the connected account. Never rejects. */
export async function recipePrivacy(): Promise<RecipePrivacy> {
  const connection = getConnection();
  const uploads = await allUploads(connection?.accountId ?? "").catch(() => []);
  return {
    keyShape: connection?.keyShape,
    ownAddresses: new Set(uploads.map(({ publicUrl }) => publicUrl)),
    // Hosts that the service's answers name keep files for a time only (spec 8), and so does the sandbox on this page's own.
    isExpiring: (address) => foreignHost(address) === undefined || heldHost(address) === undefined,
  };
}
