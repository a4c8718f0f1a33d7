import { clsx } from "clsx";
import type { ReactNode } from "react";
import { SideSheet } from "#ui/dialog.tsx";
import { type DockSide, useDock } from "./use-docks.ts";

const TITLES: Record<DockSide, string> = { conversations: "Conversations", parameters: "Parameters" };

/** One of the two docks: beside the columns where there is room, else over them. */
export function DockFrame({ side, children }: { side: DockSide; children: ReactNode }) {
  const { state, close } = useDock(side);
  const isStart = side === "conversations";
  if (state === "docked") {
    return (
      <aside
        aria-label={TITLES[side]}
        className={clsx(
          "flex min-h-0 shrink-0 flex-col border-line bg-panel",
          isStart ? "w-[224px] border-e" : "w-[264px] border-s",
        )}
      >
        {children}
      </aside>
    );
  }
  return (
    <SideSheet
      open={state === "sheet"}
      onOpenChange={(open) => {
        if (!open) close();
      }}
      side={isStart ? "start" : "end"}
      title={TITLES[side]}
    >
      {children}
    </SideSheet>
  );
}

/** The line on top of a dock: its name and what can be done with all of it. */
export function DockHead({ side, children }: { side: DockSide; children: ReactNode }) {
  return (
    <header className="flex min-h-[52px] shrink-0 items-center gap-1 border-line border-b ps-4 pe-2.5">
      <h2 className="m-0 me-auto font-semibold text-[13.5px]">{TITLES[side]}</h2>
      {children}
    </header>
  );
}
