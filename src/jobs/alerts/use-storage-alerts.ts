import { useEffect } from "react";
import { type StorageKind, useStorageState } from "#storage/storage-state.ts";
import { type ToastInput, toast } from "#ui/toast.tsx";

const reload = { label: "Reload", onAct: () => location.reload() };

/** What each trouble of the browser's storage means for the person. None of them loses what the service holds. */
const ALERTS: Partial<Record<StorageKind, ToastInput>> = {
  memory: {
    tone: "warning",
    title: "Nothing is kept in this window",
    body: "This browser gives no storage here. Jobs and drafts are forgotten with the page; the service still has the jobs.",
  },
  blocked: {
    tone: "warning",
    title: "Another tab holds an older version",
    body: "Close or reload the other tabs of Safelight. This one goes on by itself then.",
  },
  newer: {
    tone: "warning",
    title: "This page is older than its data",
    body: "It only reads until it is reloaded. Nothing was lost.",
    action: reload,
  },
  replaced: {
    tone: "warning",
    title: "Safelight was updated in another tab",
    body: "This page keeps nothing any more. Reload it to go on.",
    action: reload,
  },
  full: {
    tone: "warning",
    title: "The disk is full",
    body: "Nothing is sent while it cannot be noted here first. Free some space, then run again.",
  },
};

const NEWER_ROWS: ToastInput = {
  tone: "warning",
  title: "Some records are newer than this page",
  body: "A newer version of Safelight wrote them. They are kept: this page neither changes nor deletes them, and an open submit among them still holds its model. Reload to get that version. Settings counts them.",
  action: reload,
};

const LOST_ROWS: ToastInput = {
  tone: "warning",
  title: "The records of this browser were deleted",
  body: "By you, or by the browser to make room, while this page was open. Ledger, limits, drafts and conversations are gone. Submits of this page that are still open were written again. Jobs, media and charges stay at the service: History lists them.",
};

/**
 * A toast for each trouble of the storage, once, when it begins, for rows that could not be read or are newer than this
 * page, and for rows that the browser deleted under it.
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
    const rows = quarantined === 1 ? "1 note of this browser" : `${quarantined} notes of this browser`;
    toast({
      tone: "warning",
      title: `${rows} could not be read`,
      body: "Put aside and not deleted. Settings exports them with everything else.",
    });
  }, [quarantined]);
  useEffect(() => {
    if (hasNewer) toast(NEWER_ROWS);
  }, [hasNewer]);
  useEffect(() => {
    if (losses > 0) toast(LOST_ROWS);
  }, [losses]);
}
