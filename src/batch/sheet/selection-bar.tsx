import { Download } from "lucide-react";
import { Button } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Command } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import type { SheetResult } from "./sheet-results.ts";
import type { SheetActs } from "./use-sheet-acts.tsx";

interface SelectionBarProps {
  selected: readonly SheetResult[];
  acts: SheetActs;
}

/** What can be done with the selected results. Floats over the sheet. */
export function SelectionBar({ selected, acts }: SelectionBarProps) {
  const { compare, zip, vary, next, join, clear, star, reject } = acts;
  return (
    <div
      role="toolbar"
      aria-label="Selected results"
      className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-1.5 max-md:flex-nowrap max-md:justify-start max-md:overflow-x-auto rounded-[12px] border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-float max-sm:pl-2"
    >
      <span role="status" className="mr-1.5 shrink-0 whitespace-nowrap font-medium tabular-nums">
        {selected.length} selected
      </span>
      <Act command={star} isIcon />
      <Act command={reject} isIcon />
      {compare && <Act command={compare} />}
      <Act command={zip} />
      <ExportMenu acts={acts} />
      <Act command={vary} />
      {join && <Act command={join} />}
      <Act command={next} isPrimary />
      <Button size="sm" variant="ghost" onClick={clear.run} {...useCommandProps(clear)} aria-label={clear.label}>
        <Kbd command={clear} className="border-0" />
        <span className="hidden pointer-coarse:inline">Clear</span>
      </Button>
    </div>
  );
}

interface ActProps {
  command: Command;
  isPrimary?: boolean;
  /** Without its word where there is little room. */
  isIcon?: boolean;
}

function Act({ command, isPrimary = false, isIcon = false }: ActProps) {
  const { icon: Icon, label, unavailable, run } = command;
  return (
    <Button
      size="sm"
      square={isIcon}
      variant={isPrimary ? "primary" : "outline"}
      aria-disabled={unavailable !== undefined || undefined}
      title={unavailable ?? (isIcon ? label : undefined)}
      aria-label={isIcon ? label : undefined}
      onClick={run}
      {...useCommandProps(command)}
      className="whitespace-nowrap!"
    >
      {Icon && <Icon aria-hidden className="size-4" />}
      {!isIcon && label}
    </Button>
  );
}

/** The sheet as an image or as a web page: of the selected results, or of all that are shown. */
export function ExportMenu({ acts: { png, html, zip }, hasZip = false }: { acts: SheetActs; hasZip?: boolean }) {
  const items = [png, html, ...(hasZip ? [zip] : [])];
  return (
    <Menu
      label="Export sheet"
      align="end"
      items={items.map(({ id, label, icon, unavailable, run }) => ({
        label,
        icon,
        command: { id },
        disabled: unavailable !== undefined,
        onSelect: run,
      }))}
      className={
        "inline-flex min-h-[26px] shrink-0 cursor-pointer select-none items-center gap-2 whitespace-nowrap rounded-sm border border-line-strong px-2 font-medium text-[12.5px] hover:bg-hover pointer-coarse:min-h-11"
      }
    >
      <Download aria-hidden className="size-4" />
      Export sheet
    </Menu>
  );
}
