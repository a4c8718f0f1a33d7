import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from "react";
import type { FileFacts, MediaItem, MediaKind } from "#api/types.ts";
import { needsTransfer, openTransfer } from "#connection/open-transfer.ts";
import { useStorageAddress } from "#connection/relay.ts";
import { deletionFailure, useFileDeletion } from "./deleted-media.ts";
import { isInternal, isOutOfReach, safeMediaUrl } from "./fetch-media.ts";
import { askFacts, forgetFacts, isPage, noteLoaded, useFileFacts } from "./file-facts.ts";
import { noteNamedAddress, useBlockedHost } from "./known-hosts.ts";
import { failureWithAge, MediaError, type MediaFailure } from "./media-failure.ts";
import { daysLeft } from "./retention.ts";

/** `src` is also undefined where the page may not or need not load the file. */
export interface MediaState extends Pick<MediaTurn, "src" | "ref" | "onPlay"> {
  phase: "loading" | "ready" | "failed" | "blocked";
  /** What the file is: by its first bytes where they are known, else what was said of it. */
  kind: MediaKind;
  /** What its first bytes say; undefined as long as nobody looked. */
  facts: FileFacts | undefined;
  /** The host that has to be named and clicked before the file is loaded. */
  blockedHost: string | undefined;
  failure: MediaFailure | undefined;
  /** The message of the storage or of the studio's host about the failure. */
  said: string | undefined;
  /** Changes with each retry: as a React key it makes the element load again. */
  attempt: number;
  /**
   * The ref of the element that shows the file: the first bytes of an unknown file are read once that element is in
   * view.
   */
  box: (node: HTMLElement | null) => void;
  onReady: (event: SyntheticEvent) => void;
  onError: () => void;
  retry: () => void;
}

interface MediaStateOptions {
  item: MediaItem;
  createdAtSeconds: number | undefined;
  isDeleted: boolean;
  /** Does not ask the storage for a file whose 60 days are over (spec 8): for lists of many. */
  isExpiryTrusted?: boolean;
  /** Kinds that an element loads; the others need no turn. */
  loads: readonly MediaKind[];
}

/** Follows one file from loading to shown, or to a reason why not. */
export function useMediaState({
  item,
  createdAtSeconds,
  isDeleted,
  isExpiryTrusted = false,
  loads,
}: MediaStateOptions): MediaState {
  const safe = safeMediaUrl(item.url);
  const deletion = deletionFailure(useFileDeletion(item.url), isDeleted);
  const [attempt, setAttempt] = useState(0);
  const [ready, setReady] = useState<string>();
  const [failed, setFailed] = useState<{ loadKey: string; failure: MediaFailure; said?: string | undefined }>();
  const probe = useRef<AbortController>(undefined);
  const known = useFileFacts(item.url);
  const facts = known?.kind === undefined ? undefined : known;
  const kind = facts?.kind ?? item.kind;
  // A result counts for one address and one attempt alone: the component may get another item.
  const loadKey = `${attempt} ${item.url}`;

  useEffect(() => () => probe.current?.abort(), []);

  const [openedAtMs] = useState(() => Date.now());
  const isExpired = isExpiryTrusted && (daysLeft(createdAtSeconds, openedAtMs) ?? 1) <= 0;
  // A deleted file is not asked for, because a cache may serve it for some minutes more (spec 8).
  const knownFailure = deletion ?? (isExpired ? "expired" : addressFailure(item.url, safe));
  const ownFailure = failed?.loadKey === loadKey ? failed : undefined;
  const isWebPage = facts !== undefined && isPage(facts) && item.kind !== "other";
  const failure = knownFailure ?? ownFailure?.failure ?? (isWebPage ? "page" : undefined);
  const host = useBlockedHost(item.url, !item.isElsewhere);
  const blockedBy = failure ? undefined : host;
  useEffect(() => {
    if (!item.isElsewhere) noteNamedAddress(item.url);
  }, [item]);
  const isIdle = failure !== undefined || blockedBy !== undefined || !loads.includes(kind);
  const { src, ref, onPlay, onOver } = useMediaTurn(isIdle ? undefined : safe, attempt);

  const fail = (error: unknown) => {
    if (!(error instanceof MediaError)) return;
    const failure = failureWithAge(error.failure, { createdAtSeconds, nowMs: Date.now() });
    setFailed({ loadKey, failure, said: error.said });
  };
  const [box, isInView] = useInView();
  const isUnknown = item.kind === "other" && facts === undefined && failure === undefined && blockedBy === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains all that the question depends on.
  useEffect(() => {
    if (!isUnknown || !isInView) return;
    const controller = new AbortController();
    askFacts(item.url, controller.signal).catch((error) => controller.signal.aborted || fail(error));
    return () => controller.abort();
  }, [isUnknown, isInView, loadKey]);

  const onError = () => {
    probe.current?.abort();
    const controller = new AbortController();
    probe.current = controller;
    // Asked again (`true`): the file may have gone since its first bytes were read. The permit to load is given back
    // only after the answer, so that a page of missing files asks for a few at a time.
    askFacts(item.url, controller.signal, true)
      // If its bytes are of another kind than was said, the file is shown as that kind instead.
      .then((found) => found.kind === kind && fail(new MediaError("broken")))
      .catch((error) => controller.signal.aborted || fail(error))
      .finally(() => onOver(false));
  };
  return {
    src,
    ref,
    onPlay,
    kind,
    facts,
    blockedHost: blockedBy,
    phase: failure ? "failed" : blockedBy ? "blocked" : ready === loadKey ? "ready" : "loading",
    failure,
    said: knownFailure === undefined ? ownFailure?.said : undefined,
    attempt,
    onReady: ({ currentTarget }) => {
      noteLoaded(item.url, currentTarget);
      setReady(loadKey);
      onOver(true);
    },
    onError,
    retry: () => {
      forgetFacts(item.url);
      setAttempt((count) => count + 1);
    },
    box,
  };
}

