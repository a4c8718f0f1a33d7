import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { isSandboxByPage, openPageSandbox, usePageSandbox } from "#connection/page-sandbox.ts";
import { Spinner } from "#ui/spinner.tsx";

const SandboxProblem = lazy(() =>
  import("./sandbox-problem.tsx").then(
    (module) => ({ default: module.SandboxProblem }),
    () => ({ default: () => <p role="alert">The sandbox did not start. Reload the page.</p> }),
  ),
);

/**
 * On a plain static file host the sandbox runs in the page. Holds back what is below it until the sandbox answers,
 * and says so when it cannot. With a service, or a host that brings the sandbox, it does nothing.
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
      {isComing ? (
        <Spinner label="Starting the sandbox" />
      ) : (
        <Suspense>
          <SandboxProblem state={sandbox} />
        </Suspense>
      )}
    </main>
  );
}
