import { toast } from "#ui/toast.tsx";
import { saveBlob } from "../download/download-media.ts";
import { FAILURE_WORDS, MediaError } from "../media-failure.ts";
import { readMedia } from "../read-media.ts";

/** Saves one moment of a clip as `<name>-frame.png`. What went wrong is shown, not thrown. */
export async function saveFrame({ url, name }: { url: string; name: string }, seconds: number): Promise<void> {
  try {
    saveBlob(await readFrame(url, seconds), `${name}-frame.png`);
  } catch (error) {
    const body =
      error instanceof MediaError ? FAILURE_WORDS[error.failure].body : "The browser could not read this video.";
    toast({ title: "No frame saved", body, tone: "error" });
  }
}

/**
 * A PNG of one moment of a clip, in its full size. The clip is read anew as bytes, because a page may not draw a clip of
 * another host.
 * @throws MediaError where the storage does not let the page read it.
 */
async function readFrame(url: string, seconds: number): Promise<Blob> {
  const source = URL.createObjectURL(await readMedia(url));
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
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("The browser could not create an image."))),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(source);
  }
}

function once(video: HTMLVideoElement, event: "loadeddata" | "seeked"): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(new Error("The video cannot be read.")), { once: true });
  });
}
