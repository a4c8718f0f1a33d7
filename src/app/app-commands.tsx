import { useNavigate, useRouter } from "@tanstack/react-router";
import { Cable, Keyboard, LogOut, Plus, Search } from "lucide-react";
import { useEffect, useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { switchConnection, useConnections } from "#connection/connection-store.ts";
import { endLabel } from "#connection/end-connection.ts";
import { ForgetKeyDialog } from "#screens/settings/forget-key-dialog.tsx";
import { followShortcutChoices } from "#storage/shortcut-choices.ts";
import { type Command, useCommands } from "#ui/command-store.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { NAV_ITEMS } from "./navigation.tsx";
import { type CommandPlace, placeNow, useCommandKeys } from "./palette/press-keys.ts";

const CommandPalette = lazyPart(() => import("./palette/command-palette.tsx").then((module) => module.CommandPalette));
const ShortcutSheet = lazyPart(() => import("./palette/shortcut-sheet.tsx").then((module) => module.ShortcutSheet));

/** The place stays while a dialog closes. */
type OpenDialog = { kind: "palette" | "help" | "forget" | "none"; place: CommandPlace };

const SECOND_KEYS: Record<string, string> = {
  "/create": "c",
  "/batch": "b",
  "/history": "h",
  "/playground": "p",
  "/spend": "s",
  "/settings": ",",
};

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
  useEffect(followShortcutChoices, []);
  const commands: Command[] = [
    { id: "palette", label: "Commands", keys: "mod+k", icon: Search, run: () => open("palette"), ...EVERYWHERE },
    ...NAV_ITEMS.map(({ to, label, icon }) => ({
      ...EVERYWHERE,
      id: `go.${to.slice(1)}`,
      label: `Go to ${label}`,
      kind: "go" as const,
      keys: `g ${SECOND_KEYS[to]}`,
      icon,
      run: () => void navigate({ to }),
    })),
    ...others.map(({ connection: { id, name, keyHint, isSandbox } }) => ({
      ...EVERYWHERE,
      id: `switch:${id}`,
      label: `Switch to ${name}`,
      kind: "go" as const,
      icon: Cable,
      detail: isSandbox ? undefined : `····${keyHint}`,
      run: () => switchConnection(id),
    })),
    {
      ...EVERYWHERE,
      id: "go.add-connection",
      label: "Add a connection",
      kind: "go",
      icon: Plus,
      run: () => router.history.push("/connect"),
    },
    { ...SETTING, id: "help", label: "Keyboard shortcuts", keys: "?", icon: Keyboard, run: () => open("help") },
    { ...SETTING, id: "disconnect", label: endLabel(connection), icon: LogOut, run: () => open("forget") },
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

const EVERYWHERE = { group: "Everywhere", isEverywhere: true } as const;
const SETTING = { ...EVERYWHERE, kind: "setting" } as const;
