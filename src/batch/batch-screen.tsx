import { getRouteApi, Link, useParams } from "@tanstack/react-router";
import { Layers, SlidersHorizontal } from "lucide-react";
import { useEffect, useState } from "react";
import { batchTitle } from "#batch/runner/batch-words.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { SideSheet } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { useIsCompact, useIsPhone } from "#ui/use-media-query.ts";
import { BatchBar } from "./batch-bar.tsx";
import { type BatchDocument, BatchDocumentProvider, useBatchDocument, useBatchDocumentById } from "./batch-document.ts";
import { BatchList } from "./batch-list.tsx";
import type { BatchSearch } from "./batch-search.ts";
import { batchCommands } from "./commands.ts";
import { RunActions, RunPanel, useRunBatch, useRunTotal } from "./run-panel/run-panel.tsx";
import { ContactSheet } from "./sheet/contact-sheet.tsx";
import { SourcesBar } from "./sources/sources-bar.tsx";
import { StartBatch } from "./sources/start-batch.tsx";
import { RunCards } from "./table/run-cards.tsx";
import { RunTable } from "./table/run-table.tsx";
import { ROW_FILTERS } from "./table/table-lines.ts";

const route = getRouteApi("/studio/batch");

/** `/batch`: many runs in one table, with the price of each before anything is submitted, and what came of them. */
export function BatchScreen() {
  const batchId = useParams({ from: "/studio/batch/$batchId", shouldThrow: false })?.batchId;
  const search = route.useSearch();
  const { document: shown, isRead } = useBatchDocumentById(batchId);
  useTitle(shown);
  if (batchId === undefined) {
    return (
      <>
        <h1 className="sr-only">Batch</h1>
        <StartBatch />
        <BatchList />
      </>
    );
  }
  if (!shown) return isRead ? <NoBatch /> : <Loading />;
  return (
    <BatchDocumentProvider value={shown}>
      <div className="flex h-full min-h-0 flex-col short:h-auto">
        <BatchBar view={search.view ?? "table"} />
        <BatchBody search={search} isEmpty={isEmpty(shown)} />
      </div>
    </BatchDocumentProvider>
  );
}

const isEmpty = ({ batch }: BatchDocument) =>
  batch.items.length === 0 && batch.groups.every(({ axes }) => axes === undefined);

function BatchBody({ search, isEmpty: isNew }: { search: BatchSearch; isEmpty: boolean }) {
  const isCompact = useIsCompact();
  const isPhone = useIsPhone();
  if (isNew)
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <StartBatch />
      </div>
    );
  if (search.view === "sheet") return <ContactSheet />;
  const show = ROW_FILTERS.find(({ name }) => name === search.show)?.name;
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] min-[73.8125rem]:grid-cols-[minmax(0,1fr)_--spacing(72)] min-[73.8125rem]:grid-rows-[minmax(0,1fr)] short:block">
      <div className="flex min-h-0 min-w-0 flex-col short:h-dvh">
        <SourcesBar />
        {isPhone ? <RunCards show={show} /> : <RunTable show={show} />}
      </div>
      {isCompact ? <RunFooter /> : <RunPanel />}
    </div>
  );
}

/** In a narrow window: the total and Run under the table, and everything else of the panel in a sheet. */
function RunFooter() {
  const [isOpen, setIsOpen] = useState(false);
  const total = useRunTotal();
  const { sums } = useBatchDocument();
  const amount = sums.drafts > 0 ? total.totalMicroUsd : sums.chargedMicroUsd - sums.refundedMicroUsd;
  const run = useRunBatch();
  const open = () => setIsOpen(true);
  useCommands([{ ...batchCommands.rules, icon: SlidersHorizontal, run: open }]);
  return (
    <div className="bg-panel">
      <RunActions
        total={total}
        run={run}
        isBar
        extra={
          <Button size="sm" variant="ghost" data-command={batchCommands.rules.id} onClick={open}>
            <SlidersHorizontal aria-hidden="true" className="size-4" />
            {formatMicroUsd(amount)} · {batchCommands.rules.label}
          </Button>
        }
      />
      <SideSheet open={isOpen} onOpenChange={setIsOpen} side="end" title={batchCommands.rules.label}>
        <div className="flex justify-end p-2">
          <Button size="sm" variant="ghost" onClick={() => setIsOpen(false)}>
            Close
          </Button>
        </div>
        <RunPanel isSheet />
      </SideSheet>
    </div>
  );
}

function NoBatch() {
  return (
    <div className="grid h-full place-items-center">
      <EmptyState
        icon={Layers}
        title="Batch not found"
        actions={
          <Link to="/batch" className={buttonClass()}>
            Open batches
          </Link>
        }
      >
        This browser has no batch with this link. The batch may have been deleted, belong to another browser or API key,
        or come from a newer version of Safelight.
      </EmptyState>
    </div>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 p-4.5">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-9" />
      <Skeleton className="h-72" />
    </div>
  );
}

/** The name of the batch is the title of the page. */
function useTitle(shown: BatchDocument | undefined): void {
  const title = shown ? visibleLine(batchTitle(shown.batch), 80) : undefined;
  useEffect(() => {
    document.title = `${title ?? "Batch"} · Safelight`;
  }, [title]);
}
