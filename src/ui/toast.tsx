import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { findObstacles, findToastPlace, type Place } from "./toast-place.ts";
import { dismissToast, type Toast, useToasts } from "./toast-store.ts";

/** How long a toast stays, ms; undefined: until it is dismissed. A toast with a button stays longer. */
function toastLifeMs({ tone, action }: Pick<Toast, "tone" | "action">): number | undefined {
  if (tone === "error" || tone === "warning") return undefined;
  return action ? 12_000 : 6_000;
}

/**
 * The one place for toasts, mounted once. The list is a polite live region, so each new one is read out. It stands where it
 * covers nothing that can be pressed.
 */
export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  const box = useRef<HTMLElement>(null);
  useFreePlace(box, toasts.length);
  return (
    <section
      ref={box}
      aria-label="Notifications"
      data-toaster=""
      className="pointer-events-none fixed top-0 left-0 z-60 max-h-dvh w-90 max-w-[calc(100vw-16px)] overflow-y-auto"
    >
      <ol aria-live="polite" aria-relevant="additions" className="m-0 flex list-none flex-col gap-2 p-0">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </ol>
    </section>
  );
}

/** Whether the pointer or the focus is on an element. After a touch a browser may report a hover that has ended. */
function isUsed(element: HTMLElement): boolean {
  const canHover = window.matchMedia?.("(hover: hover)").matches ?? true;
  return element.matches(canHover ? ":hover, :focus-within" : ":focus-within");
}

/** How often the place of the toasts is checked, ms: the page under them may change. */
const LOOK_AGAIN_MS = 500;

/** Moves the toasts off what can be pressed, unless one of them is being used. */
function useFreePlace(box: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    if (count === 0) return;
    let current: Place | undefined;
    const place = () => {
      const element = box.current;
      if (!element || isUsed(element)) return;
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const next = findToastPlace(size, { width: innerWidth, height: innerHeight }, findObstacles(), current);
      if (next === current) return;
      current = next;
      // `translate` instead of `left` and `top`, which would cause a new layout.
      element.style.translate = `${next.left}px ${next.top}px`;
    };
    place();
    const timer = setInterval(place, LOOK_AGAIN_MS);
    window.addEventListener("resize", place);
    document.addEventListener("focusin", place);
    return () => {
      clearInterval(timer);
      window.removeEventListener("resize", place);
      document.removeEventListener("focusin", place);
    };
  }, [box, count]);
}

const TONES = {
  error: [CircleAlert, "text-failed"],
  warning: [TriangleAlert, "text-unconfirmed"],
  info: [Info, "text-ink-2"],
  success: [CircleCheck, "text-success"],
} as const;

/** One toast. Its time stands still while it is hovered or has the focus. */
function ToastCard({ toast }: { toast: Toast }) {
  const [isPaused, setIsPaused] = useState(false);
  const [Icon, color] = TONES[toast.tone];
  const lifeMs = toastLifeMs(toast);
  const { id, action } = toast;
  useEffect(() => {
    if (lifeMs === undefined || isPaused) return;
    const timer = setTimeout(() => dismissToast(id), lifeMs);
    return () => clearTimeout(timer);
  }, [lifeMs, isPaused, id]);
  return (
    <li
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      className="pointer-events-auto flex animate-rise items-start gap-2.5 rounded-md border border-line-strong bg-panel px-3 py-2.5 shadow-float"
    >
      <Icon aria-hidden="true" className={clsx("mt-0.5 size-4 shrink-0", color)} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="wrap-anywhere m-0 font-medium">
          {toast.title}
        </p>
        {toast.body && (
          <p dir="auto" className="wrap-anywhere m-0 mt-0.5 text-ink-2">
            {toast.body}
          </p>
        )}
        {action && (
          <Button
            size="sm"
            className="mt-2"
            onClick={() => {
              dismissToast(id);
              action.onAct();
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton label="Dismiss" size="sm" onClick={() => dismissToast(id)} className="-mt-0.5 -me-1">
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}
