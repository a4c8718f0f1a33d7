import { describe, expect, it } from "vitest";
import { isApiError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import { isFinal } from "#api/final-status.ts";
import { streamText } from "#api/text/text-client.ts";
import type { TextEndpoint } from "#api/text/text-types.ts";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { TEXT_QUIRKS } from "#sandbox/quirks/text-quirks.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { openMemorySandbox } from "./memory-sandbox.ts";
import { outcomeOf } from "./text-fixtures.ts";

/** The messages of the quirks that end the main story. With every other quirk it must pass. */
const ENDS_IN: Record<string, RegExp> = {
  "truncated-json": /cannot be read|Price unknown|No answer/,
  "busy-submit": /unavailable|failed during the request/,
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

const name = (entry: { name: string }) => entry.name;

describe.each(QUIRKS.map(name))("a service that answers with %s", (quirk) => {
  /** The main story: find a model, price it, run it, watch it, find it again. */
  async function story() {
    const memory = openMemorySandbox({ quirks: [quirk] });
    const { api, pass } = memory;
    const ids = await api.listModelIds();
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      const { fields } = readSchema((await api.getModel(id)).raw);
      expect([id, fields.length > 0]).toEqual([id, quirk !== "detail-without-schema"]);
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
    const refused = await api
      .submit({ model: "lumen-1", payload: { prompt: "A fox" } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "RefusedError", status: 404 });
    // A gateway's page names no reason, so it is any 404 of a submit.
    const title = quirk === "error-html" ? "The service does not know this model" : "This model is currently inactive";
    // What is not in JSON may be a gateway's word, after the job was made.
    const charged = quirk === "error-html" || quirk === "error-text" ? "unknown" : "no";
    expect(explainError(refused, "submit")).toMatchObject({ title, charged });
  });
});

describe.each(TEXT_QUIRKS.map(name))("text that comes with %s", (quirk) => {
  const BODIES: Record<TextEndpoint, object> = {
    completions: { prompt: "Write about lamps.", max_tokens: 60 },
    responses: { input: "Write about lamps." },
    messages: { max_tokens: 60, messages: [{ role: "user", content: "Write about lamps." }] },
  };

  async function answer(endpoint: TextEndpoint, quirks: string[]) {
    const { target } = openMemorySandbox({ quirks });
    const events = [];
    for await (const event of streamText(endpoint, target, { model: "quill-2", ...BODIES[endpoint] }))
      events.push(event);
    return outcomeOf(events);
  }

  it.each(["completions", "responses", "messages"] as const)(
    "is the same on %s as without the quirk",
    async (endpoint) => {
      const plain = await answer(endpoint, []);
      const odd = await answer(endpoint, [quirk]);
      expect(plain.how).toBe("complete");
      expect(plain.text.length).toBeGreaterThan(20);
      if (/stream-(cut|broken)/.test(quirk)) {
        expect(odd.how).not.toBe("complete");
        expect(plain.text.startsWith(odd.text)).toBe(true);
      } else if (quirk === "refusal-answer") {
        expect(odd).toMatchObject({ how: "complete", text: "" });
        // Messages tell it by the reason for the end, the others by a part of the answer.
        if (endpoint === "messages") expect(odd.stopReason).toBe("refusal");
        else expect(Object.values(odd.parts ?? {})).toMatchObject([{ kind: "refusal" }]);
      } else {
        expect(odd.text).toBe(plain.text);
        expect(odd.how).toBe("complete");
      }
    },
  );
});
