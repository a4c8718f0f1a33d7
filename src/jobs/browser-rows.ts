import { openRows } from "#storage/database.ts";
import type { RowStore } from "#storage/row.ts";

/** The rows of this browser, opened when first needed. */
export const browserRows: RowStore = {
  get: async (store, key) => (await openRows()).get(store, key),
  all: async (store, accountId) => (await openRows()).all(store, accountId),
  edit: async (target, decide) => (await openRows()).edit(target, decide),
};
