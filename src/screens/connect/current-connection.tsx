import type { Connection } from "#connection/connection.ts";
import { disconnect } from "#connection/connection-store.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";

/** Who the studio is connected to already: go on with it, or forget its key. */
export function CurrentConnection({ connection, onOpen }: { connection: Connection; onOpen: () => void }) {
  return (
    <Notice
      tone="info"
      title={`Connected to ${connection.name}`}
      actions={
        <>
          <Button size="sm" onClick={onOpen}>
            Go on with it
          </Button>
          <Button size="sm" variant="ghost" onClick={disconnect}>
            Forget the key
          </Button>
        </>
      }
    >
      The key ends in <span className="font-mono text-[12px]">{connection.keyHint}</span>. Connecting again replaces it.
    </Notice>
  );
}
