import { useCallback, useEffect, useRef, useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { type Deletion, useFileDeletion } from "../deleted-media.ts";
import { findMediaFailure, type MediaFailure, safeMediaUrl } from "../fetch-media.ts";
import { daysLeft } from "../retention.ts";

export interface MediaState {
  /** The address to load, or undefined where the page may not or need not. */
  src: string | undefined;
  phase: "loading" | "ready" | "failed";
  failure: MediaFailure | undefined;
  /** Changes with each retry: as a React key it makes the element load again. */
  attempt: number;
  onReady: () => void;
  onError: () => void;
  retry: () => void;
}

interface MediaStateOptions {
  item: MediaItem;
  createdAtSeconds: number | undefined;
  isDeleted: boolean;
  /** Does not ask the storage for a file whose 60 days are over (spec 8): for lists of many. */
  isExpiryTrusted?: boolean;
}

/** Follows one file from loading to shown, or to a reason why not. */
export function useMediaState({
  item,
  createdAtSeconds,
  isDeleted,
  isExpiryTrusted = false,
}: MediaStateOptions): MediaState {
  const src = safeMediaUrl(item.url);
  const deletion = useFileDeletion(item.url);
  const [attempt, setAttempt] = useState(0);
  const [ready, setReady] = useState<string>();
  const [failed, setFailed] = useState<{ mark: string; failure: MediaFailure }>();
  const probe = useRef<AbortController>(undefined);
  // A result belongs to one address and one attempt; another item in the same place starts anew.
  const mark = `${attempt} ${item.url}`;

  useEffect(() => () => probe.current?.abort(), []);

  const onError = useCallback(() => {
    probe.current?.abort();
    const controller = new AbortController();
    probe.current = controller;
    findMediaFailure({ item, createdAtSeconds, isDeleted, nowMs: Date.now() }, controller.signal)
      .then((failure) => setFailed({ mark, failure }))
      .catch(() => undefined);
  }, [item, createdAtSeconds, isDeleted, mark]);

  const [openedAtMs] = useState(() => Date.now());
  const isOver = isExpiryTrusted && (daysLeft(createdAtSeconds, openedAtMs) ?? 1) <= 0;
  // Nothing is asked for: a cache may serve a deleted file for some minutes more (spec 8).
  const gone = deletion ? goneBy(deletion) : isDeleted ? "deleted" : undefined;
  const known = gone ?? (isOver ? "expired" : src ? undefined : "unsafe");
  const failure = known ?? (failed?.mark === mark ? failed.failure : undefined);
  return {
    src: failure ? undefined : src,
    phase: failure ? "failed" : ready === mark ? "ready" : "loading",
    failure,
    attempt,
    onReady: () => setReady(mark),
    onError,
    retry: () => setAttempt((count) => count + 1),
  };
}

function goneBy({ isConfirmed, isUnderWay }: Deletion): MediaFailure {
  if (isUnderWay) return "deleting";
  return isConfirmed ? "deleted" : "unconfirmed";
}
