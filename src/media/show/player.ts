import { useState, useSyncExternalStore } from "react";

/** What a bar shows of a player, without its playhead. */
interface PlayerState {
  isPlaying: boolean;
  /** The duration of the longest element, in seconds; 0 while it is not known. */
  duration: number;
  /** The parts of the longest element that are loaded: from and to, in seconds. */
  buffered: readonly (readonly [number, number])[];
  isMuted: boolean;
  /** 0 to 1. */
  volume: number;
  speed: number;
  isLooping: boolean;
  /** Clips, which have frames and pictures; sounds have not. */
  hasPictures: boolean;
  /** How many elements play in step; 0 before any is there. */
  count: number;
}

interface PlayerSettings {
  isMuted: boolean;
  volume: number;
  speed: number;
  isLooping: boolean;
}

/** A page cannot read the frame rate of a clip; most are made at 24 a second. It is measured while the clip plays. */
const FRAME_SECONDS = 1 / 24;
/** Seconds, a little less than a frame at 120 a second. A shorter time between two frames is not believed. */
const SHORTEST_FRAME = 1 / 130;
/** Elements that are further apart than this are brought together. */
const APART_SECONDS = 0.08;
const EVENTS = [
  "play",
  "pause",
  "seeked",
  "timeupdate",
  "progress",
  "loadedmetadata",
  "durationchange",
  "ended",
  "emptied",
  "volumechange",
];
/** Events after which the other elements follow. */
const LEADING = new Set(["play", "pause", "seeked", "timeupdate"]);

/** The last volume. It applies to the next file too, while the page is open. */
let sound = { isMuted: false, volume: 1 };

export type Player = ReturnType<typeof createPlayer>;

