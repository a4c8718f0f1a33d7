import "../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { beforeEach, expect, test } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import type { Connection } from "#connection/connection-store.ts";
import { noteRequest, writeRequests } from "#connection/request-history.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import { setNameTemplate } from "#media/download/file-name.ts";
import { diagnosticsText } from "#settings/diagnostics.ts";
import fc from "../setup/fc.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

const KEY = "sk-canary-7Qx2Vd9LrT4bN8wZ";
const SECRETS = [KEY, "canaryprompt at dusk", "canaryfile.png"] as const;

const connectionWith = (secret: string): Connection => ({
  id: secret,
  name: secret,
  queueBaseUrl: `https://${encodeURIComponent(secret)}:x@q.example/${secret}/api?token=${secret}#${secret}`,
  inferenceBaseUrl: `https://t.example/${secret}`,
  keyHint: KEY.slice(-4),
  accountId: "a",
  isSandbox: false,
  custody: "host",
  keyShape: shapeOfKey(KEY),
  isShared: false,
});

/** A request and its answer with the secret in every place. */
function noteWith(secret: string): void {
  const error = new RefusedError({
    status: 403,
    message: secret,
    type: secret,
    body: { a: [secret] },
    hostReason: secret,
  });
  const request = { method: secret, body: JSON.stringify({ payload: { prompt: secret } }), sentAtMs: 1, tookMs: 1 };
  const response = { status: 403 };
  for (const answer of [error, secret, new Error(secret), Object.assign(new Error(secret), { name: secret })]) {
    for (const path of [`/apikey/requests/${secret}`, `/apikey/models/${secret}`, `/${secret}`, ""]) {
      noteRequest("a", { ...request, url: `https://q.example${path}?${secret}#${secret}`, response, answer }, secret);
    }
  }
}

beforeEach(async () => {
  await writeRequests();
  freshDatabase();
});

test("diagnostics hold no key, prompt or file name, wherever the studio has them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SECRETS), fc.constantFrom(...SECRETS), async (one, other) => {
      setNameTemplate(`${one} {index}`);
      noteWith(one);
      noteWith(other);
      const text = await diagnosticsText(connectionWith(other));
      expect(text).not.toMatch(/canary/i);
      expect(text).not.toContain(KEY.slice(-4));
      expect(JSON.parse(text)).toMatchObject({
        connection: { queue: "q.example", inference: "t.example", keyHeldBy: "the Safelight server" },
        settings: { fileNames: "own" },
      });
    }),
    { numRuns: 9 },
  );
});

test("diagnostics of a browser without a connection and without storage are still made", async () => {
  const real = globalThis.indexedDB;
  Object.assign(globalThis, { indexedDB: undefined });
  const facts = JSON.parse(await diagnosticsText(null));
  Object.assign(globalThis, { indexedDB: real });
  expect(facts).toMatchObject({ connection: null, storage: { kind: "memory" }, requests: [] });
});
