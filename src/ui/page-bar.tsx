import type { ReactNode } from "react";

interface PageBarProps {
  /** The screen's name: its one `h1`, which gets the focus when the screen opens. */
  title: string;
  /** At the right end: buttons, a switch of views. */
  children?: ReactNode;
  /** Before the title. */
  start?: ReactNode;
  /** Stands right after the title. */
  beside?: ReactNode;
  /** Cuts a long title at the end of the line, for titles that a person wrote. Without it the title wraps. */
  isCut?: boolean;
}

/** The 52 px line at the top of a screen. */
export function PageBar({ title, children, start, beside, isCut = false }: PageBarProps) {
  return (
    <header
      className={`sticky top-0 z-10 flex short:static min-h-13 items-center gap-2 border-line border-b bg-canvas px-4.5 py-2 max-sm:px-4 ${isCut ? "max-sm:gap-1" : "flex-wrap"}`}
    >
      {start}
      <div className="me-auto flex min-w-0 items-center gap-2.5">
        <h1 dir="auto" className={`m-0 font-semibold text-base ${isCut ? "truncate" : ""}`}>
          {title}
        </h1>
        {beside}
      </div>
      {children}
    </header>
  );
}
