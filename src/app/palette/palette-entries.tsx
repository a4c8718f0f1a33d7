import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Archive,
  ArrowRight,
  AudioLines,
  Bell,
  Clapperboard,
  Database,
  FileText,
  Gauge,
  Hash,
  Image,
  Images,
  Keyboard,
  type LucideIcon,
  MessageSquareText,
  Monitor,
  Moon,
  Plug,
  Sparkles,
  Stethoscope,
  Sun,
  Volume2,
  Wallet,
} from "lucide-react";
import { useMemo, useState } from "react";
import { jobCharge } from "#api/charge-words.ts";
import { isUsableRequestId } from "#api/path-id.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { useJobIndex } from "#history/job-index/job-index.ts";
import { readQuery, searchIndex } from "#history/job-index/search-index.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted } from "#lib/numbers.ts";
import { formatAge } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { useNameTemplate } from "#media/download/file-name.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { modelSummary } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { allowNotifications, setAlertChoice, useAlertChoice } from "#results/alerts/alert-store.ts";
import { useArchive } from "#results/archive/archive-store.ts";
import { useMarks } from "#results/marks/marks.ts";
import { jobName } from "#runs/job-facts.ts";
import { getPrompt } from "#runs/job-inputs.ts";
import { LIMIT_LABELS, LIMIT_NAMES } from "#runs/ledger/spend-limits.ts";
import { useSpendLimits } from "#runs/ledger/use-ledger.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { statusWords } from "#runs/status-words.ts";
import { setThemeChoice, useThemeChoice } from "#settings/theme-store.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { studioCommands, useCommandStore } from "#ui/commands.ts";
import { keysNow, setSingleKeys, useKeyChoices } from "#ui/keys.ts";
import { toast } from "#ui/toast-store.ts";
import { getCommandOrder } from "./all-commands.ts";
import { findEntries, fold, getSearchWords, type PaletteEntry } from "./find-entries.ts";
import { type CommandPlace, getPlaceCommands } from "./press-keys.ts";

interface PaletteSearch {
  /** What is searched, without spaces around it. */
  query: string;
  place: CommandPlace;
  /** Called when the person is to type the id of a job. */
  onAskId: () => void;
}

/** What the palette lists for a search. With nothing typed: the acts of the place and the recent jobs. */
export function usePaletteEntries({ query, place, onAskId }: PaletteSearch): {
  entries: PaletteEntry[];
  failed: boolean;
} {
  const commands = useCommandEntries(place);
  const settings = useSettingEntries();
  const { jobs, byId } = useJobEntries(query);
  const { models, goTo, failed } = useModelEntries(query);
  const askId: PaletteEntry = {
    id: "ask-id",
    group: "By ID",
    label: "Open job by ID",
    detail: "Paste the ID",
    icon: Hash,
    staysOpen: true,
    run: onAskId,
  };
  const words = useMemo(() => getSearchWords(query), [query]);
  const placeEntries = commands.filter(({ group }) => group === "On this screen");
  if (query === "")
    return { entries: [...placeEntries, ...jobs, ...commands.filter(({ group }) => group === "Go to")], failed };
  const found = findEntries([...commands, ...settings, ...(byId.length === 0 ? [askId] : [])], words);
  return { entries: [...found, ...goTo, ...jobs, ...models, ...byId], failed };
}

const GROUP_OF = { go: "Go to", setting: "Settings", act: "On this screen" } as const;

/** Every command of the place as a line of the palette, in the order of the list of keys. */
function useCommandEntries(place: CommandPlace): PaletteEntry[] {
  const commands = useCommandStore((state) => state.commands);
  const choices = useKeyChoices();
  return getPlaceCommands(place, commands)
    .filter(({ id }) => id !== studioCommands.palette.id)
    .sort((a, b) => getCommandOrder(a.id) - getCommandOrder(b.id))
    .map(({ kind, label, icon, detail, value, unavailable, group, run, ...command }) => ({
      id: `command-${command.id}`,
      group: GROUP_OF[kind ?? "act"],
      label,
      icon,
      detail: unavailable ?? detail,
      words: group,
      value,
      keys: keysNow(choices, command),
      unavailable,
      run,
    }));
}

const onOff = (isOn: boolean) => (isOn ? "On" : "Off");

