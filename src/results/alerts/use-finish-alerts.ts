import { useEffect, useRef } from "react";
import { isFinal } from "#api/final-status.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import type { TrackedJob } from "#storage/job-records.ts";
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
    // No worker, or it may not: the title shows it.
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
    const before = seen.current;
    seen.current = new Map(tracked.map(({ requestId, status }) => [requestId, status]));
    if (!before) return;
    const finished = newlyFinished(before, tracked);
    if (finished.length === 0 || !isAway()) return;
    missed.current = [...missed.current, ...finished];
    const hasFailed = missed.current.some(({ status }) => status !== "success");
    showTabSign(finishedText(missed.current), hasFailed ? "failed" : "done");
    if (!leads) return;
    const { notify, sound } = useAlertChoice.getState();
    if (notify) notifyFinished(finished);
    if (sound) playChime();
  }, [tracked, leads]);

  useEffect(() => {
    const back = () => {
      if (isAway()) return;
      missed.current = [];
      clearTabSign();
    };
    window.addEventListener("focus", back);
    document.addEventListener("visibilitychange", back);
    return () => {
      window.removeEventListener("focus", back);
      document.removeEventListener("visibilitychange", back);
    };
  }, []);
}

/** Jobs that were running when last seen and are final now. A job that was final when first seen is not shown. */
function newlyFinished(before: ReadonlyMap<string, string>, now: readonly TrackedJob[]): TrackedJob[] {
  return now.filter(({ requestId, status }) => {
    const was = before.get(requestId);
    return was !== undefined && !isFinal(was) && isFinal(status);
  });
}

/** The sum of what finished, for a title: "2 done", "1 failed", "1 done, 1 failed". */
function finishedText(finished: readonly TrackedJob[]): string {
  const done = finished.filter(({ status }) => status === "success").length;
  const rest = finished.length - done;
  return [done > 0 && `${done} done`, rest > 0 && `${rest} failed`].filter(Boolean).join(", ");
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

/** Two soft tones. Silent where the browser wants a click first. */
function playChime(): void {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  for (const [index, hertz] of [660, 880].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = context.currentTime + index * 0.14;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.08, from);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + 0.3);
  }
  setTimeout(() => void context.close().catch(() => {}), 1_000);
}
