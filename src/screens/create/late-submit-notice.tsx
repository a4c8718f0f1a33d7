import { lazy, Suspense } from "react";
import type { Submission } from "#jobs/use-submit.ts";
import { Notice } from "#ui/notice.tsx";

const load = () => import("./submit-notice.tsx");

const SubmitNotice = lazy(() =>
  load().then(
    (module) => ({ default: module.SubmitNotice }),
    () => ({ default: PlainNotice }),
  ),
);

/** Starts to load the words at the click, so that they are there when the answer is. */
export function loadSubmitNotice(): void {
  load().catch(() => {
    // Shown by `PlainNotice`, should the words be needed.
  });
}

/** `SubmitNotice`, from the first time that it has anything to say. */
export function LateSubmitNotice(props: { submission: Submission; onRun: () => void }) {
  const { state } = props.submission;
  if (state.phase === "idle" || state.phase === "sending") return null;
  return (
    <Suspense>
      <SubmitNotice {...props} />
    </Suspense>
  );
}

const PLAIN = {
  rejected: "The service refused this. Nothing was charged.",
  retrying: "The service is busy and took nothing. Another try follows in a moment.",
  "not-sent": "Nothing was sent, so nothing was charged.",
  unconfirmed: "The answer to Run was lost, and it may have been charged. The job list is read until it is found.",
} as const;

/** Where even the words did not arrive: what matters most about money all the same. */
function PlainNotice({ submission: { state } }: { submission: Submission }) {
  if (state.phase === "idle" || state.phase === "sending" || state.phase === "accepted") return null;
  return (
    <Notice tone="warning" title="A part of the page did not arrive">
      <p>{PLAIN[state.phase]} Reload the page to read more.</p>
    </Notice>
  );
}
