import { UnreadableAnswerError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import type { Job } from "#api/types.ts";
import type { MediaMaker } from "#sandbox/media/media-store.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { startSandboxServer } from "../setup/sandbox-server.ts";
import { withKey } from "../setup/with-key.ts";

export const PNG_BYTES = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

/** Whatever is asked for, a small real PNG. */
export const paintPng: MediaMaker = async () => ({ bytes: PNG_BYTES, contentType: "image/png" });

/** The sandbox with its own clock, a client of it, and a way to finish an image job. */
export function openSandboxMedia(options: SandboxOptions = {}) {
  let nowMs = Date.now();
  const server = startSandboxServer({ now: () => nowMs, makeMedia: paintPng, ...options });
  const { queueBaseUrl, inferenceBaseUrl } = server;
  const api: Api = createApi(withKey({ queueBaseUrl, inferenceBaseUrl, key: "sandbox-key" }));
  return {
    ...server,
    api,
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    /** A finished job of a model that answers at once. A record with an error proves no job: that one is asked for. */
    imageJob: (payload: Record<string, unknown> = { prompt: "A lamp" }): Promise<Job> =>
      api.submit({ model: "lumen-2", payload }).catch((error: unknown) => {
        const id = error instanceof UnreadableAnswerError ? error.unproven?.id : undefined;
        if (id === undefined) throw error;
        return api.getJob(id);
      }),
  };
}
