import {
  ALL_FORMATS,
  type AudioCodec,
  AudioSample,
  AudioSampleSource,
  BlobSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  type StreamTargetChunk,
  type VideoCodec,
  VideoSampleSink,
  VideoSampleSource,
} from "mediabunny";
import { ClipError } from "./clip-error.ts";
import { renderSound, SOUND_CHANNELS, SOUND_HERTZ } from "./clip-sound.ts";
import { type ClipFacts, checkSize, type Encoders, planJoin } from "./join-plan.ts";

/** A clip that was read. */
export interface Clip {
  /** What it is called on the screen. */
  name: string;
  blob: Blob;
}

interface JoinOptions {
  signal?: AbortSignal | undefined;
  /** From 0 to 1. */
  onProgress?: ((done: number) => void) | undefined;
}

interface JoinedClips {
  /** An mp4. */
  blob: Blob;
  seconds: number;
  /** How the file differs from the clips, in sentences for the screen. */
  notes: readonly string[];
}

/**
 * Clips as one mp4, in their order. The file is written in pieces that the browser can put onto its disk, and of the
 * clips only what is being copied is in memory; sound that has to be encoded anew is in memory for one clip at a time.
 * @throws ClipError with words for the screen, or the signal's reason.
 */
export async function joinClips(clips: readonly Clip[], options: JoinOptions = {}): Promise<JoinedClips> {
  const { signal, onProgress } = options;
  checkSize(clips.reduce((total, { blob }) => total + blob.size, 0));
  const opened: OpenClip[] = [];
  const file = collectFile();
  const format = new Mp4OutputFormat({ fastStart: false });
  const output = new Output({ format, target: new StreamTarget(file.writable, { chunked: true }) });
  try {
    for (const clip of clips) {
      signal?.throwIfAborted();
      opened.push(await openClip(clip));
    }
    const plan = await planJoin(
      opened.map(({ facts }) => facts),
      ENCODERS,
      { picture: format.getSupportedVideoCodecs(), sound: format.getSupportedAudioCodecs() },
    );
    const { picture, sound } = plan;
    const pictures = picture.way === "copy" ? copyPictures(picture.codec) : encodePictures(picture);
    const sounds =
      sound.way === "none" ? undefined : sound.way === "copy" ? copySounds(sound.codec) : encodeSounds(sound.codec);
    output.addVideoTrack(pictures.source, { rotation: picture.way === "copy" ? (opened[0]?.rotation ?? 0) : 0 });
    if (sounds) output.addAudioTrack(sounds.source);
    await output.start();
    const seconds = opened.reduce((total, { facts }) => total + facts.seconds, 0);
    let base = 0;
    for (const clip of opened) {
      const tick = (at: number) => {
        signal?.throwIfAborted();
        onProgress?.(Math.min(1, (base + at) / seconds));
      };
      await pictures.add(clip, base, tick);
      await sounds?.add(clip, base, tick);
      base += clip.facts.seconds;
    }
    await output.finalize();
    signal?.throwIfAborted();
    return { blob: file.blob("video/mp4"), seconds, notes: plan.notes };
  } catch (error) {
    if (output.state !== "finalized") await output.cancel().catch(() => undefined);
    signal?.throwIfAborted();
    if (error instanceof ClipError) throw error;
    throw new ClipError("The browser couldn’t join these videos. Try fewer videos.", {
      cause: error,
    });
  } finally {
    for (const { input } of opened) input.dispose();
  }
}

/** The packets that are read to learn how long a picture is shown, and the rate where they do not say. */
const RATE_PACKETS = 50;
const DEFAULT_RATE = 24;

interface OpenClip {
  input: Input;
  facts: ClipFacts;
  picture: InputVideoTrack;
  sound: InputAudioTrack | undefined;
  /** The time of its first picture in its own file, in seconds. */
  start: number;
  /** How long a picture is shown that has no duration in the file, in seconds. */
  defaultDuration: number;
  rotation: 0 | 90 | 180 | 270;
}

async function openClip({ name, blob }: Clip): Promise<OpenClip> {
  const input = new Input({ source: new BlobSource(blob), formats: ALL_FORMATS });
  try {
    const picture = await input.getPrimaryVideoTrack();
    if (!picture) throw new ClipError(`“${name}” has no video. Remove it, then join again.`);
    const sound = (await picture.getPrimaryPairableAudioTrack()) ?? undefined;
    const start = await picture.getFirstTimestamp();
    const last = await new EncodedPacketSink(picture).getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true });
    const defaultDuration = await averagePictureSeconds(picture);
    const seconds = (await picture.computeDuration()) - start + (last?.duration === 0 ? defaultDuration : 0);
    const facts = {
      name,
      seconds,
      picture: await pictureFacts(picture),
      sound: sound && (await soundFacts(sound, start)),
    };
    return { input, facts, picture, sound, start, defaultDuration, rotation: await picture.getRotation() };
  } catch (error) {
    input.dispose();
    if (error instanceof ClipError) throw error;
    throw new ClipError(`“${name}” can’t be read as a video. Remove it, then join again.`, { cause: error });
  }
}

/**
 * The average duration of a picture, in seconds. WebM gives its last picture none, so it is shown as long as the
 * others.
 */
