import "./styles.css";
import "#app/first-paint.css";
import "#app/print.css";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { registerOfflineWorker, watchNetwork } from "#app/offline.ts";
import { createStudioRouter } from "#app/router.tsx";
import { reloadOnStaleChunk, removeStaleWorker, watchVersion } from "#app/version-watch.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import {
  disconnect,
  getConnection,
  isSandboxByPage,
  needsPageSandbox,
  openPageSandbox,
  useConnection,
  usePageSandbox,
} from "#connection/connection-store.ts";
import { isBusy } from "#lib/leave-guard.ts";
import { claimStart } from "#lib/start-handover.ts";
import { startTheme } from "#settings/theme-store.ts";
import { Button } from "#ui/button.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { Toaster } from "#ui/toast.tsx";

claimStart();
startTheme();
reloadOnStaleChunk(isBusy);
watchVersion();
watchNetwork();
registerOfflineWorker();
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

/**
 * Takes away what the page has shown since before its scripts came (`.build/first-paint/`), in the very frame in which the
 * studio's own screen, or why it cannot be shown, stands in `root`: neither a blank moment nor a shift. Without a first
 * paint it does nothing.
 */
function endFirstPaint(root: HTMLElement): void {
  const drawn = document.getElementById("first-paint");
  if (!drawn) return;
  const observer = new MutationObserver(() => {
    if (!root.querySelector("h1, h2, [role=alert]")) return;
    observer.disconnect();
    drawn.remove();
    // The rules of `public/start.js` come first among the adopted ones.
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(1);
    delete document.documentElement.dataset.first;
  });
  observer.observe(root, { childList: true, subtree: true });
}

/**
 * On a plain static file host the sandbox runs in the page. Renders its children once the sandbox answers, and shows a
 * problem when it cannot. With a service, or a host that has a sandbox of its own, it does nothing.
 */
function SandboxGate({ children }: { children: ReactNode }) {
  const isNeeded = useConnection()?.isSandbox === true && isSandboxByPage();
  const sandbox = usePageSandbox();
  useEffect(() => {
    if (isNeeded) void openPageSandbox();
  }, [isNeeded]);

  if (!isNeeded || sandbox === "open") return children;
  const isComing = sandbox === "closed" || sandbox === "opening";
  return (
    <main className="grid min-h-dvh place-content-center bg-canvas text-ink">
      {isComing ? <Spinner label="Starting the sandbox" /> : <SandboxProblem state={sandbox} />}
    </main>
  );
}

const EXPLANATIONS = {
  bypassed: {
    title: "The sandbox is not running",
    body: "A hard reload skips the sandbox. Reload the page normally to start it again.",
  },
  unsupported: {
    title: "The sandbox cannot run here",
    body: "The sandbox needs a service worker. This browser allows one only over https and on localhost.",
  },
  failed: {
    title: "The sandbox did not start",
    body: "Part of the sandbox couldn’t be loaded. Check your connection, then reload.",
  },
} as const;

/** Why the sandbox of a static page does not answer, and the two ways on. */
function SandboxProblem({ state }: { state: keyof typeof EXPLANATIONS }) {
  const { title, body } = EXPLANATIONS[state];
  return (
    <div role="alert" className="flex max-w-105 flex-col items-center px-4 text-center">
      <h1 className="m-0 font-semibold text-xl tracking-tight">{title}</h1>
      <p className="mt-2 mb-6 text-balance text-ink-2">{body}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
        <Button onClick={disconnect}>Leave sandbox</Button>
      </div>
    </div>
  );
}
