import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { inputClass } from "./input-class.ts";

export interface SelectProps extends ComponentProps<"select"> {
  /** 26 px high, for toolbars. Otherwise 34. */
  compact?: boolean | undefined;
}

/** The platform's own select, dressed as an input. Options are children. */
export function Select({ compact = false, className, children, ...rest }: SelectProps) {
  return (
    <span className={clsx("relative block", className)}>
      <select
        {...rest}
        className={inputClass(
          clsx(
            "cursor-pointer appearance-none pr-8 [&>option]:bg-panel [&>option]:text-ink",
            "pointer-coarse:h-10 pointer-coarse:text-[16px]",
            compact ? "h-[26px] text-[12.5px]" : "h-[34px]",
          ),
        )}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}
