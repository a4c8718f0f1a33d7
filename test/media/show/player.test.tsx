import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createPlayer } from "#media/show/player.ts";
import { PlayerBar } from "#media/show/player-bar.tsx";
import { skipSeconds } from "#media/show/playhead.tsx";

/** A clip of so many seconds, which plays as far as a page can tell. */
function clip(seconds: number): HTMLVideoElement {
  const video = document.createElement("video");
  let isPaused = true;
  let at = 0;
  const tell = (name: string) => video.dispatchEvent(new Event(name));
  Object.defineProperties(video, {
    duration: { value: seconds },
    paused: { get: () => isPaused },
    currentTime: {
      get: () => at,
      set: (next: number) => {
        at = next;
        tell("seeked");
      },
    },
    play: {
      value: async () => {
        isPaused = false;
        tell("play");
      },
    },
    pause: {
      value: () => {
        isPaused = true;
        tell("pause");
      },
    },
  });
  return video;
}

afterEach(() => createPlayer().set({ isMuted: false, volume: 1 }));

describe("several clips under one player", () => {
  it("play, stop and move together; a shorter one waits at its end", () => {
    const player = createPlayer();
    const [long, short] = [clip(10), clip(4)];
    player.attach(long);
    player.attach(short);
    expect(player.state()).toMatchObject({ duration: 10, count: 2, isPlaying: false });
    player.toggle();
    expect([long.paused, short.paused]).toEqual([false, false]);
    player.seek(3);
    expect([long.currentTime, short.currentTime]).toEqual([3, 3]);
    player.seek(8);
    expect([long.currentTime, short.currentTime]).toEqual([8, 4]);
    player.toggle();
    expect([long.paused, short.paused]).toEqual([true, true]);
    player.step(1);
    expect(long.currentTime).toBeCloseTo(8 + 1 / 24);
    player.step(-1000);
    expect([long.currentTime, short.currentTime]).toEqual([0, 0]);
  });

  it("are heard one at a time, and only the longest loops", () => {
    const player = createPlayer();
    const [long, short] = [clip(10), clip(4)];
    player.attach(short);
    player.attach(long);
    expect([short.muted, long.muted]).toEqual([false, true]);
    expect([short.loop, long.loop]).toEqual([false, true]);
    player.listenTo(long);
    expect([short.muted, long.muted]).toEqual([true, false]);
    player.set({ isMuted: true, speed: 2, isLooping: false });
    expect([short.muted, long.muted, long.loop]).toEqual([true, true, false]);
    expect([short.playbackRate, long.playbackRate]).toEqual([2, 2]);
  });

  it("are left alone once they are gone", () => {
    const player = createPlayer();
    const one = clip(5);
    const leave = player.attach(one);
    leave();
    player.toggle();
    expect(one.paused).toBe(true);
    expect(player.state().count).toBe(0);
  });
});

describe("the bar of a player", () => {
  function show(seconds = 5) {
    const player = createPlayer();
    const video = clip(seconds);
    act(() => void player.attach(video));
    render(<PlayerBar player={player} grab={{ url: "https://storage.invalid/a.mp4", name: "a" }} />);
    return { player, video, user: userEvent.setup() };
  }

  it("plays, steps and mutes by the keys of every player", async () => {
    const { video, user } = show();
    screen.getByRole("slider", { name: "Position" }).focus();
    await user.keyboard("k");
    expect(screen.getByRole("button", { name: "Pause" })).toBeVisible();
    await user.keyboard("k");
    expect(video.paused).toBe(true);
    await user.keyboard("l");
    expect(video.currentTime).toBe(1);
    await user.keyboard(".");
    expect(video.currentTime).toBeCloseTo(1 + 1 / 24);
    await user.keyboard(",j");
    expect(video.currentTime).toBeCloseTo(0);
    await user.keyboard("u");
    expect(screen.getByRole("button", { name: "Mute" })).toHaveAttribute("aria-pressed", "true");
    expect(video.muted).toBe(true);
  });

  it("has a playhead with a spoken value, Home and End", async () => {
    const { video, user } = show();
    const playhead = screen.getByRole("slider", { name: "Position" });
    playhead.focus();
    await user.keyboard("{End}");
    expect(video.currentTime).toBe(5);
    expect(playhead).toHaveAttribute("aria-valuetext", "0:05.0 of 0:05.0");
    await user.keyboard("{Home}{ArrowRight}");
    expect(video.currentTime).toBe(1);
  });

  it("changes speed and loop", async () => {
    const { video, user } = show();
    expect(video.loop).toBe(true);
    await user.click(screen.getByRole("button", { name: "Loop" }));
    expect(video.loop).toBe(false);
    await user.selectOptions(screen.getByRole("combobox", { name: "Speed" }), "0.5");
    expect(video.playbackRate).toBe(0.5);
  });

  it("has no frames for a sound, and does not let it loop unasked", () => {
    const player = createPlayer();
    const sound = document.createElement("audio");
    act(() => void player.attach(sound));
    render(<PlayerBar player={player} />);
    expect(screen.queryByRole("button", { name: "Next frame" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Loop" })).toHaveAttribute("aria-pressed", "false");
  });

  it("a clip of some seconds is skipped through in steps that fit it", () => {
    expect([5, 60, 600].map(skipSeconds)).toEqual([1, 5, 10]);
  });
});

vi.mock("#media/show/grab-frame.ts", () => ({ saveFrame: async () => undefined }));
