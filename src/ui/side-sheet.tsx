import * as Radix from "@radix-ui/react-dialog";
import { clsx } from "clsx";
import { type ReactNode, useId } from "react";
import { CommandLayer } from "./command-store.ts";
import { useDialogRules } from "./dialog.tsx";

interface SideSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side: "start" | "end";
  /** Its name for assistive technology: what it shows has a heading of its own. */
  title: string;
  /** What stands in it has a way to close it. */
  children: ReactNode;
}

/**
 * What is docked beside the screen in a wide window, over it in a narrow one: at most 340 px wide, as high as the window.
 * Focus stays inside and is given back on closing; Escape and a press outside close it.
 */
export function SideSheet({ open, onOpenChange, side, title, children }: SideSheetProps) {
  const rules = useDialogRules();
  const layer = useId();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 animate-fade bg-black/55" />
        <Radix.Content
          role="dialog"
          aria-modal="true"
          aria-describedby={undefined}
          data-command-layer={layer}
          {...rules}
          className={clsx(
            "fixed inset-y-0 z-50 flex w-[340px] max-w-[calc(100vw-32px)] animate-fade flex-col bg-panel text-ink shadow-float outline-none",
            "pb-[env(safe-area-inset-bottom)] short:overflow-y-auto",
            side === "start" ? "start-0 border-line-strong border-e" : "end-0 border-line-strong border-s",
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <CommandLayer value={layer}>{children}</CommandLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
