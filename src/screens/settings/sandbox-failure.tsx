import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";

/** The sandbox's settings could not be read or changed. */
export function SandboxFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title="The sandbox did not answer"
      actions={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Its settings are as before.
    </Notice>
  );
}
