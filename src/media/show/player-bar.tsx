import { clsx } from "clsx";
import {
  Camera,
  ChevronFirst,
  ChevronLast,
  type LucideIcon,
  Maximize,
  Pause,
  PictureInPicture2,
  Play,
  Repeat,
  Volume2,
  VolumeX,
} from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { type Command, useCommands } from "#ui/command-store.ts";
import { Select } from "#ui/field.tsx";
import { chordOf } from "#ui/key-press.ts";
import { Slider } from "#ui/slider.tsx";
import { saveFrame } from "./grab-frame.ts";
import { type Player, usePlayerState } from "./player.ts";
import { Playhead, skipSeconds } from "./playhead.tsx";

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

/** Where its acts are commands; a bar among others has none, and its keys act while it has the focus. */
export type PlayerPlace = "viewer" | "compare" | "result";
const GROUPS: Record<PlayerPlace, string> = { viewer: "Viewer", compare: "Compare", result: "Result" };

export interface PlayerBarProps {
  player: Player;
  place?: PlayerPlace | undefined;
  /** The clip to save frames of; without it there is no such button. */
  grab?: { url: string; name: string } | undefined;
  /** Fills the screen, or leaves it; with the command that does the same, where there is one. */
  fullScreen?: { run: () => void; command?: { id: string; keys: string } | undefined } | undefined;
  className?: string | undefined;
}

/**
 * Plays a clip, a sound, or several in step: playhead with what is loaded, frames, speed, loop and sound. While it has the
 * focus it has the keys of every player: Space and K, J and L, comma and full stop, U for the sound.
 */
export function PlayerBar({ player, place, grab, fullScreen, className }: PlayerBarProps) {
  const state = usePlayerState(player);
  const [isSaving, setIsSaving] = useState(false);
  const skip = (turn: 1 | -1) => player.seek(player.seconds() + turn * skipSeconds(state.duration));
  async function save() {
    if (!grab || isSaving) return;
    setIsSaving(true);
    await saveFrame(grab, player.seconds());
    setIsSaving(false);
  }
  const pip = pictureOf(player);
  const own = playerActs({
    play: player.toggle,
    "skip-back": () => skip(-1),
    "skip-on": () => skip(1),
    ...(state.hasPictures && { "frame-back": () => player.step(-1), "frame-on": () => player.step(1) }),
    loop: () => player.set({ isLooping: !state.isLooping }),
    mute: () => player.set({ isMuted: !state.isMuted }),
    ...(grab && { "save-frame": () => void save() }),
    ...(pip && { pip: () => void showInPicture(pip) }),
  });
  useCommands(
    place === undefined ? [] : own.map((act) => ({ ...act, id: `${place}.${act.id}`, group: GROUPS[place] })),
  );

  function onKeyDown(event: KeyboardEvent) {
    const chord = chordOf(event);
    if (event.target instanceof HTMLSelectElement || chord === undefined) return;
    // Space presses the button that has the focus.
    if (chord === "space" && event.target instanceof HTMLButtonElement) return;
    const act = own.find(({ id }) => OWN_KEYS[chord] === id);
    if (!act) return;
    event.preventDefault();
    act.run();
  }
  const button = (
    id: PlayerAct,
    icon: LucideIcon,
    more: { label?: string; isPressed?: boolean; className?: string } = {},
  ) => own.some((act) => act.id === id) && <ActButton {...more} act={id} place={place} icon={icon} acts={own} />;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys act on whatever of it has the focus.
    <div className={clsx("@container shrink-0", className)} data-field="" onKeyDown={onKeyDown}>
      <div className="flex min-h-12 items-center gap-1 px-2 @max-[640px]:flex-wrap @max-[640px]:justify-between @max-[640px]:pb-1">
        {button("play", state.isPlaying ? Pause : Play, { label: state.isPlaying ? "Pause" : "Play" })}
        <Playhead player={player} duration={state.duration} buffered={state.buffered} />
        {button("frame-back", ChevronFirst)}
        {button("frame-on", ChevronLast)}
        <Select
          compact
          aria-label="Speed"
          value={state.speed}
          className="w-[78px]"
          onChange={(event) => player.set({ speed: Number(event.target.value) })}
        >
          {SPEEDS.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </Select>
        {button("loop", Repeat, { isPressed: state.isLooping })}
        {button("mute", state.isMuted || state.volume === 0 ? VolumeX : Volume2, { isPressed: state.isMuted })}
        <Slider
          aria-label="Volume"
          min={0}
          max={100}
          value={state.isMuted ? 0 : Math.round(state.volume * 100)}
          aria-valuetext={state.isMuted ? "muted" : `${Math.round(state.volume * 100)} percent`}
          onChange={(event) => player.set({ volume: Number(event.target.value) / 100, isMuted: false })}
          className="playhead w-[72px]! @max-[760px]:hidden pointer-coarse:hidden"
        />
        {button("save-frame", Camera, { className: "@max-[480px]:hidden" })}
        {button("pip", PictureInPicture2, { className: "@max-[480px]:hidden" })}
        {fullScreen && <FullScreenButton {...fullScreen} />}
      </div>
    </div>
  );
}

