import { Link } from "@tanstack/react-router";
import { Image } from "lucide-react";
import { lazy, Suspense } from "react";
import { EmptyState } from "#ui/empty-state.tsx";

// Loaded with the first job: what shows and downloads media is no part of the empty form.
const StagedJob = lazy(() => import("./staged-job.tsx").then(({ StagedJob: component }) => ({ default: component })));

/** The job that is looked at: its state, its media, its facts. */
export function Stage({ requestId }: { requestId: string | undefined }) {
  if (requestId === undefined) {
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyState icon={Image} title="Nothing on the stage yet">
          Fill in the form and press Run. What comes back is shown here, and stays in{" "}
          <Link to="/history" className="text-ink underline underline-offset-2">
            History
          </Link>
          .
        </EmptyState>
      </div>
    );
  }
  return (
    <Suspense>
      <StagedJob key={requestId} requestId={requestId} />
    </Suspense>
  );
}
