import { Link, useLocation, useRouter } from "@tanstack/react-router";
import {
  Cable,
  ChevronsUpDown,
  Images,
  Layers,
  LogOut,
  type LucideIcon,
  MessageSquareText,
  PanelLeft,
  Plus,
  Settings,
  Sparkles,
  Wallet,
} from "lucide-react";
import { useState } from "react";
import { create } from "zustand";
import { type Connection, endLabel, switchConnection, useConnections } from "#connection/connection-store.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { QueueList } from "#queue/queue-list.tsx";
import { useSpendLimits } from "#runs/ledger/use-ledger.ts";
import { ForgetKeyDialog } from "#settings/forget-key-dialog.tsx";
import { SandboxSpeed } from "#settings/sandbox-settings.tsx";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { IconButton } from "#ui/button.tsx";
import { studioCommands, useCommands } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { useIsCompact } from "#ui/use-media-query.ts";

/** The six places of Safelight, in the order of the rail and of the phone's tabs. */
export const NAV_ITEMS = [
  { to: "/create", label: "Create", icon: Sparkles },
  { to: "/batch", label: "Batch", icon: Layers },
  { to: "/history", label: "History", icon: Images },
  { to: "/playground", label: "Playground", icon: MessageSquareText },
  { to: "/spend", label: "Spend", icon: Wallet },
  { to: "/settings", label: "Settings", icon: Settings },
] as const satisfies readonly { to: string; label: string; icon: LucideIcon }[];

/** `aria-current` for a link whose section holds the page although the URLs differ: a price table is part of Create. */
function useCurrentSection(): (to: string) => true | undefined {
  const isPrices = useLocation({ select: ({ pathname }) => pathname.startsWith("/prices/") });
  return (to) => (isPrices && to === "/create") || undefined;
}

const EXPAND = "Expand sidebar";

