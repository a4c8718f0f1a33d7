import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { editBatch } from "#jobs/batch/batch-edits.ts";
import type { BatchRunner } from "#jobs/batch/batch-runner.ts";
import { type BatchView, useBatch } from "#jobs/batch/use-batches.ts";
import { useRowPrices } from "#jobs/price/use-row-prices.ts";
import { useModelSchemas } from "#jobs/use-model-schemas.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { BatchDocumentProvider } from "#screens/batch/batch-document.ts";
import { Toaster } from "#ui/toast.tsx";

interface ChainDocumentProps {
  batchId: string;
  children: (view: BatchView, runner: BatchRunner) => ReactNode;
}

/** A stored batch as its screen gives it to the parts, without the screen. */
function ChainDocument({ batchId, children }: ChainDocumentProps) {
  const { view, where, runner } = useBatch(batchId);
  const jobs = useTrackedJobs();
  const schemas = useModelSchemas(view?.batch.items.map(({ request }) => request.model) ?? []);
  const prices = useRowPrices([], schemas);
  if (!view) return null;
  const document = {
    ...view,
    schemas,
    prices,
    problems: new Map<string, readonly string[]>(),
    unchecked: new Set<string>(),
    jobs: new Map(jobs.map((job) => [job.requestId, job])),
    edit: (change: Parameters<typeof editBatch>[2]) => void editBatch(where, batchId, change),
  };
  return <BatchDocumentProvider value={document}>{children(view, runner)}</BatchDocumentProvider>;
}

/** The same in a router of its own. `path` tells where the person was led. */
export function chainPage({ batchId, children }: ChainDocumentProps) {
  const root = createRootRoute({ component: Outlet });
  const home = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => <ChainDocument batchId={batchId}>{children}</ChainDocument>,
  });
  const batch = createRoute({ getParentRoute: () => root, path: "/batch/$batchId", component: () => <h1>Table</h1> });
  const router = createRouter({
    routeTree: root.addChildren([home, batch]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  const page = (
    <ConnectionProvider>
      <RouterProvider router={router as never} />
      <Toaster />
    </ConnectionProvider>
  );
  return { page, path: () => router.state.location.pathname };
}
