import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { dismissToast, type Toast, toastLifeMs } from "./toast-store.ts";

const LOOKS = {
  error: [CircleAlert, "text-failed"],
  warning: [TriangleAlert, "text-unconfirmed"],
  info: [Info, "text-ink-2"],
  success: [CircleCheck, "text-success"],
} as const;

/** One toast. Its time stands still while it is hovered or holds the focus. */
export function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  const [Icon, color] = LOOKS[toast.tone];
  const lifeMs = toastLifeMs(toast);
  const { id, action } = toast;
  useEffect(() => {
    if (lifeMs === undefined || isHeld) return;
    const timer = setTimeout(() => dismissToast(id), lifeMs);
    return () => clearTimeout(timer);
  }, [lifeMs, isHeld, id]);
  return (
    <li
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="pointer-events-auto flex animate-rise items-start gap-2.5 rounded-md border border-line-strong bg-panel px-3 py-2.5 shadow-float"
    >
      <Icon aria-hidden="true" className={clsx("mt-0.5 size-4 shrink-0", color)} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere m-0 font-medium">{toast.title}</p>
        {toast.body && <p className="wrap-anywhere m-0 mt-0.5 text-ink-2">{toast.body}</p>}
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
      <IconButton label="Dismiss" size="sm" onClick={() => dismissToast(id)} className="-mt-0.5 -mr-1">
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}
