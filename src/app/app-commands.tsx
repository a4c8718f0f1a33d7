import { useNavigate } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { useEffect, useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { setThemeChoice } from "#screens/settings/theme-store.ts";
import { useCommandStore, useCommands } from "#ui/command-store.ts";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";
import { isTyping, matchesShortcut } from "#ui/key-press.ts";
import { ForgetKeyDialog, NAV_ITEMS } from "./navigation.tsx";

const CommandPalette = lazyNamed(() => import("./command-palette.tsx"), "CommandPalette");
const ShortcutHelp = lazyNamed(() => import("./command-palette.tsx"), "ShortcutHelp");

type OpenDialog = "palette" | "help" | "forget" | undefined;

/** The commands of every screen, the palette that lists all commands, and the keys that run them. */
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
      <LazyMount when={opened === "palette"}>
        <CommandPalette open={opened === "palette"} onOpenChange={onOpenChange} />
      </LazyMount>
      <LazyMount when={opened === "help"}>
        <ShortcutHelp open={opened === "help"} onOpenChange={onOpenChange} />
      </LazyMount>
      <LazyMount when={opened === "forget"}>
        <ForgetKeyDialog open={opened === "forget"} onOpenChange={onOpenChange} connection={connection} />
      </LazyMount>
    </>
  );
}

/**
 * Runs the command whose keys are pressed; of several the one that was added last. A key without `mod` never acts inside a text field, and
 * none acts behind an open dialog.
 */
function useShortcuts(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      if (document.querySelector("[aria-modal=true]")) return;
      const typing = isTyping(event.target);
      const command = useCommandStore
        .getState()
        .commands.findLast(({ keys }) => keys && !(typing && !keys.includes("mod")) && matchesShortcut(keys, event));
      if (!command) return;
      event.preventDefault();
      command.run();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
