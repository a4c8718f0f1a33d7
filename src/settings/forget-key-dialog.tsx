import { type Connection, endConnection, endLabel } from "#connection/connection-store.ts";
import { ConfirmDialog } from "#ui/dialog.tsx";

interface ForgetKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  connection: Connection;
}

/** Asks before a connection is ended, and says what is deleted and what stays. */
export function ForgetKeyDialog({ open, onOpenChange, connection }: ForgetKeyDialogProps) {
  const { isSandbox, keyHint, name } = connection;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isSandbox ? "Leave sandbox?" : `Disconnect from ${name}?`}
      confirmLabel={endLabel(connection)}
      onConfirm={() => {
        onOpenChange(false);
        void endConnection(connection);
      }}
    >
      <p className="m-0 text-ink-2">
        {isSandbox ? (
          "Your drafts stay on this device. You can open the sandbox again at any time."
        ) : (
          <>
            The key ending in <span className="font-mono text-ink">{keyHint}</span> is removed from all open tabs.
            Responses in progress stop. Jobs keep running. Your drafts stay on this device, and History shows all jobs
            when you connect again.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
