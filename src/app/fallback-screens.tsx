import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useEffect } from "react";
import { Button, buttonClass } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";

/** Code of Safelight that could not be loaded: the network failed, or after a deployment it is gone. */
export class MissingCodeError extends Error {
  constructor(cause: unknown) {
    super("A part of Safelight couldn’t be loaded.", { cause });
    this.name = "MissingCodeError";
  }
}

/**
 * Stands in place of a screen that broke: what happened, what is known of the jobs, and three ways on. A run may be in
 * progress, so it says nothing about charges.
 */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const isMissing = error instanceof MissingCodeError;
  useEffect(() => console.error(error), [error]);
  return (
    <div className="mx-auto grid min-h-full max-w-140 place-content-center gap-5 px-4 py-12">
      <h1 className="m-0 font-semibold text-xl tracking-tight">
        {isMissing ? "This screen couldn’t be loaded" : "This screen stopped working"}
      </h1>
      <Notice
        tone="error"
        title={isMissing ? "A part of Safelight didn’t load" : "Something went wrong in Safelight"}
        actions={
          <>
            <Button size="sm" onClick={() => location.reload()}>
              Reload
            </Button>
            {!isMissing && (
              <Button size="sm" onClick={reset}>
                Try again
              </Button>
            )}
            <Link to="/create" className={buttonClass({ size: "sm" })}>
              Go to Create
            </Link>
          </>
        }
      >
        {isMissing && "Check your connection, then reload the page. "}
        Jobs you submitted keep running. Drafts are saved on this device.
      </Notice>
      {!isMissing && (
        <details className="text-sm text-ink-2">
          <summary className="cursor-pointer">Error details</summary>
          <pre className="wrap-anywhere mt-2 max-h-60 overflow-y-auto whitespace-pre-wrap rounded-md bg-well p-3 font-mono text-xs">
            {error instanceof Error ? error.message : String(error)}
          </pre>
        </details>
      )}
    </div>
  );
}

/** A URL that names no screen. */
export function NotFoundScreen() {
  return (
    <div className="grid min-h-full place-items-center">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={Compass}
        title="Page not found"
        actions={
          <>
            <Link to="/create" className={buttonClass({ variant: "primary" })}>
              Go to Create
            </Link>
            <Link to="/history" className={buttonClass()}>
              Go to History
            </Link>
          </>
        }
      >
        The URL may be mistyped or from another version. To open a job, use /jobs/ followed by its ID.
      </EmptyState>
    </div>
  );
}

/** Shown while a screen's code is loaded, where that takes longer than a moment. */
export function PendingScreen() {
  return (
    <div className="grid h-full min-h-40 place-items-center text-ink-3">
      <Spinner label="Loading" />
    </div>
  );
}
