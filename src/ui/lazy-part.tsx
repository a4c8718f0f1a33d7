import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { toast } from "./toast-store.ts";

/**
 * A part of a screen that is not needed to use it, loaded when it is first rendered:
 * `lazyPart(() => import("./command-palette.tsx").then((module) => module.CommandPalette))`. Call it at the top of a
 * module. Until it is loaded, nothing is shown in its place. If its code cannot be loaded, a reload is offered, and the rest of the
 * screen stays. Code between Run and the ledger must not be loaded this way: a run must not fail halfway.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const Part = lazy<ComponentType<Props>>(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: MissingPart }),
    ),
  );
  return function LazyPart(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** Says that a part could not be loaded: a dialog by a toast whenever it is opened, anything else in its own place. */
function MissingPart({ open, onOpenChange }: { open?: boolean; onOpenChange?: (open: boolean) => void }): ReactNode {
  const close = useEffectEvent(() => onOpenChange?.(false));
  useEffect(() => {
    if (!open) return;
    toast({ tone: "warning", title: TITLE, body: BODY, action: { label: RELOAD, onAct: reload } });
    close();
  }, [open]);
  if (open !== undefined) return null;
  return (
    <Notice tone="warning" title={TITLE} className="m-4" actions={<Button onClick={reload}>{RELOAD}</Button>}>
      {BODY}
    </Notice>
  );
}

const TITLE = "A part of Safelight couldn’t be loaded";
const BODY =
  "You may be offline, or Safelight was updated. Reload to continue. Drafts are saved, and jobs keep running.";
const RELOAD = "Reload";
const reload = () => location.reload();
