import { putChange, type RowKind } from "#storage/typed-rows.ts";
import type { SubmitEffects } from "./submit-effects.ts";

type Where = Pick<SubmitEffects, "rows" | "scope" | "newId">;

/** The id of the next consent to spend on a model. All tabs of a browser share it, so that one draft is sent once. */
const intentRows: RowKind<string> = {
  store: "settings",
  version: 1,
  read: (body) => (typeof body === "string" && body !== "" ? body : undefined),
};

const intentKey = (scope: string, model: string) => `intent|${scope}|${model}`;

/** The current id of a model, minted where there is none. */
export function currentIntent({ rows, scope, newId }: Where, model: string): Promise<string> {
  const key = intentKey(scope, model);
  return rows.edit<string>({ store: "settings", key }, (row) => {
    const known = row && intentRows.read(row.body, row);
    if (known !== undefined) return { changes: [], result: known };
    const minted = newId();
    return { changes: [putChange(intentRows, scope, key, minted)], result: minted };
  });
}

/** Mints the next id once this one is spent. Another tab may have done so already: then its id is the current one. */
export function renewIntent({ rows, scope, newId }: Where, model: string, spent: string): Promise<string> {
  const key = intentKey(scope, model);
  return rows.edit<string>({ store: "settings", key }, (row) => {
    const known = row && intentRows.read(row.body, row);
    if (known !== undefined && known !== spent) return { changes: [], result: known };
    const minted = newId();
    return { changes: [putChange(intentRows, scope, key, minted)], result: minted };
  });
}
