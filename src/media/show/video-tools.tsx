import { Camera, ChevronFirst, ChevronLast, Repeat } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "#ui/button.tsx";
import { Select } from "#ui/field.tsx";
import { toast } from "#ui/toast.tsx";
import { saveBlob } from "../download/download-media.ts";
import { FAILURE_WORDS, MediaError } from "../media-failure.ts";
import { readMedia } from "../read-media.ts";

/** A page cannot read the frame rate of a clip; most are made at 24 a second. */
const FRAME_SECONDS = 1 / 24;
const SPEEDS = [0.25, 0.5, 1, 1.5, 2];

interface VideoToolsProps {
  /** The clips that the tools act on. Several move together. */
  videos: () => HTMLVideoElement[];
  /** The clip to take a picture from; without it there is no such button. */
  grab?: { url: string; name: string } | undefined;
}

/** Frame by frame, loop, speed, and a picture of this moment. */
export function VideoTools({ videos, grab }: VideoToolsProps) {
  const [isLooping, setIsLooping] = useState(true);
  const [speed, setSpeed] = useState(1);
  const [isGrabbing, setIsGrabbing] = useState(false);
  useEffect(() => {
    // After each render: another way of comparing has other elements for the same clips.
    const longest = Math.max(...videos().map((video) => video.duration || 0));
    for (const video of videos()) {
      // Of several the longest begins again, and takes the others along.
      video.loop = isLooping && (video.duration || 0) >= longest;
      video.playbackRate = speed;
    }
  });
  async function takePicture() {
    const [first] = videos();
    if (!grab || !first || isGrabbing) return;
    setIsGrabbing(true);
    try {
      saveBlob(await grabFrame(grab.url, first.currentTime), `${grab.name}-frame.png`);
    } catch (error) {
      const body =
        error instanceof MediaError ? FAILURE_WORDS[error.failure].body : "The browser could not read this video.";
      toast({ title: "No frame saved", body, tone: "error" });
    } finally {
      setIsGrabbing(false);
    }
  }
  return (
    <span className="flex items-center gap-1">
      <IconButton label="One frame back" onClick={() => stepVideos(videos(), -1)} aria-keyshortcuts="[">
        <ChevronFirst aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="One frame on" onClick={() => stepVideos(videos(), 1)} aria-keyshortcuts="]">
        <ChevronLast aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label="Loop"
        aria-pressed={isLooping}
        className={isLooping ? "text-accent-text!" : ""}
        onClick={() => setIsLooping(!isLooping)}
      >
        <Repeat aria-hidden className="size-4" />
      </IconButton>
      <Select
        compact
        aria-label="Speed"
        value={speed}
        className="w-[76px]"
        onChange={(event) => setSpeed(Number(event.target.value))}
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </Select>
      {grab && (
        <IconButton label="Save this frame" busy={isGrabbing} onClick={() => void takePicture()}>
          {!isGrabbing && <Camera aria-hidden className="size-4" />}
        </IconButton>
      )}
    </span>
  );
}

/** Pauses clips and moves each by so many frames. Never throws. */
export function stepVideos(videos: readonly HTMLVideoElement[], frames: number): void {
  for (const video of videos) {
    video.pause();
    video.currentTime = Math.max(0, video.currentTime + frames * FRAME_SECONDS);
  }
}

/**
 * A PNG of one moment of a clip, in its full size. The clip is read anew as bytes, because a page may not draw a clip of
 * another host.
 * @throws MediaError where the storage does not let the page read it.
 */
async function grabFrame(url: string, seconds: number): Promise<Blob> {
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
