import { fetchMedia } from "../fetch-media.ts";

/**
 * A PNG of one moment of a clip, in its full size. The clip is read anew as bytes, because a page may not draw a clip of
 * another host.
 * @throws MediaError where the storage does not let the page read it.
 */
export async function grabFrame(url: string, seconds: number): Promise<Blob> {
  const response = await fetchMedia(url);
  const source = URL.createObjectURL(await response.blob());
  try {
    const video = document.createElement("video");
    video.muted = true;
    video.src = source;
    await once(video, "loadeddata");
    video.currentTime = Math.min(seconds, Math.max(0, video.duration - 0.001));
    await once(video, "seeked");
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no picture."))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(source);
  }
}

function once(video: HTMLVideoElement, event: "loadeddata" | "seeked"): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(new Error("The clip cannot be read.")), { once: true });
  });
}
