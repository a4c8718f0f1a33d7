import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: LucideIcon | undefined;
  title: string;
  /** What it means and what to do, in a sentence or two. */
  children?: ReactNode;
  /** The next act, as buttons. */
  actions?: ReactNode;
  className?: string | undefined;
}

/** What a list shows when it has nothing: why, and the next act. */
export function EmptyState({ icon: Icon, title, children, actions, className }: EmptyStateProps) {
  return (
    <div className={clsx("mx-auto flex max-w-105 flex-col items-center px-4 py-12 text-center", className)}>
      {Icon && (
        <span className="mb-4 grid size-11 place-items-center rounded-full bg-raised text-ink-2">
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
        </span>
      )}
      <p className="m-0 font-semibold text-lg">{title}</p>
      {children && <div className="mt-1.5 text-balance text-ink-2">{children}</div>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
