// Dialogs: over a part of the window, at its side, over all of it, and the one that asks before an act.
import * as Radix from "@radix-ui/react-dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ComponentProps, type ReactNode, type Ref, useEffect, useId, useRef } from "react";
import { Button, IconButton } from "./button.tsx";
import { type Command, CommandLayer, Commands } from "./commands.ts";
import { focusFirst, rememberFocus } from "./return-focus.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the end; the first one in reading order gets the focus when nothing before it can. */
  footer?: ReactNode;
  /** 420, 560 or 760 px wide. On a phone `sm` is a sheet at the bottom, the others fill the window. */
  size?: "sm" | "md" | "lg" | undefined;
  /** An alert dialog asks for an answer: a press outside does not close it. */
  alert?: boolean | undefined;
  /** Near the top of the window, for content whose height changes. */
  atTop?: boolean | undefined;
  /** The title is there for assistive technology only. */
  hideTitle?: boolean | undefined;
  /** The name of the shown step, for a dialog with several. A new step begins at the top, with the focus on its first control. */
  step?: string | undefined;
}

const SIZES = {
  sm: "sm:w-105 max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-lg max-sm:border-t",
  md: "sm:w-140 max-sm:inset-0 max-sm:max-h-none",
  lg: "sm:w-190 max-sm:inset-0 max-sm:max-h-none",
};

/** An open list or menu, or an entry of one. */
const OPEN_LISTS = "[role=combobox][aria-expanded=true], [aria-haspopup][aria-expanded=true], [role=menuitem]";

/**
 * Whether Escape belongs to what has the focus: an open list or menu, or a part with `data-owns-escape`. A part that folds is
 * none of these: it stays open, and Escape closes the dialog around it.
 */
function focusHandlesEscape(): boolean {
  const focused = document.activeElement;
  return focused !== null && (focused.matches(OPEN_LISTS) || focused.closest("[data-owns-escape]") !== null);
}

/**
 * What all layers over the page do: the focus is given back on closing, Escape closes an open list first, and a press on a
 * toast does not close them. Where `alert`, a press outside does not either, and the first button of the footer has the
 * focus.
 */
function useDialogRules(alert = false): Partial<ComponentProps<typeof Radix.Content>> {
  const giveFocusBack = useRef<() => void>(undefined);
  return {
    onOpenAutoFocus: (event) => {
      giveFocusBack.current = rememberFocus();
      // The content may have buttons, such as a download. The focus starts at the safe answer all the same.
      const first = alert && event.target instanceof Element && event.target.querySelector("[data-footer] button");
      if (!(first instanceof HTMLElement)) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      giveFocusBack.current?.();
    },
    onEscapeKeyDown: (event) => {
      if (focusHandlesEscape()) event.preventDefault();
    },
    onInteractOutside: (event) => {
      const isOnToast = event.target instanceof Element && event.target.closest("[data-toaster]");
      if (alert || isOnToast) event.preventDefault();
    },
  };
}

interface ShellProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  rules: Partial<ComponentProps<typeof Radix.Content>>;
  role?: "dialog" | "alertdialog";
  className: string;
  /** The name of the dialog's layer of commands. Without it the layer has a unique name. */
  layer?: string | undefined;
  /** The dialog covers the screen. So the palette and the list of shortcuts show its commands instead of those of the screen. */
  isPlace?: boolean;
  /** The screen stays visible around the dialog, darkened. */
  hasOverlay?: boolean;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** The frame of all dialogs: a modal dialog of Radix, and a layer of commands. */
