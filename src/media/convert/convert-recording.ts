import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  Conversion,
  type ConversionOptions,
  canEncodeAudio,
  canEncodeVideo,
  Input,
  Mp4OutputFormat,
  Output,
  WavOutputFormat,
} from "mediabunny";
import { convertedName, UnusableFileError } from "../file-kind.ts";

export interface ConvertOptions {
  signal?: AbortSignal | undefined;
  /** How much of a clip or a sound is converted, from 0 to 1. */
  onProgress?: ((done: number) => void) | undefined;
}

/**
 * A clip as mp4 or a sound as wav, through the browser's own codecs. A clip becomes H.264 with AAC where the browser
 * can write them; else its streams are put into the mp4 as they are.
 * @throws UnusableFileError where the browser has no codec for it, or the signal's reason.
 */
export async function convertRecording(
  file: File,
  extension: "mp4" | "wav",
  { signal, onProgress }: ConvertOptions,
): Promise<File> {
  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const format = extension === "mp4" ? new Mp4OutputFormat({ fastStart: "in-memory" }) : new WavOutputFormat();
  const output = new Output({ format, target });
  const conversionError = new UnusableFileError(
    `This browser can’t convert “${file.name}” to ${extension}. Convert it with another program first.`,
  );
  try {
    const tracks = extension === "mp4" ? await clipOptions() : SOUND;
    const conversion = await Conversion.init({ input, output, showWarnings: false, ...tracks });
    if (!conversion.isValid || conversion.utilizedTracks.length === 0) throw conversionError;
    if (onProgress) conversion.onProgress = onProgress;
    const stop = () => void conversion.cancel();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      signal?.throwIfAborted();
      await conversion.execute();
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  } catch {
    signal?.throwIfAborted();
    throw conversionError;
  } finally {
    input.dispose();
  }
  if (!target.buffer) throw conversionError;
  return new File([target.buffer], convertedName(file.name, extension), {
    type: extension === "mp4" ? "video/mp4" : "audio/wav",
  });
}

const SOUND: Partial<ConversionOptions> = { video: { discard: true }, audio: { codec: "pcm-s16" } };

async function clipOptions(): Promise<Partial<ConversionOptions>> {
  const [avc, aac] = await Promise.all([canEncodeVideo("avc"), canEncodeAudio("aac")]);
  return {
    tracks: "primary",
    ...(avc ? { video: { codec: "avc" as const } } : {}),
    ...(aac ? { audio: { codec: "aac" as const } } : {}),
  };
}
