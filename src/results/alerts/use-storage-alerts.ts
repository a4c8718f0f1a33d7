import { useEffect } from "react";
import { type StorageKind, useStorageState } from "#storage/storage-state.ts";
import { type ToastInput, toast } from "#ui/toast-store.ts";

const reload = { label: "Reload", onAct: () => location.reload() };

/** What each trouble of the browser's storage means for the person. None of them loses what the service holds. */
const ALERTS: Partial<Record<StorageKind, ToastInput>> = {
  memory: {
    tone: "warning",
    title: "This window saves nothing",
    body: "The browser allows no storage here. When you close the page, the studio forgets jobs and drafts. The service still has the jobs.",
  },
  blocked: {
    tone: "warning",
    title: "Another tab has an older version",
    body: "Close or reload the other tabs of Safelight. This tab then continues.",
  },
  newer: {
    tone: "warning",
    title: "This page is older than its data",
    body: "It saves nothing until you reload it. Nothing was lost.",
    action: reload,
  },
  replaced: {
    tone: "warning",
    title: "Safelight was updated in another tab",
    body: "This page saves nothing any more. Reload it to continue.",
    action: reload,
  },
  full: {
    tone: "warning",
    title: "The disk is full",
    body: "The studio saves each run on this device before it submits it. Free some space, then run again.",
  },
};

const NEWER_ROWS: ToastInput = {
  tone: "warning",
  title: "Some local data is newer than this page",
  body: "A newer version of Safelight saved it. This page neither changes nor deletes it. An unconfirmed run in it still blocks its model. Reload to get the newer version.",
  action: reload,
};

const LOST_ROWS: ToastInput = {
  tone: "warning",
  title: "The local data of this browser was deleted",
  body: "You deleted it, or the browser made room. Ledger, limits, drafts and conversations are gone. Unconfirmed runs of this page were saved again. Jobs, files and charges are still at the service: see History.",
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
    const rows = quarantined === 1 ? "1 entry of the local data" : `${quarantined} entries of the local data`;
    toast({
      tone: "warning",
      title: `${rows} could not be read`,
      body: "The studio set them aside and deleted nothing. You can export them in Settings.",
    });
  }, [quarantined]);
  useEffect(() => {
    if (hasNewer) toast(NEWER_ROWS);
  }, [hasNewer]);
  useEffect(() => {
    if (losses > 0) toast(LOST_ROWS);
  }, [losses]);
}
