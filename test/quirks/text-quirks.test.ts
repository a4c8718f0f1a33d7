import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streamText } from "#api/text/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import { sandboxMiddleware } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { type RunningServer, startServer } from "#host/start-server.ts";
import { TEXT_QUIRKS } from "#sandbox/quirks/text-quirks.ts";
import { outcomeOf } from "../api/text/text-fixtures.ts";
import { isLongSuite } from "../setup/cases.ts";
import { withKey } from "../setup/with-key.ts";

// All of them in process: `api/quirks.test.ts`. Here those whose bytes a real connection may change.
const OVER_HTTP = [
  "stream-cut",
  "stream-broken",
  "stream-split-characters",
  "json-for-stream",
  "refusal-answer",
  "tool-call-answer",
];

/** Quirks that cut the answer. With every other quirk, also a new one, the text must be complete. */
const REFUSED = "refusal-answer";
const CUT: Record<string, string> = {
  [REFUSED]: "%s: there is no text, and the refusal is told",
  "stream-cut": "%s: the text so far is returned, and the end is reported as early",
  "stream-broken": "%s: the text so far is returned, and the end is early or an error",
};

const BODIES: Record<TextEndpoint, object> = {
  completions: { prompt: "Write about lamps.", max_tokens: 60, seed: 3, temperature: 0 },
  responses: { input: "Write about lamps.", temperature: 0 },
  messages: { max_tokens: 60, temperature: 0, messages: [{ role: "user", content: "Write about lamps." }] },
};
const CALL = { kind: "tool-call", name: "get_weather" };
const ENDPOINTS: TextEndpoint[] = ["completions", "responses", "messages"];

let server: RunningServer;
beforeAll(async () => {
  const settings = readHostSettings({ SAFELIGHT_SANDBOX_SEED: "1" });
  server = await startServer(sandboxMiddleware(settings), { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

const plainAnswers = new Map<TextEndpoint, ReturnType<typeof ask>>();

/** What an endpoint answers without a quirk. It is always the same, so it is requested once. */
function askPlainly(endpoint: TextEndpoint) {
  const whole = plainAnswers.get(endpoint) ?? ask(endpoint, []);
  plainAnswers.set(endpoint, whole);
  return whole;
}

async function ask(endpoint: TextEndpoint, quirks: readonly string[]) {
  // A broken connection takes along what the reader has not read yet: it gets the time to read something.
  const tokensPerSecond = quirks.includes("stream-broken") ? 30 : 2000;
  await fetch(`${server.url}/sandbox/settings`, { method: "PUT", body: JSON.stringify({ quirks, tokensPerSecond }) });
  const target = withKey({
    queueBaseUrl: `${server.url}/sandbox/api/v1/queue`,
    inferenceBaseUrl: `${server.url}/sandbox`,
    key: "sandbox-key",
  });
  const events: TextEvent[] = [];
  for await (const event of streamText(endpoint, target, { model: "quill-2-swift", ...BODIES[endpoint] }))
    events.push(event);
  return { ...outcomeOf(events), last: events.at(-1) };
}

describe.each(isLongSuite ? TEXT_QUIRKS.map(({ name }) => name) : OVER_HTTP)("%s, over real HTTP", (quirk) => {
  it.each(ENDPOINTS)(CUT[quirk] ?? "%s: the text is complete", async (endpoint) => {
    const whole = await askPlainly(endpoint);
    expect(whole).toMatchObject({ how: "complete" });
    const odd = await ask(endpoint, [quirk]);
    if (quirk === REFUSED) {
      // The model's own refusal has no text: what it said is a part of its own.
      expect(odd).toMatchObject({ how: "complete", text: "" });
      if (endpoint === "messages") expect(odd.stopReason).toBe("refusal");
      else expect(odd.parts?.refusal).toEqual({ kind: "refusal", text: "I can\u2019t help with that." });
      return;
    }
    if (CUT[quirk] === undefined) {
      expect(odd).toMatchObject({ how: "complete", text: whole.text });
      if (quirk === "tool-call-answer") expect(Object.values(odd.parts ?? {})).toMatchObject([CALL]);
      return;
    }
    expect(odd.how).toMatch(/^(early|error)$/);
    expect(odd.text.length).toBeGreaterThan(0);
    expect(odd.text.length).toBeLessThan(whole.text.length);
    expect(whole.text.startsWith(odd.text)).toBe(true);
    // The last event always says how the stream ended: no reader waits for more.
    expect(odd.last?.kind).toMatch(/^(end|error)$/);
  });
});

const WEATHER = { city: "Oslo", days: 2 };
/** What each quirk adds, in a stream and in one piece. */
const ADDED: [quirk: string, endpoint: TextEndpoint, part: object][] = [
  ...ENDPOINTS.map((endpoint) => ["tool-call-answer", endpoint, CALL] as [string, TextEndpoint, object]),
  ...ENDPOINTS.map(
    (endpoint) =>
      ["citations-in-answer", endpoint, { kind: "citation", url: "https://tide.example/neap" }] as [
        string,
        TextEndpoint,
        object,
      ],
  ),
  ["unknown-blocks", "messages", { kind: "other", type: "tidal_chart" }],
  ["unknown-blocks", "responses", { kind: "other", type: "tidal_chart" }],
  ["unknown-blocks", "completions", { kind: "other", type: "audio" }],
];

describe.each(ADDED)("%s on %s", (quirk, endpoint, part) => {
  it
    .runIf(isLongSuite)
    .each([
      [],
      ["json-for-stream"],
      ["stream-without-numbers", "stream-without-names", "stream-crlf", "stream-split-characters"],
    ])("is read as the part that it is, once, with %j %j %j", async (...others) => {
    const { parts = {}, how } = await ask(endpoint, [quirk, ...others]);
    expect(how).toBe("complete");
    const found = Object.values(parts);
    expect(found).toMatchObject([part]);
    const [first] = found;
    if (first?.kind === "tool-call") expect(JSON.parse(first.input)).toEqual(WEATHER);
  });
});

describe("what a text endpoint refuses by a quirk", () => {
  it.each([
    ["max-tokens-required", "completions", { prompt: "Hi" }, 400],
    ["input-string-only", "responses", { input: [{ role: "user", content: "Hi" }] }, 422],
    ["moderation-refusal", "messages", { max_tokens: 5, messages: [{ role: "user", content: "forbidden" }] }, 400],
  ] as const)("%s: nothing is charged, and a request without it is answered", async (quirk, endpoint, body, status) => {
    await fetch(`${server.url}/sandbox/settings`, { method: "PUT", body: JSON.stringify({ quirks: [quirk] }) });
    const response = await fetch(`${server.url}/sandbox/v1/${endpoint}`, {
      method: "POST",
      headers: { authorization: "Bearer sandbox-key" },
      body: JSON.stringify({ model: "quill-2-swift", ...body }),
    });
    expect(response.status).toBe(status);
    expect(await ask(endpoint, [quirk])).toMatchObject({ how: "complete" });
  });
});
