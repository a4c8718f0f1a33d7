import { clsx } from "clsx";
import type { ComponentProps } from "react";
import type { AxisValue } from "./sheet-axes.ts";

/** A part of a grid, by its role: of thousands of cells few are rendered, so that it is no table. */
export function Part(props: ComponentProps<"div">) {
  return <div {...props} />;
}

interface HeadingWordsProps {
  value: AxisValue;
  note: string | undefined;
  /** Beside each other, in one line. */
  isLine?: boolean;
}

/** What a column, a row or a group is, with what all have in common quietly beside or below it. */
export function HeadingWords({ value: { title, detail }, note, isLine = false }: HeadingWordsProps) {
  const quiet = isLine
    ? "min-w-0 truncate text-[12.5px] text-ink-3"
    : "wrap-anywhere m-0 mt-0.5 line-clamp-3 text-[12.5px] text-ink-3";
  return (
    <>
      <bdi
        title={detail ? `${title} ${detail}` : title}
        className={clsx(
          "font-medium",
          isLine ? "min-w-0 shrink-0 max-w-full truncate" : "wrap-anywhere line-clamp-3 block",
        )}
      >
        {title}
      </bdi>
      {detail && <bdi className={clsx(quiet, !isLine && "block")}>{detail}</bdi>}
      {note && <span className={clsx(quiet, "tabular-nums", !isLine && "block")}>{note}</span>}
    </>
  );
}
