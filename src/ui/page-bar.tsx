import type { ReactNode } from "react";

interface PageBarProps {
  /** The screen's name: its one `h1`, which gets the focus when the screen opens. */
  title: string;
  /** At the right end: buttons, a switch of views. */
  children?: ReactNode;
}

/** The 52 px line at the top of a screen. */
export function PageBar({ title, children }: PageBarProps) {
  return (
    <header className="sticky top-0 z-10 flex short:static min-h-[52px] flex-wrap items-center gap-2 border-line border-b bg-canvas px-[18px] py-2 max-sm:px-4">
      <h1 className="m-0 me-auto font-semibold text-[13.5px]">{title}</h1>
      {children}
    </header>
  );
}
