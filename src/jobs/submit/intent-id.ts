import { putChange, type RowKind } from "#storage/typed-rows.ts";
import type { SubmitEffects } from "./submit-effects.ts";

type Where = Pick<SubmitEffects, "rows" | "accountId" | "newId">;

/** The id of the next consent to spend on a model. All tabs of a browser share it, so that one draft is sent once. */
const intentRows: RowKind<string> = {
  store: "settings",
  version: 1,
  read: (body) => (typeof body === "string" && body !== "" ? body : undefined),
};

const intentKey = (accountId: string, model: string) => `intent|${accountId}|${model}`;

/** The current id of a model, minted where there is none. */
export function currentIntent({ rows, accountId, newId }: Where, model: string): Promise<string> {
  const key = intentKey(accountId, model);
  return rows.edit<string>({ store: "settings", key }, (row) => {
    const known = row && intentRows.read(row.body, row);
    if (known !== undefined) return { changes: [], result: known };
    const minted = newId();
    return { changes: [putChange(intentRows, accountId, key, minted)], result: minted };
  });
}

/** Mints the next id once this one is spent. Another tab may have done so already: then its id is the current one. */
export function renewIntent({ rows, accountId, newId }: Where, model: string, spent: string): Promise<string> {
  const key = intentKey(accountId, model);
  return rows.edit<string>({ store: "settings", key }, (row) => {
    const known = row && intentRows.read(row.body, row);
    if (known !== undefined && known !== spent) return { changes: [], result: known };
    const minted = newId();
    return { changes: [putChange(intentRows, accountId, key, minted)], result: minted };
  });
}
