import { clsx } from "clsx";
import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { inputClass } from "./input-class.ts";
import { mergeRefs } from "./merge-refs.ts";

export interface TextAreaProps extends ComponentProps<"textarea"> {
  mono?: boolean | undefined;
}

let grows: boolean | undefined;

/** Asked once: the browser's answer costs as much as the rest of a keystroke. */
function growsByItself(): boolean {
  grows ??= typeof CSS !== "undefined" && CSS.supports?.("field-sizing", "content") === true;
  return grows;
}

/** As high as its text, in browsers without `field-sizing`. A text area does so itself, but for a text set by a script. */
export function fitHeight(area: HTMLElement | null): void {
  if (!(area instanceof HTMLTextAreaElement) || growsByItself()) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}

/** A text area that grows with its text, from `rows` (default 4) to 60 % of the window's height, then scrolls. */
export function TextArea({ mono = false, className, rows = 4, onInput, ref, ...rest }: TextAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => fitHeight(own.current));
  return (
    <textarea
      {...rest}
      ref={ref ? mergeRefs(own, ref) : own}
      rows={rows}
      onInput={(event) => {
        fitHeight(event.currentTarget);
        onInput?.(event);
      }}
      style={{ minHeight: `${rows * 20 + 16}px`, ...rest.style }}
      className={inputClass(
        clsx(
          "field-sizing-content block max-h-[60dvh] resize-y py-[7px] leading-5 pointer-coarse:text-[16px]",
          mono && "font-mono text-[12.5px]",
          className,
        ),
      )}
    />
  );
}
