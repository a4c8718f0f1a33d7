import { type ReactNode, useEffect } from "react";
import {
  disconnect,
  isSandboxByPage,
  openPageSandbox,
  useConnection,
  usePageSandbox,
} from "#connection/connection-store.ts";
import { Button } from "#ui/button.tsx";
import { Spinner } from "#ui/indicators.tsx";

/**
 * On a plain static file host the sandbox runs in the page. Renders its children once the sandbox answers, and shows a
 * problem when it cannot. With a service, or a host that has a sandbox of its own, it does nothing.
 */
export function SandboxGate({ children }: { children: ReactNode }) {
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
    body: "The sandbox needs a service worker. This browser allows one only on https addresses and on localhost.",
  },
  failed: {
    title: "The sandbox did not start",
    body: "A part of the sandbox could not be loaded. Check your connection.",
  },
} as const;

/** Why the sandbox of a static page does not answer, and the two ways on. */
function SandboxProblem({ state }: { state: keyof typeof EXPLANATIONS }) {
  const { title, body } = EXPLANATIONS[state];
  return (
    <div role="alert" className="flex max-w-[420px] flex-col items-center px-4 text-center">
      <h1 className="m-0 font-semibold text-[20px] tracking-[-0.01em]">{title}</h1>
      <p className="mt-2 mb-6 text-balance text-ink-2">{body}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
        <Button onClick={disconnect}>Leave the sandbox</Button>
      </div>
    </div>
  );
}
