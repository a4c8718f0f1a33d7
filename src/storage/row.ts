/** The object stores of the one database. `thumbnails`, `seen` and `chats` may be dropped when space runs out; money never is. */
export const STORE_NAMES = [
  "outbox",
  "ledger",
  "jobs",
  "drafts",
  "chats",
  "thumbnails",
  "settings",
  "batches",
  "marks",
  "seen",
  "quarantine",
] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** One row of any store. `body` is whatever the owner wrote; it is read back as untrusted data. */
export interface StoredRow {
  key: string;
  /** Whose row it is: the key fingerprint of a connection, or `""` for the browser as a whole. */
  scope: string;
  /** Version of the shape of `body`. */
  v: number;
  body: unknown;
  /** At most one row of a store may hold a given slot. The outbox uses it: one unsettled attempt per model. */
  slot?: string;
}

export type RowChange =
  | { kind: "put"; store: StoreName; row: StoredRow }
  | { kind: "remove"; store: StoreName; key: string };

/** What an edit decided: the changes to make, all or none, and what to hand back. */
export interface Decision<T> {
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
}

/** `current` is the target's row, `reads` are those it asked for. Synchronous. */
export type Decide<T> = (current: StoredRow | undefined, reads: (StoredRow | undefined)[]) => Decision<T>;

/** Rows that survive the page, or that live as long as it does where nothing durable is to be had. */
export interface RowStore {
  get(store: StoreName, key: string): Promise<StoredRow | undefined>;
  /** Every row of a store, or of one accountId, in no order. */
  all(store: StoreName, accountId?: string): Promise<StoredRow[]>;
  /**
   * Reads one row, lets `decide` (synchronous) choose, and writes all of it in one transaction, on the disk before the
   * promise resolves where money is concerned. Throws `SlotTakenError` when a slot is held by another row, `StorageError`
   * when nothing could be written.
   */
  edit<T>(target: EditTarget, decide: Decide<T>): Promise<T>;
}

/** Another row holds the slot: in the outbox, an attempt for this model is not settled yet. */
export class SlotTakenError extends Error {
  override name = "SlotTakenError";
}

export type StorageTrouble = "full" | "read-only" | "failed";

/** Nothing was written. */
export class StorageError extends Error {
  override name = "StorageError";
  readonly trouble: StorageTrouble;
  constructor(trouble: StorageTrouble, cause?: unknown) {
    super(`Storage could not be written (${trouble}).`, { cause });
    this.trouble = trouble;
  }
}

/** Whether something read from the database has the outer shape of a row. */
export function isStoredRow(raw: unknown): raw is StoredRow {
  if (typeof raw !== "object" || raw === null) return false;
  const row = raw as Partial<StoredRow>;
  return typeof row.key === "string" && typeof row.scope === "string" && typeof row.v === "number" && "body" in row;
}
