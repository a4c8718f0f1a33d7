import { toast } from "#ui/toast-store.ts";
import { ClipError } from "../clips/clip-error.ts";
import { readFrame } from "../clips/read-frame.ts";
import { saveBlob } from "../download/download-media.ts";
import { FAILURE_WORDS, MediaError } from "../media-failure.ts";

/** Saves one moment of a clip as `<name>-frame.png`. What went wrong is shown, not thrown. */
export async function saveFrame({ url, name }: { url: string; name: string }, seconds: number): Promise<void> {
  try {
    saveBlob(await readFrame(url, seconds), `${name}-frame.png`);
  } catch (error) {
    toast({ title: "Frame not saved", body: frameProblem(error), tone: "error" });
  }
}

function frameProblem(error: unknown): string {
  if (error instanceof ClipError) return error.message;
  return error instanceof MediaError ? FAILURE_WORDS[error.failure].body : "The browser couldn’t read this video.";
}
