import "./styles.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createStudioRouter } from "#app/router.tsx";
import { SandboxGate } from "#app/sandbox-gate.tsx";
import { reloadOnStaleChunk } from "#app/stale-chunk.ts";
import { watchVersion, watchWorker } from "#app/watch-version.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { isSubmitting } from "#jobs/submit/leave-guard.ts";
import { startTheme } from "#ui/theme-store.ts";
import { Toaster } from "#ui/toaster.tsx";

startTheme();
reloadOnStaleChunk(isSubmitting);
watchVersion();
watchWorker();

const place = document.getElementById("root");
if (!place) throw new Error("The page has no #root.");

const router = createStudioRouter();

createRoot(place).render(
  <StrictMode>
    <ConnectionProvider>
      <SandboxGate>
        <RouterProvider router={router} />
      </SandboxGate>
      <Toaster />
    </ConnectionProvider>
  </StrictMode>,
);
