import { base64, outcomes, records } from "./json-changes.ts";
import type { Quirk } from "./quirk.ts";

/** How the files of a finished job stand in its record. */
export const OUTCOME_QUIRKS: readonly Quirk[] = [
  {
    name: "outcome-null",
    explanation: "The outcome is null instead of absent while a job has none.",
    json: records((record) => ({ outcome: null, ...record })),
  },
  {
    name: "outcome-null-for-good",
    explanation: "The outcome of a job that has succeeded is null, and stays so.",
    json: outcomes(() => null),
  },
  {
    name: "outcome-without-type",
    explanation: "Files come without a type: only the ending of their name and their Content-Type tell.",
    json: outcomes((media) => ({ media_urls: media.map(({ type: _, ...item }) => item) })),
  },
  {
    name: "outcome-bare-urls",
    explanation: "Files come as plain addresses in media_urls.",
    json: outcomes((media) => ({ media_urls: media.map((item) => item.url) })),
  },
  {
    name: "outcome-flat",
    explanation: "No media_urls: video_url with a thumbnail that is a video itself, image_url, audio_url.",
    json: outcomes(([first]) =>
      first?.type === "video"
        ? { thumbnail_image_url: first.url, video_url: first.url }
        : { [`${String(first?.type)}_url`]: first?.url, status: "success" },
    ),
  },
  {
    name: "outcome-inline",
    explanation: "No media_urls: the files stand in the answer itself, as base64, in a provider's own shape.",
    json: outcomes(async (media, { readFile }) => ({
      candidates: await Promise.all(
        media.map(async (item) => {
          const file = await readFile(String(item.url));
          const data = base64(new Uint8Array(await file.arrayBuffer()));
          return { content: { parts: [{ inlineData: { mimeType: file.headers.get("content-type"), data } }] } };
        }),
      ),
    })),
  },
  {
    name: "outcome-without-media",
    explanation: "A success with nothing to show but an id, as cloning a voice gives.",
    json: outcomes(() => ({ voice_id: "voice-7f3a", status: "success" })),
  },
];
