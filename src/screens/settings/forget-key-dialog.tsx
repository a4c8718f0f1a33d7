import type { Connection } from "#connection/connection.ts";
import { forgetKeyOf } from "#connection/connection-store.ts";
import { ConfirmDialog } from "#ui/dialog.tsx";

interface ForgetKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  connection: Connection;
}

/** Asks before the key is forgotten, and shows what goes and what stays. */
export function ForgetKeyDialog({ open, onOpenChange, connection }: ForgetKeyDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={connection.isSandbox ? "Leave the sandbox?" : "Disconnect and forget the key?"}
      confirmLabel="Disconnect"
      onConfirm={() => {
        onOpenChange(false);
        forgetKeyOf(connection);
      }}
    >
      <p className="m-0 text-ink-2">
        {!connection.isSandbox && (
          <>
            The key that ends in <span className="font-mono text-ink">{connection.keyHint}</span> is forgotten at once,
            in every open tab. Answers that are still arriving are cut off.{" "}
          </>
        )}
        Queued jobs keep running. Your drafts stay on this device, and History shows every job when you connect again.
      </p>
    </ConfirmDialog>
  );
}
