import { base64, changeOutcomes, changeRecords } from "./json-changes.ts";
import type { Quirk } from "./quirk.ts";

/** How the files of a finished job stand in its record. */
export const OUTCOME_QUIRKS: readonly Quirk[] = [
  {
    name: "outcome-null",
    explanation: "The outcome is null instead of absent while a job has none.",
    json: changeRecords((record) => ({ outcome: null, ...record })),
  },
  {
    name: "outcome-null-for-good",
    explanation: "The outcome of a successful job is null, and stays null.",
    json: changeOutcomes(() => null),
  },
  {
    name: "outcome-without-type",
    explanation: "Files have no type: only their extension and Content-Type show it.",
    json: changeOutcomes((media) => ({ media_urls: media.map(({ type: _, ...item }) => item) })),
  },
  {
    name: "outcome-without-extension",
    explanation: "File URLs have no extension, and their type is file: only their bytes show it.",
    json: changeOutcomes((media) => ({
      media_urls: media.map((item) => ({ ...item, type: "file", url: withoutEnding(item.url) })),
    })),
  },
  {
    name: "outcome-bare-urls",
    explanation: "Files are plain URLs in media_urls.",
    json: changeOutcomes((media) => ({ media_urls: media.map((item) => item.url) })),
  },
  {
    name: "outcome-with-thumbnails",
    explanation: "Each file has a thumbnail and a preview, which are not results.",
    json: changeOutcomes((media) => ({
      media_urls: media.map((item) => ({ ...item, thumbnail_url: still(item.url), preview_url: still(item.url) })),
    })),
  },
  {
    name: "outcome-nested-files",
    explanation: "No media_urls: files are six levels deep, in camel case, with their size.",
    json: changeOutcomes((media) => ({
      result: {
        generations: media.map(({ url, type, width, height }, index) => ({
          index,
          asset: { file: { downloadUrl: url, contentType: `${String(type)}/*`, fileSize: 1024, width, height } },
        })),
      },
    })),
  },
  {
    name: "outcome-as-output",
    explanation: "No media_urls: output is the URL of the file, or a list of URLs.",
    json: changeOutcomes((media) => ({ output: media.length === 1 ? media[0]?.url : media.map(({ url }) => url) })),
  },
  {
    name: "outcome-flat",
    explanation: "No media_urls: video_url with a thumbnail that is a video itself, image_url, audio_url.",
    json: changeOutcomes(([first]) =>
      first?.type === "video"
        ? { thumbnail_image_url: first.url, video_url: first.url }
        : { [`${String(first?.type ?? "result")}_url`]: first?.url, status: "success" },
    ),
  },
  {
    name: "outcome-inline",
    explanation: "No media_urls: the files are in the response itself, as base64, in a provider’s own form.",
    json: changeOutcomes(async (media, { readFile }) => ({
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
    name: "outcome-as-data",
    explanation: "No media_urls: the files are in the response itself, as data[].b64_json.",
    json: changeOutcomes(async (media, { readFile }) => ({
      created: 1,
      data: await Promise.all(
        media.map(async (item) => {
          const file = await readFile(String(item.url));
          const b64_json = base64(new Uint8Array(await file.arrayBuffer()));
          return { b64_json, content_type: file.headers.get("content-type") };
        }),
      ),
    })),
  },
  {
    name: "outcome-several-files",
    explanation: "Each entry has two files: the result and a still image of it.",
    json: changeOutcomes((media) => ({
      media_urls: media.map(({ url, type, ...item }) => ({
        ...item,
        files: [
          { url, type },
          { url: still(url), content_type: "image/png", file_name: "still.png" },
        ],
      })),
    })),
  },
  {
    name: "outcome-without-media",
    explanation: "A successful job has only an ID and no files, as for voice cloning.",
    json: changeOutcomes(() => ({ voice_id: "voice-7f3a", status: "success" })),
  },
  {
    name: "outcome-in-result",
    explanation: "The outcome is called result.",
    json: changeRecords(({ outcome, ...record }) => (outcome === undefined ? record : { ...record, result: outcome })),
  },
];

const withoutEnding = (url: unknown) => String(url).replace(/\.\w+$/, "");

/** A thumbnail that the storage has: of a picture the picture itself. */
const still = (url: unknown) => `${String(url)}.still.png`;
