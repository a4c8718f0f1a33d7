import { jobStatus, mediaFileName, type SandboxJob } from "../jobs/sandbox-job.ts";
import type { MediaSpec } from "../media/make-media.ts";
import { createMediaStore, mediaSpec } from "../media/media-store.ts";
import type { EndpointGroup, SandboxContext } from "../sandbox-context.ts";
import { fileOfBytes, type StoredFile } from "./stored-file.ts";

/** Spec 8: generated media is stored for 60 days. */
const RETENTION_MS = 60 * 86_400_000;
/** Spec 8: the CDN may serve a file for up to about 5 minutes after its deletion. */
const CDN_MS = 5 * 60_000;

/** Media delivery from the service's storage. Files are made when they are first asked for. */
export function mediaEndpoints(context: SandboxContext): EndpointGroup {
  const store = createMediaStore();
  return {
    routes: [
      {
        name: "media",
        family: "storage",
        method: "GET",
        path: "/storage/media/:request_id/:file",
        async handle({ request, params }) {
          const job = context.jobs.find(params.request_id ?? "");
          const { name, isStill } = readName(params.file ?? "");
          const index = job?.files.findIndex((_, place) => isNamed(mediaFileName(job, place), name)) ?? -1;
          if (job === undefined || index < 0 || !isServed(job, index, context.clock.now())) {
            return storageError(404, "NoSuchKey", "The specified key does not exist.");
          }
          job.fetchedFiles.add(index);
          const spec = mediaSpec(job, index);
          const make = () => context.makeMedia(isStill ? stillOf(spec) : spec);
          const { bytes, contentType } = await store.take(`${job.requestId} ${index}${isStill ? " still" : ""}`, make);
          return fileResponse(request, fileOfBytes(bytes), contentType);
        },
      },
    ],
  };
}

/** A still of a file lies beside it, under its name with another ending: quirks name it as a thumbnail. */
function readName(file: string): { name: string; isStill: boolean } {
  const name = file.replace(/\.still\.png$/, "");
  return { name, isStill: name !== file };
}

/** Whether a file is asked for, with or without its ending: the rest of the name is unguessable. */
function isNamed(fileName: string, asked: string): boolean {
  return fileName === asked || fileName.replace(/\.\w+$/, "") === asked;
}

/** The file as a picture 320 pixels wide. */
function stillOf(spec: MediaSpec): MediaSpec {
  const { width, height } = spec;
  return { ...spec, kind: "image", format: "png", width: 320, height: Math.round((320 * height) / width) };
}

function isServed(job: SandboxJob, index: number, nowMs: number): boolean {
  if (jobStatus(job, nowMs) !== "success" || nowMs >= job.finishesAtMs + RETENTION_MS) return false;
  if (job.mediaDeletedAtMs === undefined) return true;
  return job.fetchedFiles.has(index) && nowMs < job.mediaDeletedAtMs + CDN_MS;
}

/** An error in the form of object storage: XML. */
export function storageError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { ...headers, "Content-Type": "application/xml; charset=UTF-8" } });
}

/** A file with its type and length; a Range gives 206 or 416 (RFC 9110 section 14). */
export function fileResponse(request: Request, file: StoredFile, contentType: string): Response {
  const headers = {
    "Content-Type": contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=300",
    "X-Content-Type-Options": "nosniff",
  };
  const range = readRange(request.headers.get("range"), file.size);
  if (range === "unsatisfiable") {
    return storageError(416, "InvalidRange", "The range is outside the file.", {
      "Content-Range": `bytes */${file.size}`,
    });
  }
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  return new Response(request.method === "HEAD" || file.size === 0 ? null : file.read(first, last), {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      "Content-Length": String(last - first + 1),
      ...(range === undefined ? {} : { "Content-Range": `bytes ${first}-${last}/${file.size}` }),
    },
  });
}

/** One range of bytes. A header that is not understood, or asks for several ranges, is ignored, as RFC 9110 allows. */
function readRange(
  header: string | null,
  length: number,
): { first: number; last: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const suffix = Math.min(Number(to), length);
    return suffix === 0 ? "unsatisfiable" : { first: length - suffix, last: length - 1 };
  }
  const first = Number(from);
  if (first >= length) return "unsatisfiable";
  if (to !== "" && Number(to) < first) return undefined;
  return { first, last: to === "" ? length - 1 : Math.min(Number(to), length - 1) };
}