function Shell({ open, onOpenChange, rules, hasOverlay = false, isPlace = false, children, ...rest }: ShellProps) {
  const ownLayer = useId();
  const { layer = ownLayer, role = "dialog", className, ref } = rest;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Not Radix's overlay: it injects a style element, which a strict style-src refuses. The shell never scrolls. */}
        {hasOverlay && <div aria-hidden="true" className="fixed inset-0 z-40 animate-fade bg-black/55" />}
        <Radix.Content
          ref={ref}
          role={role}
          aria-modal="true"
          data-command-layer={layer}
          {...(isPlace && { "data-command-place": "" })}
          {...rules}
          className={clsx("fixed flex flex-col text-ink outline-none", className)}
        >
          <CommandLayer value={layer}>{children}</CommandLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * A modal dialog over Radix: focus stays inside and is given back on closing, Escape and a press outside close it. The
 * close button stands last in the reading order, so that the content gets the focus first. In a low window it scrolls as a
 * whole, with its title and its buttons.
 */
export function Dialog(props: DialogProps) {
  const { title, description, footer, size = "md", alert = false, atTop = false, hideTitle = false, step } = props;
  const content = useRef<HTMLDivElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    if (content.current) focusFirst(content.current);
  }, [step]);
  return (
    <Shell
      ref={content}
      open={props.open}
      onOpenChange={props.onOpenChange}
      rules={useDialogRules(alert)}
      role={alert ? "alertdialog" : "dialog"}
      hasOverlay
      className={clsx(
        "z-50 max-h-[min(88dvh,47.5rem)] animate-rise border-line-strong bg-panel shadow-float",
        "sm:left-1/2 sm:max-w-[calc(100vw-32px)] sm:-translate-x-1/2 sm:rounded-lg sm:border",
        "short:max-h-dvh short:overflow-y-auto short:overscroll-contain",
        atTop ? "sm:top-[12dvh] short:sm:top-0" : "sm:top-1/2 sm:-translate-y-1/2",
        SIZES[size],
      )}
    >
      {/* The title of the next step is read out, since no dialog opens with it. */}
      <div
        aria-live={step === undefined ? undefined : "polite"}
        className={clsx("shrink-0 ps-5 pe-14 pt-4 pb-3", hideTitle && "sr-only")}
      >
        <Radix.Title dir="auto" className="wrap-anywhere m-0 font-semibold text-lg leading-normal">
          {title}
        </Radix.Title>
        {description && <Radix.Description className="m-0 mt-1 text-ink-2">{description}</Radix.Description>}
      </div>
      {props.children && (
        <div
          key={step}
          className={clsx(
            "min-h-0 flex-1 overflow-y-auto px-5 pb-5 short:flex-none short:overflow-visible",
            // A bar that sticks to an edge has the round corners of the dialog. Under a title the first focus ring needs room.
            hideTitle ? "rounded-t-[inherit]" : "-mt-0.5 pt-0.5",
            !footer && "rounded-b-[inherit]",
          )}
        >
          {props.children}
        </div>
      )}
      {footer && (
        <div
          data-footer=""
          className="flex shrink-0 flex-wrap justify-end gap-2 border-line border-t px-5 py-3.5 max-sm:pb-[max(14px,env(safe-area-inset-bottom))]"
        >
          {footer}
        </div>
      )}
      {!hideTitle && (
        <Radix.Close asChild>
          <IconButton label="Close" className="absolute end-3 top-3">
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </Radix.Close>
      )}
    </Shell>
  );
}

interface SideSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side: "start" | "end";
  /** The name for assistive technology. The content has a visible heading of its own. */
  title: string;
  /** The content must have a button that closes the sheet. */
  children: ReactNode;
}

/**
 * A sheet at a side of the window, for panels that are docked in wide windows: at most 340 px wide, as high as the window.
 * Focus stays inside and is given back on closing; Escape and a press outside close it.
 */
export function SideSheet({ open, onOpenChange, side, title, children }: SideSheetProps) {
  return (
    <Shell
      open={open}
      onOpenChange={onOpenChange}
      rules={{ ...useDialogRules(), "aria-describedby": undefined }}
      hasOverlay
      className={clsx(
        "inset-y-0 z-50 w-85 max-w-[calc(100vw-32px)] animate-fade bg-panel shadow-float",
        "pb-[env(safe-area-inset-bottom)] short:overflow-y-auto",
        side === "start" ? "start-0 border-line-strong border-e" : "end-0 border-line-strong border-s",
      )}
    >
      <Radix.Title className="sr-only">{title}</Radix.Title>
      {children}
    </Shell>
  );
}

interface FullDialogProps {
  /** For assistive technology. */
  title: string;
  onClose: () => void;
  /** The name of the dialog as a place with commands of its own. */
  place: string;
  commands: readonly Command[];
  /** Finds what gets the focus after closing. Without a result, it goes back to what had it before. */
  focusAfter?: () => HTMLElement | undefined;
  children: ReactNode;
}

/** A dialog that fills the window. The focus is on the dialog itself, so that its keys work at once. */
export function FullDialog({ title, onClose, place, commands, focusAfter, children }: FullDialogProps) {
  const content = useRef<HTMLDivElement>(null);
  const rules = useDialogRules();
  return (
    <Shell
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      ref={content}
      layer={place}
      isPlace
      rules={{
        "aria-describedby": undefined,
        onOpenAutoFocus: (event) => {
          rules.onOpenAutoFocus?.(event);
          event.preventDefault();
          content.current?.focus();
        },
        onCloseAutoFocus: (event) => {
          const nextFocus = focusAfter?.();
          if (!nextFocus) return rules.onCloseAutoFocus?.(event);
          event.preventDefault();
          nextFocus.focus();
        },
        onInteractOutside: (event) => event.preventDefault(),
        onEscapeKeyDown: (event) => {
          // Escape first closes an open list or menu, and leaves full screen.
          if (document.fullscreenElement || focusHandlesEscape()) event.preventDefault();
        },
      }}
      className="inset-0 z-40 animate-fade bg-canvas short:overflow-y-auto"
    >
      <Radix.Title className="sr-only">{title}</Radix.Title>
      <Commands list={commands} />
      {children}
    </Shell>
  );
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Under the description: what is deleted, and what stays. */
  children?: ReactNode;
  /** The act in a word or two, never "OK". */
  confirmLabel: string;
  onConfirm: () => void;
  /** The act cannot be undone, so its button is red. */
  danger?: boolean | undefined;
  /** The act is under way, so it cannot be pressed again. */
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
          <Button onClick={() => props.onOpenChange(false)}>Cancel</Button>
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