/** The rail of a wide window: where one can go, what is in the queue, who is connected. Folded it shows signs alone. */
export function Rail({ connection }: { connection: Connection }) {
  const { isFolded, toggle } = useRailFold();
  const currentSection = useCurrentSection();
  useCommands([
    {
      ...studioCommands.foldRail,
      ...(isFolded && { label: EXPAND }),
      icon: PanelLeft,
      run: toggle,
    },
  ]);
  return (
    <header className="flex min-h-0 flex-col border-line border-e short:overflow-y-auto px-2.5 py-3.5 folded:px-1.5">
      <div className="mb-2.5 flex items-center justify-between folded:flex-col folded:gap-2">
        <Link
          to="/create"
          data-command={studioCommands.goCreate.id}
          aria-label="Safelight, Create"
          className="relative rounded-sm px-2 py-0.5 text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-x-1 pointer-coarse:after:-inset-y-2 folded:px-2.25 folded:py-1.25"
        >
          <Brand />
        </Link>
        <IconButton size="sm" label={isFolded ? EXPAND : studioCommands.foldRail.label} onClick={toggle}>
          <PanelLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
        </IconButton>
      </div>
      <nav aria-label="Main">
        <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
          {NAV_ITEMS.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={currentSection(to)}
                title={isFolded ? label : undefined}
                className="flex min-h-8 items-center gap-2.5 rounded-sm px-2.25 font-medium text-ink-2 transition-[background-color,color] duration-150 hover:text-ink [&[aria-current]]:bg-raised [&[aria-current]]:text-ink pointer-coarse:min-h-11 folded:min-h-9 folded:justify-center folded:px-0 folded:pointer-coarse:min-h-11"
              >
                <Icon aria-hidden="true" className="size-4 shrink-0 opacity-85" />
                <span className="folded:sr-only">{label}</span>
                {to === "/spend" && <SpentToday />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="-mx-1 mt-2 min-h-0 flex-1 overflow-y-auto px-1 short:flex-none short:overflow-visible folded:mx-0 folded:px-0 folded:[scrollbar-width:none]">
        <QueueList size="rail" isFolded={isFolded} />
      </div>
      {connection.isSandbox && (
        <div className="mt-2 px-2.25 folded:hidden">
          <p aria-hidden="true" className="m-0 mb-1.5 font-medium text-xs text-ink-3">
            Sandbox speed
          </p>
          <SandboxSpeed connection={connection} />
        </div>
      )}
      <ConnectionFoot connection={connection} />
    </header>
  );
}

function Brand() {
  return (
    <span className="flex items-center gap-2.25 font-semibold text-base tracking-tight">
      <span aria-hidden="true" className="lamp size-4.5 shrink-0 rounded-full" />
      <span className="folded:sr-only">Safelight</span>
    </span>
  );
}

/** What was spent today, beside the link to Spend. Hidden from screen readers, so that the link's name stays "Spend". */
function SpentToday() {
  const { todayMicroUsd } = useSpendLimits();
  if (todayMicroUsd === 0) return null;
  return (
    <span
      aria-hidden="true"
      title="Spent today"
      className="ms-auto folded:hidden font-normal text-xs text-ink-3 tabular-nums"
    >
      {formatMicroUsd(todayMicroUsd)}
    </span>
  );
}

/**
 * Who is connected: the name, the last four characters of the key, a warning where nothing is stored. A menu has the
 * others.
 */
function ConnectionFoot({ connection }: { connection: Connection }) {
  const router = useRouter();
  const [isForgetOpen, setIsForgetOpen] = useState(false);
  const others = useConnections().filter((each) => each.connection.id !== connection.id);
  const items = [
    ...others.map(({ connection: { id, name, keyHint, isSandbox } }) => ({
      label: isSandbox ? name : `${name} ····${keyHint}`,
      icon: Cable,
      onSelect: () => switchConnection(id),
    })),
    {
      label: studioCommands.addConnection.label,
      command: studioCommands.addConnection,
      icon: Plus,
      onSelect: () => router.history.push("/connect"),
    },
    {
      label: "Manage connections",
      command: studioCommands.goSettings,
      icon: Settings,
      onSelect: () => void router.navigate({ to: "/settings", hash: "connection" }),
    },
  ];
  const isMemoryOnly = useStorageState(({ kind }) => kind === "memory");
  const keyText = connection.isSandbox ? "Free demo" : `key ····${connection.keyHint}`;
  return (
    <div className="mt-2 flex items-center gap-1 folded:flex-col">
      <Menu
        label={`Connections: ${connection.name} ${keyText}`}
        items={items}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.25 rounded-sm px-2.25 py-1.5 text-start hover:bg-hover pointer-coarse:min-h-11 folded:justify-center folded:self-stretch folded:px-1"
      >
        <span
          aria-hidden="true"
          className="grid size-7.5 shrink-0 place-items-center rounded-full bg-raised font-semibold text-xs"
        >
          {connection.name.charAt(0).toUpperCase()}
        </span>
        <span className="min-w-0 flex-1 folded:sr-only">
          <span className="block truncate" title={connection.name}>
            {connection.name}
          </span>
          <span className="block truncate font-mono text-xs text-ink-3">{keyText}</span>
          {isMemoryOnly && <span className="block text-xs text-unconfirmed">Not saving</span>}
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-3 folded:hidden" />
      </Menu>
      <IconButton
        label={endLabel(connection)}
        data-command={studioCommands.disconnect.id}
        size="sm"
        onClick={() => setIsForgetOpen(true)}
      >
        <LogOut aria-hidden="true" className="size-4" />
      </IconButton>
      <ForgetKeyDialog open={isForgetOpen} onOpenChange={setIsForgetOpen} connection={connection} />
    </div>
  );
}

/** What a phone has in place of the rail: six tabs at the bottom, within reach of the thumb. */
export function BottomTabs() {
  const currentSection = useCurrentSection();
  return (
    <nav
      aria-label="Main"
      className="border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)] short:order-first short:border-t-0 short:border-b"
    >
      <ul className="m-0 flex list-none p-0 *:flex-auto">
        {NAV_ITEMS.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={currentSection(to)}
              className="flex min-h-14 flex-col items-center justify-center gap-1 px-0.5 text-xs text-ink-3 [&[aria-current]]:font-medium [&[aria-current]]:text-accent-text"
            >
              <Icon aria-hidden="true" className="narrow:size-7 size-4.5" />
              <span className="narrow:sr-only">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type RailChoice = "folded" | "wide" | undefined;

const useRailChoice = create<{ choice: RailChoice }>(() => ({ choice: readChoice() }));

function readChoice(): RailChoice {
  const stored = readText(KEYS.rail);
  const choice = stored === "folded" || stored === "wide" ? stored : undefined;
  markFold(choice);
  return choice;
}

/** Sets the attribute of the document by which `styles.css` folds the rail. */
function markFold(choice: RailChoice): void {
  if (choice) document.documentElement.dataset.rail = choice;
  else delete document.documentElement.dataset.rail;
}

/** Whether the rail shows signs alone: as the person chose, else by the window's width. A choice is remembered. */
function useRailFold(): { isFolded: boolean; toggle: () => void } {
  const choice = useRailChoice((state) => state.choice);
  const isCompact = useIsCompact();
  const isFolded = choice === undefined ? isCompact : choice === "folded";
  function toggle() {
    const next = isFolded ? "wide" : "folded";
    writeText(KEYS.rail, next);
    markFold(next);
    useRailChoice.setState({ choice: next });
  }
  return { isFolded, toggle };
}
