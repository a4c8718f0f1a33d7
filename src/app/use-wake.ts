import type { Query, QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { getPollControl, LIST, SHORTEST_POLL_MS } from "#runs/poll/poll-control.ts";
import { isIntentKey } from "#runs/submit/outbox.ts";
import type { Submissions } from "#runs/submit/submissions.ts";
import { onChange } from "#storage/changes.ts";

const RESUME_EVERY_MS = 20_000;
const SEEN_AFTER_MS = 1_500;
const CATCH_UP_AT_MOST_EVERY_MS = 2_000;

/** By the clock and not by the cache's own timers, which stood still while the page slept. A clock set back counts, too. */
function isOld({ state }: Query, nowMs: number): boolean {
  return Math.abs(nowMs - Math.max(state.dataUpdatedAt, state.errorUpdatedAt)) >= SHORTEST_POLL_MS;
}

function isOver({ state }: Query): boolean {
  const job = state.data as Job | undefined;
  return job !== undefined && isFinal(job.status);
}

/**
 * Resumes open submits when the page starts, every 20 s (another tab may have died), and at once, with the polls that are
 * due, when the page wakes up, comes back to the front, or the network returns. Nothing is submitted from here. Returns the
 * way to stop.
 */
export function followWaking(api: Api, submissions: Submissions, queryClient: QueryClient): () => void {
  const control = getPollControl(api);
  let caughtUpAtMs = 0;
  const resume = () => void submissions.resume().catch(() => {});
  const catchUp = () => {
    const now = Date.now();
    if (document.visibilityState === "hidden" || now - caughtUpAtMs < CATCH_UP_AT_MOST_EVERY_MS) return;
    caughtUpAtMs = now;
    submissions.wake();
    resume();
    // A poll that began before the page slept is given up; one that began just now is the poll at waking itself.
    const isDue = (query: Query, name: string) => isOld(query, now) && !control.isAsking(name);
    void queryClient.refetchQueries({
      queryKey: ["jobs", "detail"],
      type: "active",
      predicate: (query) => !isOver(query) && isDue(query, String(query.queryKey[2])),
    });
    void queryClient.refetchQueries({
      queryKey: ["jobs", "watch"],
      type: "active",
      predicate: (query) => isDue(query, LIST),
    });
  };
  resume();
  const timer = setInterval(resume, RESUME_EVERY_MS);
  const stopOutbox = onChange("outbox", () => void submissions.refresh().catch(() => {}));
  // A click that was on its way when another tab sent the same draft must still meet the spent intent.
  let later: ReturnType<typeof setTimeout> | undefined;
  const refreshLater = () => {
    clearTimeout(later);
    later = setTimeout(() => void submissions.refreshIntents().catch(() => {}), SEEN_AFTER_MS);
  };
  // Another tab may have sent something before this one listened.
  refreshLater();
  const stopSettings = onChange("settings", (keys) => {
    if (keys === "all" || keys.some(isIntentKey)) refreshLater();
  });
  document.addEventListener("visibilitychange", catchUp);
  document.addEventListener("resume", catchUp);
  window.addEventListener("pageshow", catchUp);
  window.addEventListener("online", catchUp);
  window.addEventListener("focus", catchUp);
  return () => {
    clearInterval(timer);
    clearTimeout(later);
    stopOutbox();
    stopSettings();
    document.removeEventListener("visibilitychange", catchUp);
    document.removeEventListener("resume", catchUp);
    window.removeEventListener("pageshow", catchUp);
    window.removeEventListener("online", catchUp);
    window.removeEventListener("focus", catchUp);
  };
}

/** `followWaking`, while the component is there. */
export function useWake(api: Api, submissions: Submissions, queryClient: QueryClient): void {
  useEffect(() => followWaking(api, submissions, queryClient), [api, submissions, queryClient]);
}
