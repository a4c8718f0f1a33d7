import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** What goes and what stays. */
  children?: ReactNode;
  /** The act in a word or two, never "OK". */
  confirmLabel: string;
  cancelLabel?: string | undefined;
  onConfirm: () => void;
  /** Cannot be taken back: the act is red. */
  danger?: boolean | undefined;
  /** The act is under way: it cannot be pressed again. */
  busy?: boolean | undefined;
}

/** Asks before an act. Focus starts on "Cancel". It stays open until the caller closes it, so a failure can show inside. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={props.title}
      description={props.description}
      size="sm"
      alert
      footer={
        <>
          <Button onClick={() => props.onOpenChange(false)}>{props.cancelLabel ?? "Cancel"}</Button>
          <Button variant={props.danger ? "danger" : "primary"} busy={props.busy} onClick={props.onConfirm}>
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
