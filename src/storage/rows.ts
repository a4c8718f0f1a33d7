import { ROW_VERSIONS, type StoreName } from "./keys.ts";

/** One row of any store. `body` is whatever the owner wrote; it is read back as untrusted data. */
export interface StoredRow {
  key: string;
  /** Whose row it is: an account's id, a part below it (`<id>|wires`), or `""` for the browser as a whole. */
  scope: string;
  /** Version of the shape of `body`. */
  v: number;
  body: unknown;
  /** At most one row of a store may hold a given slot. The outbox uses it: one unsettled attempt per model. */
  slot?: string;
}

/** `evenNewer`: the person deletes it, whatever version wrote it. */
export type RowChange =
  | { kind: "put"; store: StoreName; row: StoredRow }
  | { kind: "remove"; store: StoreName; key: string; evenNewer?: true };

/** What an edit decided: the changes to make, all or none, and what to hand back. */
interface Decision<T> {
  changes: RowChange[];
  result: T;
}

export interface EditTarget {
  store: StoreName;
  key: string;
  /** Other stores the decision may write to, in the same transaction. */
  also?: StoreName[];
  /** Further rows to read in the same transaction, in this order. */
  reads?: { store: StoreName; key: string }[];
  /** Worth less than anything else that is stored: on a full disk nothing is dropped for it, and no message is shown. */
  isExpendable?: true;
}

/** `current` is the target's row, `reads` are those it asked for. Synchronous. */
export type Decide<T> = (current: StoredRow | undefined, reads: (StoredRow | undefined)[]) => Decision<T>;

/** Rows that survive the page, or that live as long as it does where the browser offers nothing durable. */
export interface RowStore {
  /** The row of a key; undefined where the key has none. Rejects where the database cannot be read. */
  get(store: StoreName, key: string): Promise<StoredRow | undefined>;
  /** Every row of a store, or of one account, in no order. Rejects where the database cannot be read. */
  all(store: StoreName, accountId?: string): Promise<StoredRow[]>;
  /**
   * Reads one row, lets `decide` (synchronous) choose, and writes all of it in one transaction, on the disk before the
   * promise resolves where money is concerned. Rejects with `SlotTakenError` when another row holds a slot, with
   * `StorageError` when nothing could be written. What `decide` throws, writes nothing and rejects as `StorageError`. A
   * change that would replace or delete a row of a newer version leaves that row as it is, and the others are made.
   */
  edit<T>(target: EditTarget, decide: Decide<T>): Promise<T>;
}

/** Another row holds the slot: in the outbox, an attempt for this model is not settled yet. */
export class SlotTakenError extends Error {
  override name = "SlotTakenError";
}

/** `newer`: a newer version of Safelight wrote the row. */
type StorageTrouble = "full" | "read-only" | "failed" | "newer";

/** Nothing was written. */
export class StorageError extends Error {
  override name = "StorageError";
  readonly trouble: StorageTrouble;
  constructor(trouble: StorageTrouble, cause?: unknown) {
    super(
      trouble === "newer"
        ? "A newer version of Safelight saved this. Reload to update Safelight."
        : `This browser couldn’t write to its storage (${trouble}).`,
      { cause },
    );
    this.trouble = trouble;
  }
}

/** The key of the row that a change is about. */
export const getChangeKey = (change: RowChange) => (change.kind === "put" ? change.row.key : change.key);

/** Whether something read from the database has the outer shape of a row. */
export function isStoredRow(raw: unknown): raw is StoredRow {
  if (typeof raw !== "object" || raw === null) return false;
  const row = raw as Partial<StoredRow>;
  return typeof row.key === "string" && typeof row.scope === "string" && typeof row.v === "number" && "body" in row;
}

/**
 * Whether a change leaves a row alone because a newer version of Safelight wrote it: what that row means, and that its
 * slot is taken, this code cannot know.
 */
export function isLeftAlone(stored: StoredRow | undefined, change: RowChange): boolean {
  if (stored === undefined) return false;
  if (change.kind === "put") return stored.v > change.row.v;
  return stored.v > ROW_VERSIONS[change.store] && change.evenNewer !== true;
}

/** Rows for the life of the page only: private windows, blocked storage, tests. What `decide` throws, `edit` rejects with. */
export function createMemoryRows(): RowStore {
  const stores = new Map<StoreName, Map<string, StoredRow>>();
  const rowsOf = (name: StoreName) => {
    const rows = stores.get(name) ?? new Map<string, StoredRow>();
    stores.set(name, rows);
    return rows;
  };
  const holdsSlot = (change: RowChange, slot: string) =>
    [...rowsOf(change.store).values()].some(
      (row) => row.slot === slot && change.kind === "put" && row.key !== change.row.key,
    );
  const apply = (change: RowChange) => {
    if (change.kind === "remove") rowsOf(change.store).delete(change.key);
    else rowsOf(change.store).set(change.row.key, structuredClone(change.row));
  };
  return {
    get: async (store, key) => structuredClone(rowsOf(store).get(key)),
    all: async (store, accountId) =>
      [...rowsOf(store).values()]
        .filter((row) => accountId === undefined || row.scope === accountId)
        .map((row) => structuredClone(row)),
    edit: async (target, decide) => {
      const { changes: wanted, result } = decide(
        structuredClone(rowsOf(target.store).get(target.key)),
        (target.reads ?? []).map(({ store, key }) => structuredClone(rowsOf(store).get(key))),
      );
      const changes = wanted.filter((change) => !isLeftAlone(rowsOf(change.store).get(getChangeKey(change)), change));
      for (const change of changes) {
        if (change.kind === "put" && change.row.slot !== undefined && holdsSlot(change, change.row.slot)) {
          throw new SlotTakenError(change.row.slot);
        }
      }
      changes.forEach(apply);
      return result;
    },
  };
}
