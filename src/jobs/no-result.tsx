import { Link } from "@tanstack/react-router";
import { hasNoResult } from "#api/final-status.ts";

/** Why a job ended without a result: the service's words, or that there are none and where the whole answer is. */
export function NoResultReason({ reason, requestId }: { reason: string | undefined; requestId: string | undefined }) {
  if (reason !== undefined) return <p className="wrap-anywhere m-0 whitespace-pre-line">{reason}</p>;
  return (
    <p className="m-0">
      The service gave no reason.{" "}
      {requestId && (
        <Link
          to="/jobs/$requestId"
          params={{ requestId }}
          hash="record"
          className="text-ink underline underline-offset-2"
        >
          See the whole answer
        </Link>
      )}
    </p>
  );
}

/**
 * What is known of the charge of a job that ended in other words than those of the specification, such as "timed out": a
 * refund is promised for a job that failed (spec 3). `price`: as it is shown. Undefined for the specification's own ends.
 */
export function otherEndMoney(status: string, price: string | undefined): string | undefined {
  if (!hasNoResult(status) || status === "failed" || status === "cancelled") return undefined;
  const count = price === undefined ? "" : `, so count ${price} as charged`;
  return `Failed jobs are refunded. The service does not say whether this end counts as one${count}.`;
}
