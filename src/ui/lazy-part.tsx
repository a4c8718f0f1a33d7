import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import { toast } from "./toast-store.ts";

/**
 * A part of a screen that is not needed to use it, loaded when it is first rendered:
 * `lazyPart(() => import("./command-palette.tsx").then((module) => module.CommandPalette))`. Call it at the top of a
 * module. Nothing stands in its place meanwhile. Where its code does not come, a toast offers the reload that is needed,
 * and the rest of the screen stays. Nothing between Run and the ledger may be loaded this way.
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

function MissingPart(): null {
  useEffect(() => {
    toast({
      tone: "warning",
      title: "A part of the studio could not be loaded",
      body: "The connection may be down, or the studio was updated while this tab was open. Reload to get it. Drafts are kept.",
      action: { label: "Reload", onAct: () => location.reload() },
    });
  }, []);
  return null;
}
