import * as Radix from "@radix-ui/react-dialog";
import { type ReactNode, useRef } from "react";
import { type Command, CommandLayer, Commands } from "#ui/command-store.ts";
import { isListOpen } from "#ui/dialog.tsx";
import { rememberFocus } from "#ui/return-focus.ts";

interface FullDialogProps {
  /** For assistive technology. */
  title: string;
  onClose: () => void;
  /** Its name as a place with commands of its own. */
  place: "viewer" | "compare";
  commands: readonly Command[];
  children: ReactNode;
}

/**
 * A dialog that fills the window. The focus is on the dialog itself, so that its keys work at once, and goes back on
 * closing.
 */
export function FullDialog({ title, onClose, place, commands, children }: FullDialogProps) {
  const content = useRef<HTMLDivElement>(null);
  const giveFocusBack = useRef<() => void>(undefined);
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          aria-modal="true"
          data-command-layer={place}
          data-command-place=""
          onOpenAutoFocus={(event) => {
            giveFocusBack.current = rememberFocus();
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveFocusBack.current?.();
          }}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // Escape first closes an open list or menu, and leaves full screen.
            if (document.fullscreenElement || isListOpen()) event.preventDefault();
          }}
          className="fixed inset-0 z-40 flex animate-fade flex-col bg-canvas text-ink outline-none short:overflow-y-auto"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <CommandLayer value={place}>
            <Commands list={commands} />
            {children}
          </CommandLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
