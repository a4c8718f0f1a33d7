import { useNavigate } from "@tanstack/react-router";
import {
  Archive,
  Bell,
  Database,
  FileText,
  Gauge,
  Keyboard,
  Monitor,
  Moon,
  Plug,
  Stethoscope,
  Sun,
  Volume2,
  Wallet,
} from "lucide-react";
import { useConnection } from "#connection/connection-store.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { useNameTemplate } from "#media/download/file-name.ts";
import { allowNotifications, setAlertChoice, useAlertChoice } from "#results/alerts/alert-store.ts";
import { useArchive } from "#results/archive/archive-store.ts";
import { LIMIT_LABELS, LIMIT_NAMES } from "#runs/ledger/limit-words.ts";
import { useSpendLimits } from "#runs/ledger/use-ledger.ts";
import { setThemeChoice, useThemeChoice } from "#settings/theme-store.ts";
import { setSingleKeys, useKeyChoices } from "#ui/key-choices.ts";
import { toast } from "#ui/toast-store.ts";
import type { PaletteEntry } from "./palette-entry.ts";

const onOff = (isOn: boolean) => (isOn ? "On" : "Off");

/** Each setting: it changes at once where it has two states, else it leads to its place. On the right how it is now. */
export function useSettingEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const theme = useThemeChoice();
  const { notify, sound } = useAlertChoice();
  const { singleKeys } = useKeyChoices();
  const { limits } = useSpendLimits();
  const { isOn: isArchiving } = useArchive();
  const template = useNameTemplate();
  const connection = useConnection();
  const group = "Settings" as const;
  const at = (hash: string) => () => void navigate({ to: "/settings", hash });
  const themes = [
    ["light", "Light theme", Sun],
    ["dark", "Dark theme", Moon],
    ["system", "System theme", Monitor],
  ] as const;
  return [
    ...themes.map(
      ([choice, label, icon]): PaletteEntry => ({
        id: `theme-${choice}`,
        group,
        label,
        icon,
        words: "appearance mode colours",
        value: theme === choice ? "On" : undefined,
        staysOpen: true,
        run: () => setThemeChoice(choice),
      }),
    ),
    {
      id: "single-keys",
      group,
      label: "Single-key shortcuts",
      icon: Keyboard,
      words: "keyboard letters",
      value: onOff(singleKeys),
      staysOpen: true,
      run: () => setSingleKeys(!singleKeys),
    },
    {
      id: "notify",
      group,
      label: "Notification when a job finishes",
      icon: Bell,
      words: "notify me alerts",
      value: onOff(notify),
      staysOpen: true,
      run: () => void setNotify(!notify),
    },
    {
      id: "sound",
      group,
      label: "Sound when a job finishes",
      icon: Volume2,
      words: "alerts volume",
      value: onOff(sound),
      staysOpen: true,
      run: () => setAlertChoice({ sound: !sound }),
    },
    ...LIMIT_NAMES.map(
      (name): PaletteEntry => ({
        id: `limit-${name}`,
        group,
        label: LIMIT_LABELS[name],
        icon: Wallet,
        words: "spend confirmation limit budget money",
        value: limits[name] === undefined ? "No limit" : formatMicroUsd(limits[name]),
        run: () => void navigate({ to: "/spend", hash: name }),
      }),
    ),
    {
      id: "file-names",
      group,
      label: "File names of downloads",
      icon: FileText,
      detail: template || undefined,
      run: at("downloads"),
    },
    {
      id: "archive",
      group,
      label: "Archive folder",
      icon: Archive,
      words: "save finished jobs automatically",
      value: onOff(isArchiving),
      run: at("downloads"),
    },
    {
      id: "connection",
      group,
      label: "Connection",
      icon: Plug,
      detail: connection?.name,
      words: "addresses api key name",
      run: at("connection"),
    },
    {
      id: "local-data",
      group,
      label: "Local data",
      icon: Database,
      words: "storage export import delete backup",
      run: at("local-data"),
    },
    {
      id: "diagnostics",
      group,
      label: "Diagnostics",
      icon: Stethoscope,
      words: "request log requests help problem",
      run: at("diagnostics"),
    },
    ...(connection?.isSandbox
      ? [
          {
            id: "sandbox",
            group,
            label: "Sandbox",
            icon: Gauge,
            words: "time speed inputs errors",
            run: at("sandbox"),
          } satisfies PaletteEntry,
        ]
      : []),
  ];
}

async function setNotify(wanted: boolean): Promise<void> {
  const isAllowed = !wanted || (await allowNotifications().catch(() => false));
  setAlertChoice({ notify: wanted && isAllowed });
  if (isAllowed) return;
  toast({
    title: "Notifications are blocked",
    body: "This browser blocks notifications from this page. Allow them in the browser’s site settings.",
    tone: "warning",
  });
}
