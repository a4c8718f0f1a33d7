// What the person is shown without a press: finished jobs while away, possible duplicates, and trouble of the storage.
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { duplicateCharge } from "#api/charge-words.ts";
import { isFinal } from "#api/jobs.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { useLedger } from "#runs/ledger/use-ledger.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { KEYS } from "#storage/keys.ts";
import { type StorageKind, useStorageState } from "#storage/storage-state.ts";
import { type ToastInput, toast } from "#ui/toast-store.ts";
import { useAlertChoice } from "./alert-store.ts";

const isAway = () => document.visibilityState === "hidden" || !document.hasFocus();

function notifyFinished(finished: readonly TrackedJob[]): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const [first] = finished;
  if (!first) return;
  const body = finished.length === 1 ? (jobPrompt(first.payload) ?? first.model ?? "") : "";
  const title = `Safelight: ${finishedText(finished)}`;
  const options = { body, tag: "safelight-finished" };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Phones show notifications from a service worker only. The title shows it in any case.
    void showByWorker(title, options);
  }
}

async function showByWorker(title: string, options: NotificationOptions): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, options);
  } catch {
    // There is no worker, or it may not show notifications. The title shows it.
  }
}

/**
 * Shows a person who is away what finished: in the tab's title and icon always, by notification and sound only when
 * asked for, and then from one tab alone.
 */
