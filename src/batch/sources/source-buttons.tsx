import { BookMarked, Ellipsis, FileSpreadsheet, History, ImagePlus, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { type Command, type CommandInfo, useCommands } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import type { SourceProps } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { CsvDialog } from "./csv-dialog.tsx";
import { HistoryDialog } from "./history-dialog.tsx";
import { ImagesDialog } from "./images-dialog.tsx";
import { TemplatesDialog } from "./recipes-dialog.tsx";

type Source = "csv" | "images" | "history" | "templates";

const COMMANDS: readonly (CommandInfo & { source: Source; icon: LucideIcon })[] = [
  { source: "csv", ...batchCommands.fromCsv, icon: FileSpreadsheet },
  { source: "images", ...batchCommands.fromImages, icon: ImagePlus },
  { source: "history", ...batchCommands.fromHistory, icon: History },
  { source: "templates", ...batchCommands.templates, icon: BookMarked },
];

/** Buttons for the other sources of runs. `isStart`: at the start of a batch, all of them are side by side, without menus. */
export function SourceButtons({ isStart = false, ...props }: SourceProps & { isStart?: boolean }) {
  const [open, setOpen] = useState<Source>();
  const commands = COMMANDS.map(({ source, ...rest }): Command => ({ ...rest, run: () => setOpen(source) }));
  useCommands(commands);
  const close = () => setOpen(undefined);
  return (
    <>
      {isStart ? (
        <div className="flex flex-wrap gap-2">
          {commands.map((command) => (
            <SourceButton key={command.id} command={command} variant="outline" />
          ))}
        </div>
      ) : (
        <div className="flex shrink-0 items-center">
          {commands.slice(0, 2).map((command) => (
            <SourceButton key={command.id} command={command} variant="ghost" className="max-xl:hidden" />
          ))}
          <Menu
            label="Add runs"
            align="end"
            variant="ghost"
            className="xl:hidden"
            items={commands.map(({ id, label, icon, run }) => ({ label, icon, command: { id }, onSelect: run }))}
          />
          <Menu
            label="More sources"
            icon={Ellipsis}
            align="end"
            variant="ghost"
            className="max-xl:hidden"
            items={commands
              .slice(2)
              .map(({ id, label, icon, run }) => ({ label, icon, command: { id }, onSelect: run }))}
          />
        </div>
      )}
      {open === "csv" && <CsvDialog {...props} onClose={close} />}
      {open === "images" && <ImagesDialog {...props} onClose={close} />}
      {open === "history" && <HistoryDialog {...props} onClose={close} />}
      {open === "templates" && <TemplatesDialog {...props} onClose={close} />}
    </>
  );
}

function SourceButton({
  command,
  variant,
  className,
}: {
  command: Command;
  variant: "outline" | "ghost";
  className?: string;
}) {
  const props = useCommandProps(command);
  const Icon = command.icon;
  return (
    <Button {...props} variant={variant} aria-haspopup="dialog" className={className} onClick={command.run}>
      {Icon && <Icon aria-hidden="true" className="size-4" />}
      {command.label}
    </Button>
  );
}
