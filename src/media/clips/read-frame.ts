import { readMedia } from "../fetch-media.ts";
import { ClipError } from "./clip-error.ts";
import { canvasToPng } from "./frame-png.ts";

interface FrameOptions {
  signal?: AbortSignal | undefined;
  /** Called whenever the transfer begins or stops waiting for a free connection. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
}

/**
 * A PNG of one moment of a clip, in its full size. The clip is read anew as bytes, because a page may not draw a clip
 * of another host.
 * @throws MediaError where the storage does not let the page read it, a ClipError, or the signal's reason.
 */
export async function readFrame(url: string, seconds: number, options: FrameOptions = {}): Promise<Blob> {
  return playedFrame(await readMedia(url, options), seconds);
}

/**
 * A PNG of the very last frame of a clip, in its full size: the one with the latest time among its packets. Where the
 * browser gives no decoder to pages, its player shows the moment before the end instead.
 * @throws MediaError where the storage does not let the page read it, a ClipError, or the signal's reason.
 */
export async function readLastFrame(url: string, options: FrameOptions = {}): Promise<Blob> {
  const clip = await readMedia(url, options);
  const { decodeLastFrame } = await import("./decode-frame.ts");
  const decoded = await decodeLastFrame(clip).catch(() => undefined);
  options.signal?.throwIfAborted();
  return decoded ?? playedFrame(clip, Number.POSITIVE_INFINITY);
}

/** One moment of a clip as the browser's player shows it. Rejects with a `ClipError`. */
async function playedFrame(clip: Blob, seconds: number): Promise<Blob> {
  const source = URL.createObjectURL(clip);
  try {
    const video = document.createElement("video");
    video.muted = true;
    video.src = source;
    await once(video, "loadeddata");
    // At the end itself some players show nothing.
    video.currentTime = Math.min(seconds, Math.max(0, video.duration - 0.001));
    await once(video, "seeked");
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return await canvasToPng(canvas);
  } finally {
    URL.revokeObjectURL(source);
  }
}

function once(video: HTMLVideoElement, event: "loadeddata" | "seeked"): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    const failed = new ClipError("The browser couldn’t read this video.");
    video.addEventListener("error", () => reject(failed), { once: true });
  });
}
