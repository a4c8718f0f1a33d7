import { fileSize } from "../file-kind.ts";
import { ClipError } from "./clip-error.ts";

/** The pictures of a clip, as its file describes them. */
export interface PictureTrack {
  codec: string;
  /** All that a decoder has to know before the first packet, as text: equal texts can follow each other uncoded. */
  setup: string;
  /** Pixels on the screen, upright. */
  width: number;
  height: number;
  canDecode: boolean;
}

/** The sound of a clip. Times are in seconds from its first picture. */
export interface SoundTrack {
  codec: string;
  setup: string;
  startSeconds: number;
  endSeconds: number;
  canDecode: boolean;
}

export interface ClipFacts {
  name: string;
  /** From the first picture to the end of the last. */
  seconds: number;
  picture: PictureTrack;
  sound: SoundTrack | undefined;
}

/** The codecs in which this browser can encode pictures of a size, and sound; undefined where it has none. */
export interface Encoders {
  picture(width: number, height: number): Promise<string | undefined>;
  sound(): Promise<string | undefined>;
}

/** `copy`: the packets as they are, without loss. */
interface JoinPlan {
  picture: { way: "copy"; codec: string } | { way: "encode"; codec: string; width: number; height: number };
  sound: { way: "none" } | { way: "copy"; codec: string } | { way: "encode"; codec: string };
  /** How the file differs from the clips, in sentences for the screen. */
  notes: readonly string[];
}

/** A larger file would be too much for the page and for most players. */
const MAX_JOINED_BYTES = 1e9;

/** A hole in the sound that a player does not stumble over. */
const MAX_SILENCE_SECONDS = 0.1;

/** Checks the size of all clips together. @throws ClipError where it is above the limit. */
export function checkSize(bytes: number): void {
  if (bytes <= MAX_JOINED_BYTES) return;
  const sizes = `These videos are ${fileSize(bytes)} together. The limit is ${fileSize(MAX_JOINED_BYTES)}.`;
  throw new ClipError(`${sizes} Choose fewer videos.`);
}

/**
 * How clips become one file: copied where they are alike, which loses nothing, else encoded in the size of the first.
 * @throws ClipError where the browser cannot do that.
 */
export async function planJoin(clips: readonly ClipFacts[], encoders: Encoders, copyable: Copyable): Promise<JoinPlan> {
  const [first, ...others] = clips;
  if (!first) throw new ClipError("No videos left to join.");
  const notes: string[] = [];
  const picture = await planPicture(first, others, encoders, copyable, notes);
  const sound = await planSound(clips, encoders, copyable, notes);
  return { picture, sound, notes };
}

/** Codecs that an mp4 can contain. */
interface Copyable {
  picture: readonly string[];
  sound: readonly string[];
}

async function planPicture(
  first: ClipFacts,
  others: readonly ClipFacts[],
  encoders: Encoders,
  copyable: Copyable,
  notes: string[],
): Promise<JoinPlan["picture"]> {
  const { codec, setup } = first.picture;
  const isAlike = others.every(({ picture }) => picture.codec === codec && picture.setup === setup);
  if (isAlike && copyable.picture.includes(codec)) return { way: "copy", codec };
  // H.264 has no odd sizes.
  const [width, height] = [first.picture.width, first.picture.height].map((side) => Math.max(2, side - (side % 2)));
  const hasOtherSize = ({ picture }: ClipFacts) =>
    picture.width !== first.picture.width || picture.height !== first.picture.height;
  const undecodable = [first, ...others].find(({ picture }) => !picture.canDecode);
  const written = undecodable ? undefined : await encoders.picture(width ?? 2, height ?? 2);
  if (undecodable || written === undefined) {
    const why = others.some(hasOtherSize) ? "The videos differ in size" : "The videos are encoded differently";
    const cannot = undecodable ? `decode “${undecodable.name}”` : "encode video";
    throw new ClipError(`${why}, and this browser can’t ${cannot}. Join videos of one model and size, or try Chrome.`);
  }
  if (others.some(hasOtherSize)) {
    notes.push(
      `Videos of another size are scaled to ${width}×${height}, with black bars where the aspect ratio differs.`,
    );
  }
  notes.push(
    `The videos are encoded again${written === "avc" ? "" : ` as ${nameOf(written)}`}, with a small loss of quality.`,
  );
  return { way: "encode", codec: written, width: width ?? 2, height: height ?? 2 };
}

async function planSound(
  clips: readonly ClipFacts[],
  encoders: Encoders,
  copyable: Copyable,
  notes: string[],
): Promise<JoinPlan["sound"]> {
  const sounds = clips.flatMap(({ sound }) => sound ?? []);
  const [first] = sounds;
  if (!first) return { way: "none" };
  // Copied sound must go through all clips without a hole.
  const isCopyable = clips.every(
    ({ sound, seconds }) =>
      sound !== undefined &&
      sound.setup === first.setup &&
      sound.codec === first.codec &&
      sound.startSeconds < MAX_SILENCE_SECONDS &&
      sound.endSeconds > seconds - MAX_SILENCE_SECONDS,
  );
  if (isCopyable && copyable.sound.includes(first.codec)) return { way: "copy", codec: first.codec };
  const written = sounds.every(({ canDecode }) => canDecode) ? await encoders.sound() : undefined;
  if (written === undefined) {
    notes.push("Audio is excluded, because this browser can’t combine the audio of these videos.");
    return { way: "none" };
  }
  if (written !== "aac") notes.push(`The audio is encoded as ${nameOf(written)}, which some players can’t play.`);
  return { way: "encode", codec: written };
}

const NAMES: Readonly<Record<string, string>> = { avc: "H.264", hevc: "H.265", vp9: "VP9", av1: "AV1", opus: "Opus" };

const nameOf = (codec: string) => NAMES[codec] ?? codec;
