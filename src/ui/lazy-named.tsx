import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { toast } from "./toast-store.ts";

type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode ? Props : never;

/** Code of the studio that could not be loaded: the network failed, or after a deployment it is gone. */
export class MissingCodeError extends Error {
  constructor(cause: unknown) {
    super("A part of the studio could not be loaded.", { cause });
    this.name = "MissingCodeError";
  }
}

interface LazyOptions<Props> {
  /** Shown while the code is on its way. Default: nothing. */
  waiting?: FunctionComponent<Props> | undefined;
  /**
   * Shown in its place, until the page is reloaded, when the code cannot be loaded. Default: nothing, and a toast offers
   * the reload, so that one part that is missing takes nothing else from the screen. `throw`, for a part without which
   * there is no screen: a `MissingCodeError` is thrown to the error boundary above.
   */
  failed?: ComponentType<Props> | "throw" | undefined;
}

/** A component that is loaded when it is first shown, inside a Suspense boundary of its own. */
type LazyComponent<Props> = FunctionComponent<Props> & {
  /** Starts the download early. A failure is left to the moment in which the component is shown. */
  preload: () => void;
};

/**
 * A lazy component from a named export: `lazyNamed(() => import("./crop-dialog.tsx"), "CropDialog")`. Call it at the top
 * of a module. React loads the code once: neither a success nor a failure is tried again before a reload.
 */
export function lazyNamed<Module, Name extends keyof Module, Props extends object = PropsOf<Module[Name]>>(
  load: () => Promise<Module>,
  name: Name,
  { waiting: Waiting, failed = MissingPart }: LazyOptions<Props> = {},
): LazyComponent<Props> {
  let known: { default: FunctionComponent<Props> } | undefined;
  async function loadKnown() {
    const module = await load();
    known = { default: module[name] as FunctionComponent<Props> };
    return known;
  }
  const Loaded = lazy(() =>
    loadKnown().catch((error: unknown) => {
      if (failed === "throw") throw new MissingCodeError(error);
      return { default: failed as FunctionComponent<Props> };
    }),
  );
  function Lazy(props: Props) {
    // What is here already is shown at once: a fallback stays for 300 ms, even for a promise that is fulfilled.
    const [atOnce] = useState(() => known);
    if (atOnce) return <atOnce.default {...props} />;
    return (
      <Suspense fallback={Waiting && <Waiting {...props} />}>
        <Loaded {...props} />
      </Suspense>
    );
  }
  Lazy.preload = () => {
    loadKnown().catch(() => {});
  };
  return Lazy;
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

/**
 * Renders its children from the first time that `when` holds, and never unmounts them: a lazy dialog costs nothing
 * before it is asked for, and can give the focus back when it closes.
 */
export function LazyMount({ when, children }: { when: boolean; children: ReactNode }) {
  const [wasAsked, setWasAsked] = useState(when);
  if (when && !wasAsked) setWasAsked(true);
  return wasAsked ? <Suspense>{children}</Suspense> : null;
}