interface ActButtonProps {
  act: PlayerAct;
  place: PlayerPlace | undefined;
  icon: LucideIcon;
  acts: readonly PlayerCommand[];
  /** In place of the command's, where it says what a press does now. */
  label?: string | undefined;
  isPressed?: boolean | undefined;
  className?: string | undefined;
}

function ActButton({ act, place, icon: Icon, acts, label, isPressed, className }: ActButtonProps) {
  const { label: name, keys } = PLAYER_ACTS[act];
  const props = useCommandProps({ id: place && `${place}.${act}`, keys: place && keys });
  return (
    <IconButton
      {...props}
      label={label ?? name}
      aria-pressed={isPressed}
      className={clsx("aria-pressed:bg-selected aria-pressed:text-ink!", className)}
      onClick={() => acts.find(({ id }) => id === act)?.run()}
    >
      <Icon aria-hidden className={clsx("size-4", act === "play" && "fill-current")} />
    </IconButton>
  );
}

function FullScreenButton({ run, command }: NonNullable<PlayerBarProps["fullScreen"]>) {
  return (
    <IconButton {...useCommandProps({ id: command?.id, keys: command?.keys })} label="Full screen" onClick={run}>
      <Maximize aria-hidden className="size-4" />
    </IconButton>
  );
}

type PlayerCommand = Omit<Command, "id" | "group"> & { id: PlayerAct };

/** What a bar can do, and its keys where its acts are commands. */
const PLAYER_ACTS = {
  play: { label: "Play or pause", keys: "space", alsoKeys: "k" },
  "skip-back": { label: "Skip back", keys: "j", repeats: true },
  "skip-on": { label: "Skip forward", keys: "l", repeats: true },
  "frame-back": { label: "One frame back", keys: "[", alsoKeys: ",", repeats: true },
  "frame-on": { label: "One frame on", keys: "]", alsoKeys: ".", repeats: true },
  mute: { label: "Mute", keys: "u" },
  loop: { label: "Loop", keys: undefined },
  "save-frame": { label: "Save this frame", keys: undefined },
  pip: { label: "Picture in picture", keys: undefined },
} as const satisfies Record<string, Pick<Command, "label" | "keys" | "alsoKeys" | "repeats">>;
type PlayerAct = keyof typeof PLAYER_ACTS;

function playerActs(runs: Partial<Record<PlayerAct, () => void>>): PlayerCommand[] {
  const names = Object.keys(PLAYER_ACTS) as PlayerAct[];
  return names.flatMap((id) => {
    const run = runs[id];
    return run ? [{ ...PLAYER_ACTS[id], id, run }] : [];
  });
}

/** The keys of a bar that has the focus. */
const OWN_KEYS: Record<string, PlayerAct> = {
  space: "play",
  k: "play",
  j: "skip-back",
  l: "skip-on",
  ",": "frame-back",
  ".": "frame-on",
  u: "mute",
};

/** The one clip that a browser can lift out of its page. */
function pictureOf(player: Player): HTMLVideoElement | undefined {
  const [only, ...others] = player.elements();
  const isPossible = typeof document !== "undefined" && document.pictureInPictureEnabled === true;
  return isPossible && others.length === 0 && only instanceof HTMLVideoElement ? only : undefined;
}

async function showInPicture(clip: HTMLVideoElement): Promise<void> {
  const isShown = document.pictureInPictureElement === clip;
  // A browser may refuse, such as before the clip is loaded.
  await (isShown ? document.exitPictureInPicture() : clip.requestPictureInPicture()).catch(() => undefined);
}
