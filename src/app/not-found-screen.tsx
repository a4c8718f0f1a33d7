import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "#ui/button-class.ts";
import { EmptyState } from "#ui/empty-state.tsx";

/** An address that names no screen. */
export function NotFoundScreen() {
  return (
    <div className="grid min-h-full place-items-center">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={Compass}
        title="There is no page here"
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
        The address may be mistyped or from another version. A job opens at /jobs/ followed by its id.
      </EmptyState>
    </div>
  );
}
