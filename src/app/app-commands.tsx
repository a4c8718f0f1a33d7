import { useNavigate, useRouter } from "@tanstack/react-router";
import { Cable, Keyboard, LogOut, Plus, Search } from "lucide-react";
import { useEffect, useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { endLabel, switchConnection, useConnections } from "#connection/connection-store.ts";
import { ForgetKeyDialog } from "#settings/forget-key-dialog.tsx";
import { type Command, useCommands } from "#ui/command-store.ts";
import { commandFor, studioCommands } from "#ui/commands.ts";
import { followKeyChoices } from "#ui/key-choices.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { NAV_ITEMS } from "./navigation.tsx";
import { type CommandPlace, placeNow, useCommandKeys } from "./palette/press-keys.ts";

const CommandPalette = lazyPart(() => import("./palette/command-palette.tsx").then((module) => module.CommandPalette));
const ShortcutSheet = lazyPart(() => import("./palette/shortcut-sheet.tsx").then((module) => module.ShortcutSheet));

/** The place stays while a dialog closes. */
type OpenDialog = { kind: "palette" | "help" | "forget" | "none"; place: CommandPlace };

/** The command that leads to a place of the rail. */
const GO_TO = {
  "/create": studioCommands.goCreate,
  "/batch": studioCommands.goBatch,
  "/history": studioCommands.goHistory,
  "/playground": studioCommands.goPlayground,
  "/spend": studioCommands.goSpend,
  "/settings": studioCommands.goSettings,
} as const;

/** The commands of the whole studio, the palette that lists all commands, and the keys that run them. */
export function AppCommands({ connection }: { connection: Connection }) {
  const [opened, setOpened] = useState<OpenDialog>({ kind: "none", place: { layer: "", isPlace: true } });
  const navigate = useNavigate();
  const router = useRouter();
  const others = useConnections().filter((each) => each.connection.id !== connection.id);
  const { place } = opened;
  const open = (kind: OpenDialog["kind"]) => setOpened({ kind, place: placeNow() });
  const onOpenChange = (isOpen: boolean) => {
    if (!isOpen) setOpened((now) => ({ ...now, kind: "none" }));
  };
  useEffect(followKeyChoices, []);
  const commands: Command[] = [
    { ...studioCommands.palette, icon: Search, run: () => open("palette") },
    ...NAV_ITEMS.map(({ to, icon }) => ({ ...GO_TO[to], icon, run: () => void navigate({ to }) })),
    ...others.map(({ connection: { id, name, keyHint, isSandbox } }) => ({
      ...commandFor(studioCommands.switchConnection, id),
      label: `Switch to ${name}`,
      icon: Cable,
      detail: isSandbox ? undefined : `····${keyHint}`,
      run: () => switchConnection(id),
    })),
    { ...studioCommands.addConnection, icon: Plus, run: () => router.history.push("/connect") },
    { ...studioCommands.help, icon: Keyboard, run: () => open("help") },
    { ...studioCommands.disconnect, label: endLabel(connection), icon: LogOut, run: () => open("forget") },
  ];
  useCommands(commands);
  useCommandKeys();
  const isOpen = (kind: OpenDialog["kind"]) => opened.kind === kind;
  return (
    <>
      <CommandPalette open={isOpen("palette")} onOpenChange={onOpenChange} place={place} />
      <ShortcutSheet open={isOpen("help")} onOpenChange={onOpenChange} place={place} />
      <ForgetKeyDialog open={isOpen("forget")} onOpenChange={onOpenChange} connection={connection} />
    </>
  );
}
