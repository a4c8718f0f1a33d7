import { Ellipsis, FileArchive, FolderDown, RefreshCw } from "lucide-react";
import { canPickFolder } from "#media/download/archive-folder.ts";
import { startBulk, type WantedFiles } from "#media/download/bulk-run.ts";
import { type Command, useCommands } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { historyCommands } from "./commands.ts";

interface ListMenuProps {
  /** Every file that the search and the filters let through. */
  wanted: WantedFiles;
  isFiltered: boolean;
  isEmpty: boolean;
  onRefresh: () => void;
}

/** What can be done with the whole list, in one menu and in the palette. */
export function ListMenu({ wanted, isFiltered, isEmpty, onRefresh }: ListMenuProps) {
  const state = isEmpty ? { unavailable: "There are no files to download" } : {};
  const zip: Command = {
    ...historyCommands.zip,
    label: isFiltered ? "Download matching" : "Download everything",
    icon: FileArchive,
    ...state,
    run: () => void startBulk(wanted),
  };
  const folder: Command = {
    ...historyCommands.folder,
    ...(isFiltered && { label: "Save matching in a folder" }),
    icon: FolderDown,
    ...state,
    run: () => void startBulk(wanted, "folder"),
  };
  const refresh: Command = {
    ...historyCommands.refresh,
    detail: "Asks the service for new and changed jobs",
    icon: RefreshCw,
    run: onRefresh,
  };
  const commands = [zip, ...(canPickFolder() ? [folder] : []), refresh];
  useCommands(commands);
  return (
    <Menu
      label="Download and refresh"
      icon={Ellipsis}
      align="end"
      items={commands.map(({ label, icon, unavailable, run }) => ({
        label,
        icon,
        onSelect: unavailable === undefined ? run : () => undefined,
      }))}
    />
  );
}