/** A file further away from what is in view than this is not read. */
const NEAR = "200px";

/** Whether an element has been in view, or near it. In a browser without observers every element is. */
function useInView(): [box: (node: HTMLElement | null) => void, isInView: boolean] {
  const [isInView, setIsInView] = useState(typeof IntersectionObserver === "undefined");
  const observer = useRef<IntersectionObserver>(undefined);
  const box = useCallback((node: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!node || typeof IntersectionObserver === "undefined") return;
    observer.current = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.current?.disconnect();
        setIsInView(true);
      },
      { rootMargin: NEAR },
    );
    observer.current.observe(node);
  }, []);
  return [box, isInView];
}

/** What a file is shown as: by its first bytes once somebody looked at them, else as it was said to be. */
export function useShownKind(file: Pick<MediaItem, "url" | "kind"> | undefined): MediaKind {
  return useFileFacts(file?.url ?? "")?.kind ?? file?.kind ?? "other";
}

/** The address of the thumbnail of a clip for an element; undefined where it has none, or its host is blocked. */
export function usePoster({ posterUrl, isElsewhere }: MediaItem): string | undefined {
  const isBlocked = useBlockedHost(posterUrl ?? "", !isElsewhere) !== undefined;
  return useStorageAddress(isBlocked || posterUrl === undefined ? undefined : safeMediaUrl(posterUrl));
}

function addressFailure(url: string, safe: string | undefined): MediaFailure | undefined {
  if (safe !== undefined) return isOutOfReach(safe) ? "unnamed" : undefined;
  return isInternal(url) ? "internal" : "unsafe";
}

export interface MediaTurn {
  /** What the element loads. Undefined while its address is not known or no connection is free for it. */
  src: string | undefined;
  /** Takes the element: of those that wait, the ones on the screen load first. */
  ref: (element: HTMLElement | null) => void;
  /** Must be called when the element has loaded, or when it is known why not. */
  onOver: (isLoaded: boolean) => void;
  /** For clips and sounds: a browser keeps the connection of one that was played until all of it has come. */
  onPlay: (event: SyntheticEvent<HTMLMediaElement>) => void;
}

/**
 * After this long an element gives its connection back, so that a storage that hangs does not block everything else.
 */
const LONGEST_MS = 30_000;
const MAX_KNOWN = 1000;

/** Addresses that an element of this page has loaded. They come from the browser's cache and need no turn. */
const loadedHere = new Set<string>();

/**
 * The address under which an element loads a stored file, once it has its turn: at once, unless connections are few.
 * `url` must be one that a page may load; undefined for none. Another `attempt` loads anew.
 */
export function useMediaTurn(url: string | undefined, attempt = 0): MediaTurn {
  const address = useStorageAddress(url);
  const [grantedKey, setGranted] = useState<string>();
  const element = useRef<HTMLElement>(null);
  const loading = useRef<AbortController>(undefined);
  const playing = useRef<AbortController>(undefined);
  const grantKey = `${attempt} ${address}`;
  const isLimited = address !== undefined && needsTransfer(address);
  const isFree = !isLimited || (attempt === 0 && loadedHere.has(address));

  useEffect(() => {
    if (isFree) return;
    const controller = new AbortController();
    const { signal } = controller;
    loading.current = controller;
    const isVisible = () => isOnScreen(element.current);
    void takeTransfer("media", signal, isVisible).then((end) => {
      if (!end) return;
      const limit = setTimeout(end, LONGEST_MS);
      signal.addEventListener("abort", () => clearTimeout(limit), { once: true });
      setGranted(grantKey);
    });
    return () => controller.abort();
  }, [isFree, grantKey]);
  useEffect(() => () => playing.current?.abort(), []);

  return {
    src: isFree || grantedKey === grantKey ? address : undefined,
    ref: useCallback((node) => {
      element.current = node;
    }, []),
    onOver: (isLoaded) => {
      loading.current?.abort();
      if (isLoaded && isLimited && loadedHere.size < MAX_KNOWN) loadedHere.add(address);
    },
    onPlay: ({ currentTarget: clip }) => {
      if (!isLimited || playing.current || isWhole(clip)) return;
      const controller = new AbortController();
      playing.current = controller;
      // Playing does not wait for this, because the browser has its connection already. It only counts the connection.
      void takeTransfer("playing", controller.signal).then((end) => {
        if (end) clip.addEventListener("progress", () => isWhole(clip) && end());
      });
    },
  };
}

/** Takes a connection until the signal aborts or the returned function is called; undefined where it aborted first. */
async function takeTransfer(
  kind: "media" | "playing",
  signal: AbortSignal,
  isVisible?: () => boolean,
): Promise<(() => void) | undefined> {
  const end = await openTransfer(kind, { signal, isVisible }).catch(() => undefined);
  if (signal.aborted) end?.();
  else if (end) signal.addEventListener("abort", end, { once: true });
  return signal.aborted ? undefined : end;
}

function isOnScreen(element: HTMLElement | null): boolean {
  if (!element) return true;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}

function isWhole({ buffered, duration }: HTMLMediaElement): boolean {
  return buffered.length === 1 && buffered.start(0) === 0 && buffered.end(0) >= duration - 0.1;
}
