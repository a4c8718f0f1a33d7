import type { SecretFinding } from "#lib/secret-shape.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { allowKey, keyFindingWords } from "./find-key.ts";

interface KeyNoticeProps {
  finding: SecretFinding;
  /** What holds it: "text", "prompt". */
  what?: string | undefined;
  /** Sends what was not sent, once the person said that it is no key. Not offered for the connection's own key. */
  onSendAnyway: () => void;
  className?: string | undefined;
}

/** Says that something was not sent because a key is in it. */
export function KeyNotice({ finding, what, onSendAnyway, className }: KeyNoticeProps) {
  const { title, body } = keyFindingWords(finding, what);
  return (
    <Notice
      tone="warning"
      title={title}
      className={className}
      actions={
        finding.kind === "similar" && (
          <Button
            size="sm"
            onClick={() => {
              allowKey(finding);
              onSendAnyway();
            }}
          >
            Send anyway
          </Button>
        )
      }
    >
      {body}
    </Notice>
  );
}