export function useFinishAlerts(tracked: readonly TrackedJob[], leads: boolean): void {
  const seen = useRef<Map<string, string>>(undefined);
  const missed = useRef<TrackedJob[]>([]);
  useEffect(() => {
    const lastSeen = seen.current;
    seen.current = new Map(tracked.map(({ requestId, status }) => [requestId, status]));
    if (!lastSeen) return;
    const finished = newlyFinished(lastSeen, tracked);
    if (finished.length === 0 || !isAway()) return;
    missed.current = [...missed.current, ...finished];
    const hasFailed = countEnds(missed.current).failed > 0;
    showTabSign(finishedText(missed.current), hasFailed ? "failed" : "done");
    if (!leads) return;
    const { notify, sound } = useAlertChoice.getState();
    if (notify) notifyFinished(finished);
    if (sound) playChime();
  }, [tracked, leads]);

  useEffect(() => {
    const onReturn = () => {
      if (isAway()) return;
      missed.current = [];
      clearTabSign();
    };
    window.addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
}

/** Jobs that were running when last seen and are final now. A job that was final when first seen is not shown. */
function newlyFinished(lastSeen: ReadonlyMap<string, string>, tracked: readonly TrackedJob[]): TrackedJob[] {
  return tracked.filter(({ requestId, status }) => {
    const lastStatus = lastSeen.get(requestId);
    return lastStatus !== undefined && !isFinal(lastStatus) && isFinal(status);
  });
}

/** How many jobs ended in which way. Any end that is neither a success nor a cancellation, such as `expired`, is a failure. */
function countEnds(finished: readonly TrackedJob[]) {
  const counts = { done: 0, failed: 0, cancelled: 0 };
  for (const { status } of finished)
    counts[status === "success" ? "done" : status === "cancelled" ? "cancelled" : "failed"] += 1;
  return counts;
}

/** What finished, for a title: "2 done", "1 done, 1 failed", "1 cancelled". */
function finishedText(finished: readonly TrackedJob[]): string {
  const named = Object.entries(countEnds(finished)).filter(([, count]) => count > 0);
  return named.map(([word, count]) => `${formatNumber(count)} ${word}`).join(", ");
}

const ICONS = { plain: "/favicon.svg", done: "/favicon-done.svg", failed: "/favicon-failed.svg" } as const;

let ownTitle: string | undefined;

/** Shows in the tab's title and icon what finished while the person was away. */
function showTabSign(text: string, icon: "done" | "failed"): void {
  ownTitle ??= document.title;
  document.title = `${text} · ${ownTitle}`;
  setIcon(ICONS[icon]);
}

function clearTabSign(): void {
  if (ownTitle === undefined) return;
  document.title = ownTitle;
  ownTitle = undefined;
  setIcon(ICONS.plain);
}

function setIcon(href: string): void {
  document.querySelector("link[rel=icon]")?.setAttribute("href", href);
}

/** Plays two soft tones, one after the other. Nothing is heard where the browser wants a click first. */
function playChime(): void {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  for (const [index, hertz] of [660, 880].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const startSeconds = context.currentTime + index * 0.14;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.08, startSeconds);
    volume.gain.exponentialRampToValueAtTime(0.0001, startSeconds + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(startSeconds);
    tone.stop(startSeconds + 0.3);
  }
  setTimeout(() => void context.close().catch(() => {}), 1_000);
}

const MAX_STORED_IDS = 200;

/** The ids of possible duplicates that were shown already, in any tab. */
const readShown = () => (readText(KEYS.reportedDuplicates) ?? "").split(" ").filter(Boolean);

/** One message for all duplicates that appeared together: nearly always they belong to one run. */
function duplicateText(lines: readonly LedgerLine[]): string {
  const [first] = lines;
  const isOne = lines.length === 1;
  const jobs = isOne
    ? "A second identical job was created"
    : `${formatNumber(lines.length)} more identical jobs were created`;
  const model = visibleLine(first?.model ?? "the same model", 60);
  const price = first?.amountMicroUsd;
  const charge = price === undefined ? "" : ` ${duplicateCharge(lines.length, price)}`;
  return `${jobs} with ${model}.${charge} Safelight submitted your run once, but a network can deliver a request twice.`;
}

/**
 * A toast, with the price, when a job appears that the network may have made a second time. It comes once per job, in a
 * tab that can be seen, and stays until dismissed. The Spend page lists the job permanently.
 */
export function useDuplicateAlerts(): void {
  const lines = useLedger();
  const navigate = useNavigate();
  useEffect(() => {
    const showFresh = () => {
      if (document.visibilityState === "hidden") return;
      const shown = readShown();
      const fresh = lines.filter(
        ({ kind, requestId }) => kind === "possible-duplicate" && requestId !== undefined && !shown.includes(requestId),
      );
      if (fresh.length === 0) return;
      const ids = fresh.flatMap(({ requestId }) => requestId ?? []);
      writeText(KEYS.reportedDuplicates, [...shown, ...ids].slice(-MAX_STORED_IDS).join(" "));
      toast({
        tone: "warning",
        title: "Possible duplicate charge",
        body: duplicateText(fresh),
        action: { label: "Open Spend", onAct: () => void navigate({ to: "/spend" }) },
      });
    };
    showFresh();
    document.addEventListener("visibilitychange", showFresh);
    return () => document.removeEventListener("visibilitychange", showFresh);
  }, [lines, navigate]);
}

const reload = { label: "Reload", onAct: () => location.reload() };

/** What each trouble of the browser's storage means for the person. Jobs, files and charges at the service are never lost. */
const ALERTS: Partial<Record<StorageKind, ToastInput>> = {
  memory: {
    tone: "warning",
    title: "This browser isn’t saving data",
    body: "Storage is blocked. Drafts and your job list are lost when you close this tab. Your jobs stay at the service.",
  },
  blocked: {
    tone: "warning",
    title: "Another tab has an older version",
    body: "Close or reload your other Safelight tabs to continue here.",
  },
  newer: {
    tone: "warning",
    title: "Safelight was updated",
    body: "Reload to keep saving changes.",
    action: reload,
  },
  replaced: {
    tone: "warning",
    title: "Safelight was updated in another tab",
    body: "This tab no longer saves changes. Reload to continue.",
    action: reload,
  },
  full: {
    tone: "warning",
    title: "The disk is full",
    body: "Safelight saves each run on this device before submitting it. Free some disk space, then run again.",
  },
};

const NEWER_ROWS: ToastInput = {
  tone: "warning",
  title: "Reload to update Safelight",
  body: "A newer version of Safelight saved some data. If a run in it is unconfirmed, its model stays blocked in this version.",
  action: reload,
};

const LOST_ROWS: ToastInput = {
  tone: "warning",
  title: "Local data was cleared",
  body: "You or the browser cleared it. Spending history, limits, drafts and chats are gone. Unconfirmed runs of this tab were saved again. Your jobs and files stay at the service: see History.",
};

/**
 * Shows a toast when a trouble of the storage begins, when rows cannot be read or are newer than this page, and when the browser
 * has deleted rows.
 */
export function useStorageAlerts(): void {
  const kind = useStorageState((state) => state.kind);
  const quarantined = useStorageState((state) => state.quarantined);
  const hasNewer = useStorageState((state) => state.newerRows > 0);
  const losses = useStorageState((state) => state.losses);
  useEffect(() => {
    const alert = ALERTS[kind];
    if (alert) toast(alert);
  }, [kind]);
  useEffect(() => {
    if (quarantined === 0) return;
    toast({
      tone: "warning",
      title: `${counted(quarantined, "record")} of local data couldn’t be read`,
      body: "Nothing was deleted. You can export unreadable records in Settings.",
    });
  }, [quarantined]);
  useEffect(() => {
    if (hasNewer) toast(NEWER_ROWS);
  }, [hasNewer]);
  useEffect(() => {
    if (losses > 0) toast(LOST_ROWS);
  }, [losses]);
}
