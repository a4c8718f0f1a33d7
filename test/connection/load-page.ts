import { vi } from "vitest";

/** The module as a page that just loaded sees it: it restores, scrubs and listens while it loads. */
export async function loadPage() {
  vi.resetModules();
  return import("#connection/connection-store.ts");
}

export const SERVICE = {
  queueBaseUrl: "https://queue.example/api/v1/queue/",
  inferenceBaseUrl: "https://inference.example",
  key: "sk-canary-4f1d0c9b8a7e9f3c",
};
export const OTHER = { ...SERVICE, key: "sk-canary-0000000000001111" };
export const MODELS = "https://queue.example/api/v1/queue/apikey/models";

export const OWN = "safelight.connection";
export const SHARED = "safelight.connections";
export const everywhere = () =>
  JSON.stringify([{ ...sessionStorage }, { ...localStorage }]) + location.href + document.cookie;
