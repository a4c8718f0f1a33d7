import { useEffect, useRef, useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { type Deletion, useFileDeletion } from "../deleted-media.ts";
import { findMediaFailure, isOutOfReach, type MediaFailure, safeMediaUrl } from "../fetch-media.ts";
import { noteNamedAddress, useHeldHost } from "../known-hosts.ts";
import { daysLeft } from "../retention.ts";
import { type MediaTurn, useMediaTurn } from "../use-media-turn.ts";

/** `src` is also undefined where the page may not or need not load the file. */
export interface MediaState extends Pick<MediaTurn, "src" | "ref" | "onPlay"> {
  phase: "loading" | "ready" | "failed" | "held";
  /** The host that has to be named and clicked before the file is loaded. */
  heldHost: string | undefined;
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
  /** Whether an element loads the file; where none does, it needs no turn. */
  hasElement?: boolean;
}

/** Follows one file from loading to shown, or to a reason why not. */
export function useMediaState({
  item,
  createdAtSeconds,
  isDeleted,
  isExpiryTrusted = false,
  hasElement = true,
}: MediaStateOptions): MediaState {
  const safe = safeMediaUrl(item.url);
  const deletion = useFileDeletion(item.url);
  const [attempt, setAttempt] = useState(0);
  const [ready, setReady] = useState<string>();
  const [failed, setFailed] = useState<{ mark: string; failure: MediaFailure }>();
  const probe = useRef<AbortController>(undefined);
  // A result belongs to one address and one attempt; another item in the same place starts anew.
  const mark = `${attempt} ${item.url}`;

  useEffect(() => () => probe.current?.abort(), []);

  const [openedAtMs] = useState(() => Date.now());
  const isOver = isExpiryTrusted && (daysLeft(createdAtSeconds, openedAtMs) ?? 1) <= 0;
  // Nothing is asked for: a cache may serve a deleted file for some minutes more (spec 8).
  const gone = deletion ? goneBy(deletion) : isDeleted ? "deleted" : undefined;
  const refused = safe === undefined ? "unsafe" : isOutOfReach(safe) ? "unnamed" : undefined;
  const known = gone ?? (isOver ? "expired" : refused);
  const failure = known ?? (failed?.mark === mark ? failed.failure : undefined);
  const host = useHeldHost(item.url);
  const heldBy = item.isElsewhere && item.kind !== "other" && !failure ? host : undefined;
  useEffect(() => {
    if (!item.isElsewhere) noteNamedAddress(item.url);
  }, [item]);
  const isIdle = failure !== undefined || heldBy !== undefined || !hasElement;
  const { src, ref, onPlay, onOver } = useMediaTurn(isIdle ? undefined : safe, attempt);
  const onError = () => {
    probe.current?.abort();
    const controller = new AbortController();
    probe.current = controller;
    // The turn ends with the question: a page of lost files asks for a few at a time.
    findMediaFailure({ item, createdAtSeconds, isDeleted, nowMs: Date.now() }, controller.signal)
      .then((failure) => setFailed({ mark, failure }))
      .catch(() => undefined)
      .finally(() => onOver(false));
  };
  return {
    src,
    ref,
    onPlay,
    heldHost: heldBy,
    phase: failure ? "failed" : heldBy ? "held" : ready === mark ? "ready" : "loading",
    failure,
    attempt,
    onReady: () => {
      setReady(mark);
      onOver(true);
    },
    onError,
    retry: () => setAttempt((count) => count + 1),
  };
}

function goneBy({ isConfirmed, isUnderWay }: Deletion): MediaFailure {
  if (isUnderWay) return "deleting";
  return isConfirmed ? "deleted" : "unconfirmed";
}