async function averagePictureSeconds(picture: InputVideoTrack): Promise<number> {
  const { averagePacketRate } = await picture.computePacketStats(RATE_PACKETS);
  return averagePacketRate > 0 && Number.isFinite(averagePacketRate) ? 1 / averagePacketRate : 1 / DEFAULT_RATE;
}

async function pictureFacts(track: InputVideoTrack): Promise<ClipFacts["picture"]> {
  const config = await track.getDecoderConfig();
  const [rotation, flip, shape] = [await track.getRotation(), await track.getFlip(), await track.getPixelAspectRatio()];
  return {
    codec: (await track.getCodec()) ?? "unknown",
    setup: setupText([config, rotation, flip, shape]),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    canDecode: await track.canDecode(),
  };
}

async function soundFacts(track: InputAudioTrack, start: number): Promise<ClipFacts["sound"]> {
  return {
    codec: (await track.getCodec()) ?? "unknown",
    setup: setupText(await track.getDecoderConfig()),
    startSeconds: (await track.getFirstTimestamp()) - start,
    endSeconds: (await track.computeDuration()) - start,
    canDecode: await track.canDecode(),
  };
}

/** A decoder's setup as text, to be compared. Bytes inside, such as the parameter sets of H.264, become numbers. */
function setupText(setup: unknown): string {
  return JSON.stringify(setup, (_key, value: unknown) => {
    if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
    return ArrayBuffer.isView(value) ? [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] : value;
  });
}

const ENCODERS: Encoders = {
  picture: async (width, height) =>
    (await getFirstEncodableVideoCodec(["avc", "vp9", "av1"], { width, height })) ?? undefined,
  sound: async () =>
    (await getFirstEncodableAudioCodec(["aac", "opus"], {
      numberOfChannels: SOUND_CHANNELS,
      sampleRate: SOUND_HERTZ,
    })) ?? undefined,
};

/**
 * Adds one track of a clip that begins at `base`, in seconds of the file. `tick` throws once the person has cancelled.
 */
type AddTrack = (clip: OpenClip, base: number, tick: (atSeconds: number) => void) => Promise<void>;

function copyPictures(codec: string): { source: EncodedVideoPacketSource; add: AddTrack } {
  const source = new EncodedVideoPacketSource(codec as VideoCodec);
  return {
    source,
    async add({ picture, start, defaultDuration }, base, tick) {
      const decoderConfig = (await picture.getDecoderConfig()) ?? undefined;
      for await (const packet of new EncodedPacketSink(picture).packets()) {
        tick(packet.timestamp - start);
        const timestamp = base + packet.timestamp - start;
        const placed = packet.clone({ timestamp, duration: packet.duration || defaultDuration });
        await source.add(placed, decoderConfig && { decoderConfig });
      }
    },
  };
}

function encodePictures({ codec, width, height }: { codec: string; width: number; height: number }) {
  const source = new VideoSampleSource({
    codec: codec as VideoCodec,
    quality: new Quality("high"),
    sizeChangeBehavior: "passThrough",
    // Upright, whichever way the clip was turned.
    transform: { width, height, fit: "contain", alpha: "discard", force: true },
  });
  const add: AddTrack = async ({ picture, start, defaultDuration }, base, tick) => {
    for await (const sample of new VideoSampleSink(picture).samples()) {
      try {
        tick(sample.timestamp - start);
        sample.setTimestamp(base + Math.max(0, sample.timestamp - start));
        if (sample.duration === 0) sample.setDuration(defaultDuration);
        await source.add(sample);
      } finally {
        sample.close();
      }
    }
  };
  return { source, add };
}

function copySounds(codec: string): { source: EncodedAudioPacketSource; add: AddTrack } {
  const source = new EncodedAudioPacketSource(codec as AudioCodec);
  return {
    source,
    async add({ sound, start, facts }, base, tick) {
      if (!sound) return;
      const decoderConfig = (await sound.getDecoderConfig()) ?? undefined;
      for await (const packet of new EncodedPacketSink(sound).packets()) {
        const at = packet.timestamp - start;
        // Packets before 0 only warm up the decoder, and those after the last picture would overlap the next clip.
        if (at < 0 || at >= facts.seconds) continue;
        tick(at);
        await source.add(packet.clone({ timestamp: base + at }), decoderConfig && { decoderConfig });
      }
    },
  };
}

function encodeSounds(codec: string): { source: AudioSampleSource; add: AddTrack } {
  const source = new AudioSampleSource({ codec: codec as AudioCodec, quality: new Quality("high") });
  return {
    source,
    async add({ sound, start, facts }, base, tick) {
      const rendered = await renderSound(sound, start, facts.seconds);
      tick(facts.seconds);
      for (const sample of AudioSample.fromAudioBuffer(rendered, base)) {
        await source.add(sample);
        sample.close();
      }
    },
  };
}

/** A file that is written in pieces, at any place: the browser may put them onto its disk. */
function collectFile(): { writable: WritableStream<StreamTargetChunk>; blob: (type: string) => Blob } {
  let file = new Blob([]);
  const writable = new WritableStream<StreamTargetChunk>({
    write({ data, position }) {
      const gap = new Uint8Array(Math.max(0, position - file.size));
      file = new Blob([file.slice(0, position), gap, data, file.slice(position + data.byteLength)]);
    },
  });
  return { writable, blob: (type) => file.slice(0, file.size, type) };
}
