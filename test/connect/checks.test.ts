import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import type { CheckState } from "#connect/checks.ts";
import { explainCheck } from "#connect/checks.ts";
import { markHost, resetPage } from "../setup/page-stand-in.ts";

const API = "https://api.example.com";
const QUEUE = `${API}/api/v1/queue`;

afterEach(resetPage);

/** What a check of the queue address ends with where it is answered so, in words. */
async function wordsFor(answer: () => Response | Promise<Response>, other: Partial<CheckState> = {}) {
  const api = createApi({ queueBaseUrl: QUEUE, inferenceBaseUrl: API, fetch: async () => answer() });
  const error = await api.listModelIds().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const queue = { phase: "failed", address: QUEUE, error } as const;
  const inference = { phase: "failed", address: API, error, ...other } as CheckState;
  return explainCheck("queue", queue, { queue, inference });
}

const refusal =
  (status: number, message = "Said so.", hostReason?: string) =>
  () =>
    Response.json(
      { error: { message } },
      { status, headers: hostReason === undefined ? {} : { "X-Safelight-Relay": hostReason } },
    );

describe("behind the studio's own host", () => {
  beforeEach(() => markHost("here"));

  it.each([
    ["ENOTFOUND", "This host doesn’t exist", "Check the spelling of the host name."],
    ["ECONNREFUSED", "Nothing responds at this URL", "Check the port, and that the service is running."],
    [
      "CERT_HAS_EXPIRED",
      "The connection isn’t secure",
      "Check the service’s certificate, and whether the URL needs http or https.",
    ],
    ["ETIMEDOUT", "The host isn’t responding", "Check the URL, and the network of the Safelight server."],
  ])("%s is told as what it is", async (code, title, nextStep) => {
    const message = `The Safelight server cannot reach ${API} (${code}). Nothing was sent.`;
    expect(await wordsFor(refusal(502, message, "unreachable"))).toMatchObject({ title, nextStep });
  });

  it.each([
    [refusal(502, "Said so.", "redirect"), "The URL redirects elsewhere", /^Open the URL in a browser/],
    [refusal(403, "Said so.", "private_address"), "This URL is not public", /^Check the URL/],
    [refusal(403), "Access denied", /(Check|Open|Ask|Wait|Use) /],
    [refusal(500), "Service error", /(Check|Open|Ask|Wait|Use) /],
    [() => new Response("{"), "Unreadable response", /^Check the URL/],
    [() => new Response('{"hello": 1}'), "Unreadable response", /^Check that this is the queue URL/],
    [() => new Response("<html>"), "This URL returns a web page, not a list of models", /^Copy a curl example/],
  ])("%o is %s, with the next step", async (answer, title, nextStep) => {
    expect(await wordsFor(answer)).toMatchObject({ title, nextStep: expect.stringMatching(nextStep) });
  });

  it("a setting that is the reason is named, with what to write there", async () => {
    const message = `${API} is not among the addresses in SAFELIGHT_UPSTREAMS.`;
    expect(await wordsFor(refusal(403, message, "not_allowed"))).toMatchObject({
      title: "This URL is not allowed",
      nextStep: `Check the URL, or ask your administrator to add ${API} to SAFELIGHT_UPSTREAMS and restart the Safelight server.`,
    });
  });

  it("the host of the other half is offered where that one answered", async () => {
    const other: CheckState = { phase: "ok", address: "https://text.example.com", count: 1, tookMs: 1 };
    expect(await wordsFor(refusal(404), other)).toMatchObject({
      nextStep: "Use the host of the inference URL.",
      offer: { kind: "use", host: "text.example.com", base: "https://text.example.com" },
    });
  });

  it("addresses that may be swapped are offered to be swapped", async () => {
    expect((await wordsFor(refusal(405))).offer).toEqual({ kind: "swap" });
    expect((await wordsFor(refusal(404))).offer).toBeUndefined();
  });
});

it("without a host a missing answer is told with what may cure it", async () => {
  const words = await wordsFor(() => Promise.reject(new NoAnswerError()));
  expect(words.title).toBe("No response from the service");
  expect(words.nextStep).toMatch(/may not allow requests from web pages \(CORS\)\. Run Safelight with its own server/);
});
