import { openRows } from "#storage/database.ts";
import type { RowStore } from "#storage/row.ts";

/** The rows of this browser, opened when first needed. */
export const browserRows: RowStore = {
  get: async (store, key) => (await openRows()).get(store, key),
  all: async (store, scope) => (await openRows()).all(store, scope),
  edit: async (target, decide) => (await openRows()).edit(target, decide),
};