/** An entry for each setting. It changes a setting that has two states, and leads to any other. `value`: how it is set. */
function useSettingEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const theme = useThemeChoice();
  const { notify, sound } = useAlertChoice();
  const { singleKeys } = useKeyChoices();
  const { limits } = useSpendLimits();
  const { isOn: isArchiving } = useArchive();
  const template = useNameTemplate();
  const connection = useConnection();
  const group = "Settings" as const;
  const openSettings = (hash: string) => () => void navigate({ to: "/settings", hash });
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
        words: "appearance mode colors",
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
      label: "Download file names",
      icon: FileText,
      detail: template || undefined,
      run: openSettings("downloads"),
    },
    {
      id: "archive",
      group,
      label: "Folder for finished jobs",
      icon: Archive,
      words: "save finished jobs automatically",
      value: onOff(isArchiving),
      run: openSettings("downloads"),
    },
    {
      id: "connection",
      group,
      label: "Connection",
      icon: Plug,
      detail: connection?.name,
      words: "url api key name",
      run: openSettings("connection"),
    },
    {
      id: "local-data",
      group,
      label: "Local data",
      icon: Database,
      words: "storage export import delete backup",
      run: openSettings("local-data"),
    },
    {
      id: "diagnostics",
      group,
      label: "Diagnostics",
      icon: Stethoscope,
      words: "request log requests help problem",
      run: openSettings("diagnostics"),
    },
    ...(connection?.isSandbox
      ? [
          {
            id: "sandbox",
            group,
            label: "Sandbox",
            icon: Gauge,
            words: "time speed inputs errors",
            run: openSettings("sandbox"),
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
    body: "Allow them in your browser’s site settings.",
    tone: "warning",
  });
}

/** How many jobs a search shows, and how many the palette shows before anything is typed. */
const MAX_FOUND = 5;
const MAX_RECENT = 4;

/**
 * The recent and running jobs; with a search the latest that fit, over all that this browser has indexed, and the way to
 * the others in History. A text that can be an id opens the job of that id.
 */
function useJobEntries(query: string): { jobs: PaletteEntry[]; byId: PaletteEntry[] } {
  const navigate = useNavigate();
  const [nowMs] = useState(() => Date.now());
  const found = useFoundJobs(query, nowMs);
  const deleted = useDeletedMedia().jobs;
  const open = (requestId: string) => void navigate({ to: "/jobs/$requestId", params: { requestId } });
  const shown = found.slice(0, query === "" ? MAX_RECENT : MAX_FOUND);
  const jobs = shown.map((entry) => jobEntry(entry, nowMs, deleted.has(entry.requestId), () => open(entry.requestId)));
  if (query !== "" && found.length > shown.length) {
    jobs.push({
      id: "jobs-all",
      group: "Jobs",
      label: `All ${counted(found.length, "job")} with “${visibleLine(query, 60)}”`,
      icon: ArrowRight,
      run: () => void navigate({ to: "/history", search: { q: query } }),
    });
  }
  const id = idIn(query);
  const byId =
    id === undefined
      ? []
      : [{ id: "open-id", group: "By ID" as const, label: `Open job ${id}`, icon: Hash, run: () => open(id) }];
  return { jobs, byId };
}

/** The jobs that fit, latest first. Followed jobs are there before the index is read, and with their latest status. */
function useFoundJobs(query: string, nowMs: number): readonly JobRecord[] {
  const tracked = useTrackedJobs();
  const { state } = useJobIndex();
  const marks = useMarks().marks;
  const { entries, texts, isOpen } = state;
  const trackedTexts = useMemo(
    () => tracked.map((job) => fold(`${getPrompt(job)}\n${job.model}\n${job.requestId}`)),
    [tracked],
  );
  return useMemo(() => {
    const known = new Map<string, JobRecord>(tracked.map((job) => [job.requestId, job]));
    const indexed = isOpen ? entries : [];
    if (query === "") return tracked.length > 0 ? tracked.slice(0, MAX_RECENT) : indexed.slice(0, MAX_RECENT);
    const terms = readQuery(query);
    const isText = terms.every(({ field, isNot }) => field === "text" && !isNot);
    const fits = (place: number) => isText && terms.every(({ value }) => trackedTexts[place]?.includes(value));
    const found = searchIndex({ entries: indexed, texts, search: { q: query }, marks, nowMs });
    const inIndex = new Set(found.map(({ requestId }) => requestId));
    const notIndexed = tracked.filter(({ requestId }, place) => !inIndex.has(requestId) && fits(place));
    return [...notIndexed, ...found.map((entry) => known.get(entry.requestId) ?? entry)];
  }, [query, tracked, trackedTexts, entries, texts, isOpen, marks, nowMs]);
}

