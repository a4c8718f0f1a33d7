import { beforeAll, describe, expect, it } from "vitest";
import { isApiError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { explainError } from "#api/explain-error.ts";
import { isFinal } from "#api/jobs.ts";
import { streamText } from "#api/text/text-client.ts";
import type { TextEndpoint } from "#api/text/text-types.ts";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { TEXT_QUIRKS } from "#sandbox/quirks/text-quirks.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { openMemorySandbox } from "./memory-sandbox.ts";
import { outcomeOf } from "./text/text-fixtures.ts";

/** The messages of the quirks that end the main story. With every other quirk it must pass. */
const ENDS_IN: Record<string, RegExp> = {
  "truncated-json": /Unreadable response|Price unknown|No answer/,
  "busy-submit": /unavailable|error during the request/,
  "reply-lost": /No response/,
};

/** A success that has nothing to show. */
const WITHOUT_FILES = ["outcome-without-media", "outcome-null-for-good"];

/** What is said of the clip, where it is not said to be one. This sandbox makes pictures of everything. */
const KINDS: Record<string, string> = {
  "outcome-inline": "image",
  "outcome-as-data": "image",
  "outcome-without-extension": "other",
};

/** What each model's form has, and its price in words. */
async function formsOf(api: Api) {
  const forms = new Map<string, { keys: string[]; priceText: string | undefined }>();
  for (const id of await api.listModelIds()) {
    const { raw, priceText } = await api.getModel(id);
    forms.set(id, { keys: readSchema(raw).fields.map(({ key }) => key), priceText });
  }
  return forms;
}

/** Without a quirk. */
let plain: Awaited<ReturnType<typeof formsOf>>;
beforeAll(async () => {
  plain = await formsOf(openMemorySandbox().api);
});

const name = (entry: { name: string }) => entry.name;

describe.each(QUIRKS.map(name))("a service that answers with %s", (quirk) => {
  /** The main story: find a model, price it, run it, watch it, find it again. */
  async function story() {
    const memory = openMemorySandbox({ quirks: [quirk] });
    const { api, pass } = memory;
    const ids = await api.listModelIds();
    expect(new Set(ids).size).toBe(ids.length);
    for (const [id, { keys, priceText }] of await formsOf(api)) {
      expect(priceText, id).toMatch(/^\$\d/);
      // A quirk may call a model otherwise.
      expect(keys, id).toEqual(
        quirk === "detail-without-schema" ? [] : (plain.get(id)?.keys ?? plain.get("lumen-2")?.keys),
      );
    }
    const request = { model: "halide-video", payload: { prompt: "A fox" } };
    const { priceMicroUsd } = await api.estimate(request);
    expect(priceMicroUsd).toBeGreaterThan(0);
    const submitted = await api.submit(request);
    expect(submitted.requestId).not.toBe("");
    expect(isFinal((await api.getJob(submitted.requestId)).status)).toBe(false);
    pass(400);
    const done = await api.getJob(submitted.requestId);
    expect(done.status).toBe("success");
    if (WITHOUT_FILES.includes(quirk)) expect(done.media).toEqual([]);
    else expect(done.media[0]?.kind).toBe(KINDS[quirk] ?? "video");
    if (quirk === "untimed-records") expect(done.createdAtSeconds).toBeUndefined();
    else expect(done.createdAtSeconds).toSatisfy((seconds) => seconds > 1_700_000_000 && seconds < 2_000_000_000);
    const { jobs } = await api.listJobs({ limit: 10 });
    expect(jobs.map(({ requestId }) => requestId)).toEqual([submitted.requestId]);
    // A lean list tells no more than ids and statuses.
    const createdAtSeconds = quirk === "lean-list" ? undefined : done.createdAtSeconds;
    expect(jobs).toMatchObject([{ status: "success", createdAtSeconds }]);
    await api.deleteMedia(submitted.requestId);
  }

  it(ENDS_IN[quirk] ? "ends the main story in a clear message" : "passes the main story", async () => {
    const ending = await story().catch((thrown: unknown) => thrown);
    const expected = ENDS_IN[quirk];
    if (expected === undefined) expect(ending).toBeUndefined();
    else {
      expect(isApiError(ending)).toBe(true);
      expect(explainError(ending, "submit").title).toMatch(expected);
    }
  });

  it("gives a failure's reason and a refusal's status", async () => {
    if (ENDS_IN[quirk]) return;
    const { api, pass } = openMemorySandbox({ quirks: [quirk] });
    const { requestId } = await api.submit({ model: "halide-video", payload: { prompt: "fail:moderation" } });
    pass(400);
    expect(await api.getJob(requestId)).toMatchObject({
      status: "failed",
      failureReason: "The safety filter stopped this generation.",
    });
    const { jobs } = await api.listJobs({ limit: 10 });
    expect(jobs.map(({ status }) => status)).toEqual(["failed"]);
    const refused = await api
      .submit({ model: "lumen-1", payload: { prompt: "A fox" } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "RefusedError", status: 404 });
    // A gateway's page names no reason, so it is any 404 of a submit.
    const title = quirk === "error-html" ? "Model not found" : "This model is currently inactive";
    // What is not in JSON may be a gateway's word, after the job was made.
    const charged = quirk === "error-html" || quirk === "error-text" ? "unknown" : "no";
    expect(explainError(refused, "submit")).toMatchObject({ title, charged });
  });
});

const ENDPOINTS = ["completions", "responses", "messages"] as const;
const BODIES: Record<TextEndpoint, object> = {
  completions: { prompt: "Write about lamps.", max_tokens: 60 },
  responses: { input: "Write about lamps." },
  messages: { max_tokens: 60, messages: [{ role: "user", content: "Write about lamps." }] },
};

async function answer(endpoint: TextEndpoint, quirks: string[]) {
  const { target } = openMemorySandbox({ quirks });
  const events = [];
  for await (const event of streamText(endpoint, target, { model: "quill-2", ...BODIES[endpoint] })) events.push(event);
  return { ...outcomeOf(events), last: events.at(-1)?.kind };
}

describe.each(TEXT_QUIRKS.map(name))("text that comes with %s", (quirk) => {
  it.each(ENDPOINTS)("is the same on %s as without the quirk", async (endpoint) => {
    const plain = await answer(endpoint, []);
    const odd = await answer(endpoint, [quirk]);
    expect(plain.how).toBe("complete");
    expect(plain.text.length).toBeGreaterThan(20);
    // The last event always says how the stream ended: no reader waits for more.
    expect(odd.last).toMatch(/^(end|error)$/);
    if (/stream-(cut|broken)/.test(quirk)) {
      expect(odd.how).toMatch(/^(early|error)$/);
      expect(odd.text.length).toBeLessThan(plain.text.length);
      expect(plain.text.startsWith(odd.text)).toBe(true);
    } else if (quirk === "refusal-answer") {
      expect(odd).toMatchObject({ how: "complete", text: "" });
      // Messages tell it by the reason for the end, the others by a part of the answer.
      if (endpoint === "messages") expect(odd.stopReason).toBe("refusal");
      else expect(odd.parts?.refusal).toEqual({ kind: "refusal", text: "I can\u2019t help with that." });
    } else {
      expect(odd.text).toBe(plain.text);
      expect(odd.how).toBe("complete");
    }
  });
});

const CALL = { kind: "tool-call", name: "get_weather" };
const CITATION = { kind: "citation", url: "https://tide.example/neap" };
/** What each quirk adds, in a stream and in one piece. */
const ADDED: [quirk: string, endpoint: TextEndpoint, part: object][] = [
  ...ENDPOINTS.map((endpoint): [string, TextEndpoint, object] => ["tool-call-answer", endpoint, CALL]),
  ...ENDPOINTS.map((endpoint): [string, TextEndpoint, object] => ["citations-in-answer", endpoint, CITATION]),
  ["unknown-blocks", "messages", { kind: "other", type: "tidal_chart" }],
  ["unknown-blocks", "responses", { kind: "other", type: "tidal_chart" }],
  ["unknown-blocks", "completions", { kind: "other", type: "audio" }],
];

describe.each(ADDED)("%s on %s", (quirk, endpoint, part) => {
  it.each([
    [],
    ["json-for-stream"],
    ["stream-without-numbers", "stream-without-names", "stream-crlf", "stream-split-characters"],
  ])("is read as the part that it is, once, with %j %j %j", async (...others) => {
    const { parts = {}, how } = await answer(endpoint, [quirk, ...others]);
    expect(how).toBe("complete");
    const found = Object.values(parts);
    expect(found).toMatchObject([part]);
    const [first] = found;
    if (first?.kind === "tool-call") expect(JSON.parse(first.input)).toEqual({ city: "Oslo", days: 2 });
  });
});
