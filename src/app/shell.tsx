import { Outlet, useNavigate, useRouter, useRouterState } from "@tanstack/react-router";
import { Cable, Keyboard, LogOut, Plus, Search } from "lucide-react";
import { useEffect, useState } from "react";
import {
  type Connection,
  endLabel,
  switchConnection,
  useConnection,
  useConnections,
} from "#connection/connection-store.ts";
import { keepRequests } from "#connection/request-history.ts";
import { PhoneQueue } from "#queue/queue-sheet.tsx";
import { ForgetKeyDialog } from "#settings/forget-key-dialog.tsx";
import { type Command, commandFor, studioCommands, useCommands } from "#ui/commands.ts";
import { followKeyChoices } from "#ui/keys.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { JobWatcher } from "./job-watcher.ts";
import { BottomTabs, NAV_ITEMS, Rail } from "./navigation.tsx";
import { type CommandPlace, readCommandPlace, useCommandKeys } from "./palette/press-keys.ts";

/**
 * The frame around every screen of a connected studio. When the connection ends the screens are removed in the same moment,
 * and the router's redirect follows.
 */
export function Shell() {
  const connection = useConnection();
  return connection && <Frame key={connection.id} connection={connection} />;
}

/** The rail (or the phone's tabs) and the place for the screen. */
function Frame({ connection }: { connection: Connection }) {
  const isPhone = useIsPhone();
  const isOnCreate = useRouterState({ select: ({ location }) => location.pathname.startsWith("/create") });
  useEffect(keepRequests, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[var(--rail)_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)] short:max-md:grid-rows-[auto_auto] short:max-md:overflow-y-auto">
      <SkipLink />
      {!isPhone && <Rail connection={connection} />}
      <main
        id="main"
        tabIndex={-1}
        className="relative min-h-0 min-w-0 overflow-y-auto short:max-md:min-h-dvh short:max-md:overflow-visible"
      >
        <Outlet />
      </main>
      {isPhone && <PhoneQueue isOnCreate={isOnCreate} />}
      {isPhone && <BottomTabs />}
      <JobWatcher />
      <AppCommands connection={connection} />
    </div>
  );
}

/** The first stop of the Tab key: past the rail, straight to the screen. A button, so that the URL keeps its hash. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById("main")?.focus()}
      className="fixed start-2 top-2 z-50 min-h-11 -translate-y-16 rounded-sm bg-accent px-3 font-semibold text-accent-ink focus:translate-y-0"
    >
      Skip to content
    </button>
  );
}

const CommandPalette = lazyPart(() => import("./palette/command-palette.tsx").then((module) => module.CommandPalette));
const ShortcutSheet = lazyPart(() => import("./palette/shortcut-sheet.tsx").then((module) => module.ShortcutSheet));

/** `place` stays as it was while a dialog closes, so that its list does not change on the way out. */
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

/** The commands of all of Safelight, the palette that lists all commands, and the keys that run them. */
export function AppCommands({ connection }: { connection: Connection }) {
  const [opened, setOpened] = useState<OpenDialog>({ kind: "none", place: { layer: "", isPlace: true } });
  const navigate = useNavigate();
  const router = useRouter();
  const others = useConnections().filter((each) => each.connection.id !== connection.id);
  const { place } = opened;
  const open = (kind: OpenDialog["kind"]) => setOpened({ kind, place: readCommandPlace() });
  const onOpenChange = (isOpen: boolean) => {
    if (!isOpen) setOpened((previous) => ({ ...previous, kind: "none" }));
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