/** One clip or sound, or several that play in step, with all that a bar needs. */
export function createPlayer() {
  const elements = new Set<HTMLMediaElement>();
  // Not a zustand store: the playhead moves with each frame, and is read only while somebody subscribes.
  const listeners = new Set<() => void>();
  let speed = 1;
  let isLooping: boolean | undefined;
  let audible: HTMLMediaElement | undefined;
  let frameSeconds = FRAME_SECONDS;
  let frameRequest = 0;
  let shown: PlayerState = read();

  function longest(): HTMLMediaElement | undefined {
    let found: HTMLMediaElement | undefined;
    for (const element of elements) if (!found || lengthOf(element) > lengthOf(found)) found = element;
    return found;
  }
  function read(): PlayerState {
    const leader = longest();
    return {
      isPlaying: leader !== undefined && !leader.paused && !leader.ended,
      duration: leader ? lengthOf(leader) : 0,
      buffered: leader ? rangesOf(leader.buffered) : [],
      ...sound,
      speed,
      isLooping: isLooping ?? true,
      hasPictures: [...elements].some((element) => element instanceof HTMLVideoElement),
      count: elements.size,
    };
  }
  function emit() {
    const next = read();
    // The bar renders only when its state changes. The playhead reads `seconds` by itself.
    if (JSON.stringify(next) !== JSON.stringify(shown)) shown = next;
    for (const listener of listeners) listener();
    cancelAnimationFrame(frameRequest);
    if (shown.isPlaying && listeners.size > 0) frameRequest = requestAnimationFrame(emit);
  }
  /** Of several elements one is heard: the one that was chosen for it, else the first. */
  const heardElement = () => (audible && elements.has(audible) ? audible : elements.values().next().value);
  function apply() {
    const leader = longest();
    const heard = heardElement();
    for (const element of elements) {
      // Of several the longest begins again, and takes the others along.
      element.loop = isLooping === true && element === leader;
      element.playbackRate = speed;
      element.muted = sound.isMuted || element !== heard;
      // On some systems a page cannot set the volume.
      if (element.volume !== sound.volume) element.volume = sound.volume;
    }
    emit();
  }
  /** Makes the other elements do what one of them did. */
  function follow(leader: HTMLMediaElement, event: string) {
    // An element at its end waits for the longer ones, and must not take them to its own end. One without a known length
    // never leads.
    if (event !== "play" && leader.currentTime >= lengthOf(leader)) return;
    if (event === "timeupdate" && leader !== longest()) return;
    for (const element of elements) {
      if (element === leader) continue;
      const wanted = Math.min(leader.currentTime, lengthOf(element) || leader.currentTime);
      if (Math.abs(element.currentTime - wanted) > APART_SECONDS) element.currentTime = wanted;
      const isOver = lengthOf(element) > 0 && wanted >= lengthOf(element);
      // They also play again when the longest loops.
      if (!leader.paused && element.paused && !isOver) play(element);
      if (event === "pause" && !element.paused) element.pause();
    }
  }
  function onEvent(event: Event) {
    const element = event.currentTarget;
    if (!(element instanceof HTMLMediaElement)) return;
    if (event.type === "loadedmetadata") return apply();
    if (event.type === "volumechange") noteVolume(element);
    if (LEADING.has(event.type) && elements.size > 1) follow(element, event.type);
    emit();
  }
  // A browser's own picture-in-picture window has a button for the sound, too.
  function noteVolume(element: HTMLMediaElement) {
    if (element === heardElement()) sound = { isMuted: element.muted, volume: element.volume };
  }
  function seek(seconds: number) {
    for (const element of elements) {
      const end = lengthOf(element) || shown.duration;
      element.currentTime = Math.min(Math.max(0, seconds), end);
    }
    emit();
  }

  return {
    /** Adds an element, until the returned function is called. */
    attach(element: HTMLMediaElement): () => void {
      elements.add(element);
      // A clip of some seconds is looked at again and again, a sound is heard once.
      isLooping ??= element instanceof HTMLVideoElement;
      for (const name of EVENTS) element.addEventListener(name, onEvent);
      const stop = measureFrames(element, (seconds) => {
        frameSeconds = seconds;
      });
      apply();
      return () => {
        stop();
        for (const name of EVENTS) element.removeEventListener(name, onEvent);
        elements.delete(element);
        emit();
      };
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      emit();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) cancelAnimationFrame(frameRequest);
      };
    },
    state: () => shown,
    /** The playhead, in seconds. */
    seconds: () => longest()?.currentTime ?? 0,
    elements: (): readonly HTMLMediaElement[] => [...elements],
    toggle(): void {
      const isMoving = [...elements].some((element) => !element.paused && !element.ended);
      for (const element of elements) {
        if (isMoving) element.pause();
        else play(element);
      }
    },
    seek,
    /** Pauses, and moves by `frames` frames. */
    step(frames: number): void {
      for (const element of elements) element.pause();
      seek((longest()?.currentTime ?? 0) + frames * frameSeconds);
    },
    set({ isMuted = sound.isMuted, volume = sound.volume, ...change }: Partial<PlayerSettings>): void {
      sound = { isMuted, volume };
      speed = change.speed ?? speed;
      isLooping = change.isLooping ?? isLooping;
      apply();
    },
    /** Plays the sound of this element alone; undefined: of the first one. */
    listenTo(element: HTMLMediaElement | undefined): void {
      audible = element;
      apply();
    },
  };
}

/** A player that lives as long as its component. */
export function usePlayer(): Player {
  return useState(createPlayer)[0];
}

export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(player.subscribe, player.state);
}

// A browser may refuse to play before the person has used the page. The still picture then stays.
function play(element: HTMLMediaElement): void {
  element.play()?.catch(() => undefined);
}

/** The length in seconds; 0 where it is not known, as for a stream without an end. */
function lengthOf({ duration }: HTMLMediaElement): number {
  return Number.isFinite(duration) ? duration : 0;
}

function rangesOf(ranges: TimeRanges | undefined): [number, number][] {
  return Array.from({ length: ranges?.length ?? 0 }, (_, at) => [ranges?.start(at) ?? 0, ranges?.end(at) ?? 0]);
}

/** Reports the time between two frames as it is seen while a clip plays, where the browser reports its frames. */
function measureFrames(element: HTMLMediaElement, report: (seconds: number) => void): () => void {
  if (!(element instanceof HTMLVideoElement) || !element.requestVideoFrameCallback) return () => undefined;
  let lastTime: number | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  let handle = 0;
  const look = (_: number, { mediaTime }: VideoFrameCallbackMetadata) => {
    const apart = lastTime === undefined ? 0 : mediaTime - lastTime;
    // A dropped frame makes the time twice as long, so the shortest time is the true one.
    if (!element.paused && apart > SHORTEST_FRAME && apart < shortest) {
      shortest = apart;
      report(apart);
    }
    lastTime = mediaTime;
    handle = element.requestVideoFrameCallback(look);
  };
  handle = element.requestVideoFrameCallback(look);
  return () => element.cancelVideoFrameCallback(handle);
}
