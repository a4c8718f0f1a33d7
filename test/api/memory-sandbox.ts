import { createApi } from "#api/create-api.ts";
import { createSandbox, type Sandbox } from "#sandbox/create-sandbox.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { withKey } from "../setup/with-key.ts";

const ORIGIN = "http://sandbox.test";

/** A sandbox and the studio's client of it, joined in memory; `pass` moves its clock by seconds. */
export function openMemorySandbox(options: SandboxOptions & { key?: string } = {}) {
  const { key = "sandbox-key", ...rest } = options;
  let nowMs = Date.UTC(2026, 4, 1, 12);
  const sandbox = createSandbox({
    now: () => nowMs,
    wait: () => Promise.resolve(),
    makeMedia: () => Promise.resolve({ bytes: new Uint8Array(64).fill(65), contentType: "image/png" }),
    ...rest,
  });
  const target = withKey({
    queueBaseUrl: `${ORIGIN}/sandbox/api/v1/queue`,
    inferenceBaseUrl: `${ORIGIN}/sandbox`,
    key,
    fetch: fetchFrom(sandbox),
  });
  return {
    sandbox,
    target,
    api: createApi(target),
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

/** As a browser shows it, an answer that broke off is no answer. */
function fetchFrom(sandbox: Sandbox): typeof fetch {
  return async (input, init) => {
    const response = await sandbox.fetch(new Request(input, init));
    if (response.type === "error") throw new TypeError("Failed to fetch");
    return response;
  };
}
