import { useNavigate } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { lazy, useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { useCommands } from "#ui/command-store.ts";
import { OnDemand } from "#ui/on-demand.tsx";
import { setThemeChoice } from "#ui/theme-store.ts";
import { ForgetKeyDialog } from "./forget-key.ts";
import { NAV_ITEMS } from "./nav-items.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const CommandPalette = lazy(() =>
  import("./command-palette.tsx").then((module) => ({ default: module.CommandPalette })),
);
const ShortcutHelp = lazy(() => import("./shortcut-help.tsx").then((module) => ({ default: module.ShortcutHelp })));

type OpenDialog = "palette" | "help" | "forget" | undefined;

/** The acts that are there on every screen, the palette that lists all acts, and the keys that give them. */
export function AppCommands({ connection }: { connection: Connection }) {
  const [opened, setOpened] = useState<OpenDialog>();
  const navigate = useNavigate();
  const onOpenChange = (isOpen: boolean) => {
    if (!isOpen) setOpened(undefined);
  };
  useCommands([
    ...NAV_ITEMS.map(({ to, label, icon }) => ({
      id: `go-${to}`,
      label: `Go to ${label}`,
      group: "Go to",
      icon,
      run: () => void navigate({ to }),
    })),
    { id: "theme-light", label: "Light theme", group: "Look", icon: Sun, run: () => setThemeChoice("light") },
    { id: "theme-dark", label: "Dark theme", group: "Look", icon: Moon, run: () => setThemeChoice("dark") },
    {
      id: "theme-system",
      label: "Theme of the device",
      group: "Look",
      icon: Monitor,
      run: () => setThemeChoice("system"),
    },
    {
      id: "palette",
      label: "Search commands",
      group: "Studio",
      keys: "mod+k",
      icon: Search,
      run: () => setOpened("palette"),
    },
    {
      id: "help",
      label: "Keyboard shortcuts",
      group: "Studio",
      keys: "?",
      icon: Keyboard,
      run: () => setOpened("help"),
    },
    { id: "disconnect", label: "Disconnect", group: "Studio", icon: LogOut, run: () => setOpened("forget") },
  ]);
  useShortcuts();
  return (
    <>
      <OnDemand when={opened === "palette"}>
        <CommandPalette open={opened === "palette"} onOpenChange={onOpenChange} />
      </OnDemand>
      <OnDemand when={opened === "help"}>
        <ShortcutHelp open={opened === "help"} onOpenChange={onOpenChange} />
      </OnDemand>
      <OnDemand when={opened === "forget"}>
        <ForgetKeyDialog open={opened === "forget"} onOpenChange={onOpenChange} connection={connection} />
      </OnDemand>
    </>
  );
}
