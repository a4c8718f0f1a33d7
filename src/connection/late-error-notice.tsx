import { lazy, Suspense } from "react";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import type { ErrorNoticeProps } from "./error-notice.tsx";

const ErrorNotice = lazy(() =>
  import("./error-notice.tsx").then(
    (module) => ({ default: module.ErrorNotice }),
    () => ({ default: PlainNotice }),
  ),
);

/** `ErrorNotice`, whose words are loaded with the first error: the first load goes without them. */
export function LateErrorNotice(props: ErrorNoticeProps) {
  return (
    <Suspense>
      <ErrorNotice {...props} />
    </Suspense>
  );
}

/** Where even the words did not arrive. */
function PlainNotice({ onRetry, onDismiss, className }: ErrorNoticeProps) {
  return (
    <Notice
      tone="error"
      title="This did not work"
      className={className}
      onDismiss={onDismiss}
      actions={
        onRetry && (
          <Button size="sm" variant="outline" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <p>The connection may be down. Reload the page if it stays so.</p>
    </Notice>
  );
}