function jobEntry(entry: JobRecord, nowMs: number, isDeleted: boolean, run: () => void): PaletteEntry {
  const { requestId, model, status, media, submittedAtMs } = entry;
  const createdAtSeconds = entry.createdAtSeconds ?? (submittedAtMs && submittedAtMs / 1000);
  const [first] = media;
  const isPicture = first && first.kind !== "audio";
  return {
    id: `job-${requestId}`,
    group: "Jobs",
    label: jobName(entry),
    picture: (
      <span className="grid h-7.5 w-11.5 shrink-0 place-items-center overflow-hidden rounded-sm bg-hover text-ink-3">
        {isPicture && (
          <CachedThumb item={first} alt="" createdAtSeconds={createdAtSeconds} isDeleted={isDeleted} isSmall />
        )}
      </span>
    ),
    detail: [
      model && visibleLine(model),
      createdAtSeconds !== undefined && formatAge(createdAtSeconds, nowMs),
      jobCharge(entry),
    ]
      .filter(Boolean)
      .join(" · "),
    status: statusWords(status),
    run,
  };
}

/** The id of a job that was typed or pasted, also as the end of a URL; undefined for anything that is a word. */
function idIn(query: string): string | undefined {
  const text = query.trim();
  const id = /^https?:\/\/\S+\/([^\s/?#]+)(?:[?#]\S*)?$/.exec(text)?.[1] ?? text;
  return id.length >= 8 && /\d/.test(id) && isUsableRequestId(id) ? id : undefined;
}

/** How many models of each catalog are shown. */
const MAX_MODELS = 6;
const ICONS: Record<string, LucideIcon> = { image: Image, video: Clapperboard, audio: AudioLines };

/**
 * One search over both catalogs (spec 1): a generation model opens Create, a text model Playground, the best one its
 * jobs, too. Nothing before the first letter. `failed` where a catalog could not be read.
 */
function useModelEntries(query: string): { models: PaletteEntry[]; goTo: PaletteEntry[]; failed: boolean } {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const enabled = query !== "";
  const generation = useQuery({ ...modelQueries(api).ids(), enabled });
  const texts = useQuery({ ...textModelQueries(api).all(), enabled });
  const ids = useMemo(() => asSearchable(generation.data ?? []), [generation.data]);
  const textIds = useMemo(() => asSearchable((texts.data ?? []).map(({ id }) => id)), [texts.data]);
  const found = useMemo(() => {
    const words = getSearchWords(query);
    const fitting = (list: readonly { id: string; label: string }[]) =>
      words.length === 0 ? [] : findEntries(list, words).slice(0, MAX_MODELS);
    return { generation: fitting(ids), texts: fitting(textIds) };
  }, [query, ids, textIds]);
  const best = found.generation[0] ?? found.texts[0];
  const isNamedByQuery = best?.label.toLowerCase().startsWith(query.toLowerCase()) === true;
  return {
    failed: enabled && (generation.isError || texts.isError),
    goTo: isNamedByQuery
      ? [
          {
            id: "go-history-model",
            group: "Go to",
            label: "History",
            detail: `${best.label} only`,
            icon: Images,
            run: () => void navigate({ to: "/history", search: { model: best.id } }),
          },
        ]
      : [],
    models: [
      ...found.generation.map(({ id, label }): PaletteEntry => {
        // Only a detail that another screen has loaded: each is a request of its own (spec 4.1).
        const detail = client.getQueryData(modelQueries(api).detail(id).queryKey);
        return {
          id: `model-${id}`,
          group: "Models",
          label,
          icon: ICONS[detail?.type ?? ""] ?? Sparkles,
          detail: detail ? modelSummary(detail) : "In Create",
          run: () => void navigate({ to: "/create/$modelId", params: { modelId: id } }),
        };
      }),
      ...found.texts.map(
        ({ id, label }): PaletteEntry => ({
          id: `text-model-${id}`,
          group: "Models",
          label,
          icon: MessageSquareText,
          detail: "Text, in Playground",
          run: () => void navigate({ to: "/playground", search: { model: id } }),
        }),
      ),
    ],
  };
}

/** The names of thousands of models, made once. */
function asSearchable(ids: readonly string[]): { id: string; label: string }[] {
  return ids.map((id) => ({ id, label: visibleLine(id) }));
}
