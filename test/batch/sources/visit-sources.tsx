import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useParams,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef, useState } from "react";
import { onTestFinished } from "vitest";
import type { Job } from "#api/types.ts";
import { type BatchDocument, BatchDocumentProvider } from "#batch/batch-document.ts";
import { readBatchSearch } from "#batch/batch-search.ts";
import { cellText } from "#batch/rows/cell-value.ts";
import { expandAxes } from "#batch/rows/expand-axes.ts";
import { newGroup, withGroup } from "#batch/rows/group-runs.ts";
import { addBatch, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useStoredBatches } from "#batch/runner/use-batches.ts";
import { textAxis } from "#batch/sources/axis-edits.ts";
import { clearStartDraft } from "#batch/sources/combine-form.tsx";
import { SaveTemplateDialog } from "#batch/sources/recipes-dialog.tsx";
import { SourcesBar } from "#batch/sources/sources-bar.tsx";
import { StartBatch } from "#batch/sources/start-batch.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { connect, disconnect, getConnection, useConnection } from "#connection/connection-store.ts";
import { importOneJob } from "#runs/import-jobs.ts";
import { browserRows } from "#storage/database.ts";
import type { Batch, BatchAxes } from "#storage/stored-batches.ts";
import { Toaster } from "#ui/toast.tsx";
import { openSandboxMedia } from "../../media/sandbox-media.ts";
import { giveLayout } from "../../setup/give-layout.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

/** A batch with its rows as plain lines, in place of the table: what the sources make, and nothing of how it is shown. */
function PlainBatch({ batchId }: { batchId: string }) {
  const accountId = useConnection()?.accountId ?? "";
  const batches = useStoredBatches();
  const [newest, setNewest] = useState<Batch>();
  const [isSaving, setIsSaving] = useState(false);
  const writes = useRef<Promise<void>>(Promise.resolve());
  const batch = newest ?? batches.find(({ id }) => id === batchId);
  if (!batch) return <p>Loading the batch</p>;
  const document: Partial<BatchDocument> = {
    batch,
    edit(change) {
      setNewest(change(batch));
      writes.current = writes.current
        .then(() => editBatch({ rows: browserRows, accountId }, batchId, change))
        .then(() => undefined);
    },
  };
  const isEmpty = batch.items.length === 0 && batch.groups.every(({ axes }) => axes === undefined);
  return (
    <BatchDocumentProvider value={document as BatchDocument}>
      <h1>{batch.name}</h1>
      {isEmpty ? <StartBatch /> : <SourcesBar />}
      <button type="button" onClick={() => setIsSaving(true)}>
        Save as template
      </button>
      {isSaving && <SaveTemplateDialog batch={batch} onClose={() => setIsSaving(false)} />}
      <ol aria-label="Rows">
        {batch.items.map(({ id, request, unavailable = [] }) => (
          <li key={id}>
            {[request.model, ...Object.values(request.payload).map((value) => cellText(value)), ...unavailable].join(
              " | ",
            )}
          </li>
        ))}
      </ol>
    </BatchDocumentProvider>
  );
}

interface SourcesVisit {
  /** By default that of `stored`, else `/batch`, where there is no batch yet. */
  path?: string;
  /** A batch that is there already. */
  stored?: Batch;
  /** Makes jobs at the service, which this browser then knows of. */
  makeJobs?: (sandbox: ReturnType<typeof openSandboxMedia>) => Promise<readonly Job[]>;
}

/** A batch of one model's prompts, one a line, as the form on Create begins it. */
export const promptsOf = (prompts: string, ...models: string[]): Batch => {
  const axes: BatchAxes = { models, settings: {}, parameters: [textAxis("prompt", prompts)], way: "product" };
  const group = newGroup("All combinations", "axes", axes);
  return withGroup(newBatch("Lamps"), group, expandAxes(axes, new Map()).runs);
};

/** The sources of a batch over a fresh sandbox, for the length of one test. */
export async function visitSources({ stored, path, makeJobs }: SourcesVisit = {}) {
  freshDatabase();
  onTestFinished(giveLayout());
  const sandbox = openSandboxMedia();
  onTestFinished(() => {
    disconnect();
    sandbox.close();
  });
  localStorage.clear();
  clearStartDraft();
  const { queueBaseUrl, inferenceBaseUrl } = sandbox;
  const key = "sandbox-key-4f9c27de81b05a36";
  await connect({ queueBaseUrl, inferenceBaseUrl, key, isSandbox: true });
  const accountId = getConnection()?.accountId ?? "";
  const jobs = (await makeJobs?.(sandbox)) ?? [];
  for (const { requestId } of jobs) await importOneJob(sandbox.api, accountId, requestId);
  if (stored) await addBatch({ rows: browserRows, accountId }, stored);
  const root = createRootRoute();
  const studio = createRoute({ getParentRoute: () => root, id: "studio" });
  const batch = createRoute({ getParentRoute: () => studio, path: "/batch", validateSearch: readBatchSearch });
  const getParentRoute = () => batch;
  const start = createRoute({ getParentRoute, path: "/", component: () => <StartBatch /> });
  const one = createRoute({
    getParentRoute,
    path: "$batchId",
    component: () => <PlainBatch batchId={useParams({ from: "/studio/batch/$batchId" }).batchId} />,
  });
  const elsewhere = createRoute({
    getParentRoute: () => studio,
    path: "/elsewhere",
    component: () => <p>Elsewhere</p>,
  });
  const router = createRouter({
    routeTree: root.addChildren([studio.addChildren([batch.addChildren([start, one]), elsewhere])]),
    history: createMemoryHistory({ initialEntries: [path ?? (stored ? `/batch/${stored.id}` : "/batch")] }),
  });
  await router.load();
  const { unmount: leave } = render(
    <ConnectionProvider>
      <RouterProvider router={router as never} />
      <Toaster />
    </ConnectionProvider>,
  );
  // What multiplies the runs of a batch is offered once the parameters of its model are known.
  await screen.findByRole("button", { name: stored ? /^(4 random seeds|Repeat × 4)$/ : "Choose models" });
  return { user: userEvent.setup(), router, sandbox, key, leave };
}
