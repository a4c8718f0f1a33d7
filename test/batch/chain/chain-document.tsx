import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type BatchDocument, BatchDocumentProvider, useBatchDocumentById } from "#batch/batch-document.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { Toaster } from "#ui/toast.tsx";

interface ChainDocumentProps {
  batchId: string;
  children: (document: BatchDocument) => ReactNode;
}

/** A stored batch as its screen gives it to the parts, without the screen. */
function ChainDocument({ batchId, children }: ChainDocumentProps) {
  const { document } = useBatchDocumentById(batchId);
  return document && <BatchDocumentProvider value={document}>{children(document)}</BatchDocumentProvider>;
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
