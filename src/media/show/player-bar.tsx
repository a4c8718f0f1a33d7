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
import { type Acts, type CommandInfo, commandsFor, useCommands } from "#ui/commands.ts";
import { Select } from "#ui/field.tsx";
import { getChord, isKeyForCommand, useKeyChoices } from "#ui/keys.ts";
import { Slider } from "#ui/slider.tsx";
import { playerCommands } from "../commands.ts";
import { saveFrame } from "./grab-frame.ts";
import { type Player, usePlayerState } from "./player.ts";
import { Playhead, skipSeconds } from "./playhead.tsx";

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

export interface PlayerBarProps {
  player: Player;
  /** Whether its acts are commands of the screen. If not, as for one of several bars, its keys need the focus in it. */
  hasCommands?: boolean | undefined;
  /** The clip to save frames of; without it there is no such button. */
  grab?: { url: string; name: string } | undefined;
  /** Fills the screen, or leaves it; with the command that does the same, where there is one. */
  fullScreen?: { run: () => void; command?: CommandInfo | undefined } | undefined;
  className?: string | undefined;
}

/**
 * Plays a clip, a sound, or several in step: playhead with what is loaded, frames, speed, loop and sound. While it has
 * the focus it has the keys of every player, whatever plays beside it.
 */
export function PlayerBar({ player, hasCommands = false, grab, fullScreen, className }: PlayerBarProps) {
  const state = usePlayerState(player);
  const [isSaving, setIsSaving] = useState(false);
  const skip = (turn: 1 | -1) => player.seek(player.seconds() + turn * skipSeconds(state.duration));
  async function save() {
    if (!grab || isSaving) return;
    setIsSaving(true);
    await saveFrame(grab, player.seconds());
    setIsSaving(false);
  }
  const pip = findPipClip(player);
  const acts: Acts<typeof playerCommands> = {
    play: player.toggle,
    skipBack: () => skip(-1),
    skipOn: () => skip(1),
    ...(state.hasPictures && { frameBack: () => player.step(-1), frameOn: () => player.step(1) }),
    loop: () => player.set({ isLooping: !state.isLooping }),
    mute: () => player.set({ isMuted: !state.isMuted }),
    ...(grab && { saveFrame: save }),
    ...(pip && { pip: () => togglePip(pip) }),
  };
  const own = commandsFor(playerCommands, acts);
  const choices = useKeyChoices();
  useCommands(hasCommands ? own : []);

  function onKeyDown(event: KeyboardEvent) {
    const chord = getChord(event);
    if (event.target instanceof HTMLSelectElement || chord === undefined) return;
    // Space presses the button that has the focus.
    if (chord === "space" && event.target instanceof HTMLButtonElement) return;
    const act = own.find((command) => isKeyForCommand(choices, command, chord));
    if (!act) return;
    event.preventDefault();
    act.run();
  }
  const button = (
    id: keyof typeof playerCommands,
    icon: LucideIcon,
    more: { label?: string; isPressed?: boolean; className?: string } = {},
  ) =>
    acts[id] && <ActButton {...more} command={playerCommands[id]} run={acts[id]} hasKeys={hasCommands} icon={icon} />;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys act on whatever of it has the focus.
    <div className={clsx("@container shrink-0", className)} data-field="" onKeyDown={onKeyDown}>
      <div className="flex min-h-12 items-center gap-1 px-2 @max-[40rem]:flex-wrap @max-[40rem]:justify-between @max-[40rem]:pb-1">
        {button("play", state.isPlaying ? Pause : Play, { label: state.isPlaying ? "Pause" : "Play" })}
        <Playhead player={player} duration={state.duration} buffered={state.buffered} />
        {button("frameBack", ChevronFirst)}
        {button("frameOn", ChevronLast)}
        <Select
          compact
          aria-label="Speed"
          value={state.speed}
          className="w-19.5"
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
          className="playhead w-18! @max-[47.5rem]:hidden pointer-coarse:hidden"
        />
        {button("saveFrame", Camera, { className: "@max-[30rem]:hidden" })}
        {button("pip", PictureInPicture2, { className: "@max-[30rem]:hidden" })}
        {fullScreen && <FullScreenButton {...fullScreen} />}
      </div>
    </div>
  );
}

interface ActButtonProps {
  command: CommandInfo;
  run: () => unknown;
  hasKeys: boolean;
  icon: LucideIcon;
  /** The label in place of the command's own, where it says what a press does now. */
  label?: string | undefined;
  isPressed?: boolean | undefined;
  className?: string | undefined;
}

function ActButton({ command, run, hasKeys, icon: Icon, label, isPressed, className }: ActButtonProps) {
  const props = useCommandProps(hasKeys ? command : undefined);
  return (
    <IconButton
      {...props}
      label={label ?? command.label}
      aria-pressed={isPressed}
      className={clsx("aria-pressed:bg-selected aria-pressed:text-ink!", className)}
      onClick={() => void run()}
    >
      <Icon aria-hidden className={clsx("size-4", command === playerCommands.play && "fill-current")} />
    </IconButton>
  );
}

function FullScreenButton({ run, command }: NonNullable<PlayerBarProps["fullScreen"]>) {
  return (
    <IconButton {...useCommandProps(command)} label="Full screen" onClick={run}>
      <Maximize aria-hidden className="size-4" />
    </IconButton>
  );
}

/** The clip for picture-in-picture: the only element of a player, in a browser that has it. */
function findPipClip(player: Player): HTMLVideoElement | undefined {
  const [only, ...others] = player.elements();
  const isPossible = typeof document !== "undefined" && document.pictureInPictureEnabled === true;
  return isPossible && others.length === 0 && only instanceof HTMLVideoElement ? only : undefined;
}

async function togglePip(clip: HTMLVideoElement): Promise<void> {
  const isShown = document.pictureInPictureElement === clip;
  // A browser may refuse, such as before the clip is loaded.
  await (isShown ? document.exitPictureInPicture() : clip.requestPictureInPicture()).catch(() => undefined);
}
