import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";

export type NoticeTone = "error" | "warning" | "info" | "success";

const TONES = {
  error: { icon: CircleAlert, color: "text-failed", box: "border-failed/35 bg-failed-soft" },
  warning: { icon: TriangleAlert, color: "text-unconfirmed", box: "border-unconfirmed/35 bg-unconfirmed-soft" },
  info: { icon: Info, color: "text-ink-2", box: "border-line-strong bg-raised" },
  success: { icon: CircleCheck, color: "text-success", box: "border-success/35 bg-success-soft" },
} as const;

interface NoticeProps {
  tone: NoticeTone;
  title: string;
  /** What happened, whether anything was charged, what to change. */
  children?: ReactNode;
  /** The next acts, as buttons. */
  actions?: ReactNode;
  onDismiss?: (() => void) | undefined;
  className?: string | undefined;
}

/** A message beside what it is about. Errors and warnings are announced at once (`alert`), the rest politely (`status`). */
export function Notice({ tone, title, children, actions, onDismiss, className }: NoticeProps) {
  const { icon: Icon, color, box } = TONES[tone];
  return (
    <div
      role={tone === "error" || tone === "warning" ? "alert" : "status"}
      className={clsx("flex items-start gap-2.5 rounded-md border px-3 py-2.5", box, className)}
    >
      <Icon aria-hidden="true" className={clsx("mt-0.5 size-4 shrink-0", color)} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere m-0 font-medium text-ink">{title}</p>
        {children && <div className="wrap-anywhere mt-0.5 text-ink-2">{children}</div>}
        {actions && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
      {onDismiss && (
        <IconButton label="Dismiss" size="sm" onClick={onDismiss} className="-mt-0.5 -me-1">
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      )}
    </div>
  );
}
