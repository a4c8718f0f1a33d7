import { useEffect, useRef } from "react";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import { jobPrompt } from "../job-prompt.ts";
import { useAlertChoice } from "./alert-store.ts";
import { finishedText, newlyFinished } from "./finished-jobs.ts";
import { clearTabSign, playChime, showTabSign } from "./tab-sign.ts";

const isAway = () => document.visibilityState === "hidden" || !document.hasFocus();

function notifyOf(finished: readonly TrackedJob[]): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const [first] = finished;
  if (!first) return;
  const body = finished.length === 1 ? (jobPrompt(first.payload) ?? first.model ?? "") : "";
  try {
    new Notification(`Safelight: ${finishedText(finished)}`, { body, tag: "safelight-finished" });
  } catch {
    // Some browsers show notifications from a service worker only. The title says it all the same.
  }
}

/**
 * Tells a person who is away what finished: in the tab's title and icon always, by notification and sound only when
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
    if (notify) notifyOf(finished);
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
