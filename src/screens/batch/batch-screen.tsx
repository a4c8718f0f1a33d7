import { Link, useParams, useSearch } from "@tanstack/react-router";
import { formatMicroUsd } from "#lib/money.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { BatchDocumentProvider } from "./batch-document.ts";
import { readBatchSearch } from "./batch-search.ts";
import { ContactSheet } from "./sheet/contact-sheet.tsx";
import { SourcesBar } from "./sources/sources-bar.tsx";
import { StartBatch } from "./sources/start-batch.tsx";
import { useBatchDocumentOf } from "./use-batch-document.ts";

/** `/batch`: a table of runs, their prices, and what came of them. */
export function BatchScreen() {
  const { batchId } = useParams({ strict: false });
  const { view = "table" } = readBatchSearch(useSearch({ strict: false }));
  const { document, isRead } = useBatchDocumentOf(batchId);
  if (batchId === undefined) return <StartBatch />;
  if (!document) {
    if (!isRead) return null;
    return (
      <EmptyState title="No such batch" actions={<Link to="/batch">Open batches</Link>}>
        This browser has no batch at this address.
      </EmptyState>
    );
  }
  const { batch, items, prices } = document;
  return (
    <BatchDocumentProvider value={document}>
      <h1>{batch.name || "Batch"}</h1>
      <SourcesBar />
      {items.length === 0 && <StartBatch />}
      {view === "sheet" ? (
        <ContactSheet />
      ) : (
        <ol>
          {items.map(({ item, state }) => {
            const price = prices.of(item.request);
            return (
              <li key={item.id}>
                {item.request.model} {JSON.stringify(item.request.payload)} {state.kind}{" "}
                {price.state === "priced" ? formatMicroUsd(price.priceMicroUsd) : price.state}
              </li>
            );
          })}
        </ol>
      )}
    </BatchDocumentProvider>
  );
}
