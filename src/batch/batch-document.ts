import { createContext, useContext } from "react";
import type { BatchView } from "#batch/runner/use-batches.ts";
import type { RowPrices } from "#runs/prices/use-row-prices.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import type { Batch } from "#storage/stored-batches.ts";

/** The batch that the screen shows, with all that follows from it. */
export interface BatchDocument extends BatchView {
  /** The parameters of every model that a row or an axis names. */
  schemas: ModelSchemas;
  prices: RowPrices;
  /** Why a row is not ready, in sentences, by the row's id. Rows that are ready, or were run, have no entry. */
  problems: ReadonlyMap<string, readonly string[]>;
  /** Rows that were changed just now and are still to be checked, by id. They are not ready. */
  unchecked: ReadonlySet<string>;
  /** The jobs of the runs, by job ID. */
  jobs: ReadonlyMap<string, TrackedJob>;
  /** A change is shown and not stored yet. */
  isSaving?: boolean;
  /**
   * Changes the batch: shown at once, then stored. `change` is pure, and is applied again to what is stored by then. Runs that
   * the person agreed to stay as they are, whatever it returns for them. A write that fails is shown, not thrown.
   */
  edit(change: (batch: Batch) => Batch): void;
}

const Context = createContext<BatchDocument | undefined>(undefined);

export const BatchDocumentProvider = Context.Provider;

/** The batch of the screen. Throws outside of it. */
export function useBatchDocument(): BatchDocument {
  const document = useContext(Context);
  if (!document) throw new Error("useBatchDocument is for the parts of the screen of a batch.");
  return document;
}
