import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { TEXT_QUIRKS } from "#sandbox/quirks/text-quirks.ts";
import { ORIGIN } from "../sandbox-client.ts";
import { objects, openText, parseEvents } from "./text-client.ts";

const ASKS: [path: string, body: JsonRecord][] = [
  ["/v1/completions", { model: "quill-2", prompt: "Lamps für jeden – 灯", temperature: 0 }],
  ["/v1/responses", { model: "quill-2-ponder", input: "Lamps für jeden – 灯", temperature: 0 }],
  [
    "/v1/messages",
    {
      model: "quill-2-ponder",
      max_tokens: 900,
      temperature: 0,
      thinking: { type: "adaptive" },
      messages: [{ role: "user", content: "Lamps für jeden – 灯" }],
    },
  ],
];

async function streamed(path: string, body: JsonRecord, ...quirks: string[]): Promise<Response> {
  const { sandbox } = openText({ quirks });
  const init = {
    method: "POST",
    headers: { authorization: "Bearer sandbox-key" },
    body: JSON.stringify({ ...body, stream: true }),
  };
  return sandbox.fetch(new Request(`${ORIGIN}/sandbox${path}`, init));
}

const text = async (path: string, body: JsonRecord, ...quirks: string[]) =>
  (await streamed(path, body, ...quirks)).text();

/** Quirks that change the form of a stream and nothing that a reader by the standard sees. */
const FORMS = ["stream-comments", "stream-tight-data", "stream-split-data", "stream-crlf", "stream-split-characters"];

// Text-endpoints sections 0 and 4.
describe.each(ASKS)("quirks of streams on %s", (path, body) => {
  it.each(FORMS)("%s changes the bytes but not the events", async (name) => {
    const plain = await text(path, body);
    const changed = await text(path, body, name);
    if (name !== "stream-split-characters") expect(changed).not.toBe(plain);
    expect(parseEvents(changed)).toEqual(parseEvents(plain));
  });

  it("all forms together give the same events", async () => {
    expect(parseEvents(await text(path, body, ...FORMS))).toEqual(parseEvents(await text(path, body)));
  });

  it("json-for-stream: one JSON body that says what the whole answer says", async () => {
    const response = await streamed(path, body, "json-for-stream");
    expect(response.headers.get("content-type")).toBe("application/json");
    const whole = (await openText().post(path, body)).json;
    const one = (await response.json()) as JsonRecord;
    for (const name of ["id", "object", "type", "role", "status", "output", "content", "stop_reason", "model"]) {
      expect([name, one[name]]).toEqual([name, whole[name]]);
    }
    const choices = (answer: JsonRecord) => answer.choices as JsonRecord[] | undefined;
    expect(choices(one)?.[0]?.text).toBe(choices(whole)?.[0]?.text);
  });

  it("stream-cut: the stream ends within an event, without an error or final event", async () => {
    const cut = await text(path, body, "stream-cut");
    expect(cut.endsWith("\n\n")).toBe(false);
    expect(cut).not.toMatch(/\[DONE\]|response\.completed|message_stop/);
    const events = objects(parseEvents(cut));
    expect(events).toEqual(objects(parseEvents(await text(path, body))).slice(0, events.length));
  });

  it("stream-broken: the connection breaks within the stream", async () => {
    await expect(text(path, body, "stream-broken")).rejects.toThrow("broke");
  });

  it("stream-without-usage, -numbers and -names: leave out what readers must not need", async () => {
    const names = ["stream-without-usage", "stream-without-numbers", "stream-without-names"];
    const bare = await text(path, body, ...names);
    expect(bare).not.toMatch(/"usage":|"sequence_number":|"output_index":|^event:/m);
    expect(parseEvents(bare)).toHaveLength(parseEvents(await text(path, body)).length);
  });

  it("stream-done-everywhere and -without-done: [DONE] comes once, or never", async () => {
    expect((await text(path, body, "stream-done-everywhere")).match(/^data: \[DONE\]$/gm)).toHaveLength(1);
    expect(await text(path, body, "stream-without-done")).not.toContain("[DONE]");
  });

  it("stream-without-final-blank: the last event has no blank line", async () => {
    const open = await text(path, body, "stream-without-final-blank");
    expect(open).toBe((await text(path, body)).slice(0, -1));
  });

  it("stream-split-characters: pieces of at most seven bytes", async () => {
    const response = await streamed(path, body, "stream-split-characters");
    const sizes = new Set<number>();
    for await (const piece of response.body ?? []) sizes.add(piece.length);
    expect(Math.max(...sizes)).toBe(7);
  });

  it("cancelling stops the source, and only what was sent is billed", async () => {
    const { sandbox } = openText({ quirks: FORMS });
    const init = {
      method: "POST",
      headers: { authorization: "Bearer sandbox-key" },
      body: JSON.stringify({ ...body, stream: true }),
    };
    const response = await sandbox.fetch(new Request(`${ORIGIN}/sandbox${path}`, init));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const whole = openText();
    await whole.post(path, body);
    expect(sandbox.inspect().ledger).toHaveLength(1);
    expect(sandbox.inspect().chargedMicroUsd).toBeLessThan(whole.sandbox.inspect().chargedMicroUsd);
  });
});

describe("errors of text endpoints by quirk", () => {
  it.each([
    ["error-string", "application/json"],
    ["error-text", "text/plain; charset=utf-8"],
    ["error-html", "text/html"],
  ])("%s changes the errors of text endpoints too", async (name, type) => {
    const { headers, status } = await openText({ quirks: [name] }).post("/v1/messages", { model: "quill-2" });
    expect([status, headers.get("content-type")]).toEqual([400, type]);
  });

  it("messages-x-api-key-only refuses a bearer token on the messages endpoint alone", async () => {
    const { sandbox } = openText({ quirks: ["messages-x-api-key-only"] });
    const ask = async (path: string, headers: Record<string, string>) => {
      const body = JSON.stringify({
        model: "quill-2",
        max_tokens: 8,
        messages: [{ role: "user", content: "Hi" }],
        prompt: "Hi",
      });
      return (await sandbox.fetch(new Request(`${ORIGIN}/sandbox${path}`, { method: "POST", headers, body }))).status;
    };
    expect(await ask("/v1/messages", { authorization: "Bearer sandbox-key" })).toBe(401);
    expect(await ask("/v1/messages", { "x-api-key": "sandbox-key" })).toBe(200);
    expect(await ask("/v1/completions", { authorization: "Bearer sandbox-key" })).toBe(200);
  });

  it("have names that no other quirk has", () => {
    const names = TEXT_QUIRKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
