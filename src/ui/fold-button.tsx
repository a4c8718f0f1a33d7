import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

export interface FoldButtonProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  className?: string | undefined;
  children: ReactNode;
}

/** The line above a part of a form that folds. */
export function FoldButton({ isOpen, onOpenChange, className, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onOpenChange(!isOpen)}
      className={clsx(
        "flex min-h-8 w-full cursor-pointer items-center gap-1.5 text-left hover:text-ink pointer-coarse:min-h-10",
        className,
      )}
    >
      <ChevronRight
        aria-hidden="true"
        className={clsx("size-4 transition-transform duration-150", isOpen && "rotate-90")}
      />
      {children}
    </button>
  );
}
