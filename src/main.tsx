import "./styles.css";
import "./app/first-paint.css";
import "./app/print.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { endFirstPaint } from "#app/first-paint.ts";
import { keepOffline, watchNetwork } from "#app/offline.ts";
import { createStudioRouter } from "#app/router.tsx";
import { SandboxGate } from "#app/sandbox-gate.tsx";
import { reloadOnStaleChunk, removeStaleWorker, watchVersion } from "#app/version-watch.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { getConnection, needsPageSandbox, openPageSandbox } from "#connection/connection-store.ts";
import { isBusy } from "#lib/leave-guard.ts";
import { claimStart } from "#lib/start-handover.ts";
import { startTheme } from "#settings/theme-store.ts";
import { Toaster } from "./ui/toast.tsx";

claimStart();
startTheme();
reloadOnStaleChunk(isBusy);
watchVersion();
watchNetwork();
keepOffline();
removeStaleWorker().catch(() => {});

const LONGEST_WAIT_MS = 10_000;

const place = document.getElementById("root");
if (!place) throw new Error("The page has no #root.");

// In a frame `public/start.js` has said so already.
if (window.top === window.self) void renderStudio(place);

async function renderStudio(root: HTMLElement): Promise<void> {
  const router = createStudioRouter();
  // The sandbox is loaded at the same time as the screen. SandboxGate waits for it.
  if (needsPageSandbox(getConnection())) void openPageSandbox();
  // Rendered before its code is there, the screen would be a Suspense fallback first, which React shows for at least 300 ms.
  // A connection that stalls is not waited for: the pending screen takes over.
  await Promise.race([router.load().catch(() => {}), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);
  endFirstPaint(root);
  createRoot(root).render(
    <StrictMode>
      <ConnectionProvider clients={router.options.context.clients}>
        <SandboxGate>
          <RouterProvider router={router} />
        </SandboxGate>
        <Toaster />
      </ConnectionProvider>
    </StrictMode>,
  );
}
