import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { openText, type TextClient } from "./text-client.ts";

const MANUAL = "The lamp is lit at dusk and put out at dawn. ".repeat(40);
const keep = (ttl?: string) => ({ type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) });
const system = (ttl?: string) => [{ type: "text", text: MANUAL, cache_control: keep(ttl) }];

const ask = (client: TextClient, change: JsonRecord = {}, key = "sandbox-key") =>
  client.post(
    "/v1/messages",
    { model: "quill-2", max_tokens: 1, system: system(), messages: [{ role: "user", content: "Hello" }], ...change },
    { key },
  );

const usage = async (client: TextClient, change: JsonRecord = {}, key?: string) => {
  const { json } = await ask(client, change, key);
  const counts = json.usage as Record<string, number>;
  return {
    plain: counts.input_tokens ?? 0,
    written: counts.cache_creation_input_tokens ?? 0,
    read: counts.cache_read_input_tokens ?? 0,
  };
};

// Spec 4.2.
describe("prompt caching through cache_control", () => {
  it("writes a marked prefix once, then reads it; input_tokens counts neither", async () => {
    const client = openText();
    const first = await usage(client);
    expect(first).toMatchObject({ read: 0 });
    expect(first.written).toBeGreaterThan(400);
    expect(await usage(client)).toEqual({ plain: first.plain, written: 0, read: first.written });
    expect(await usage(client, { messages: [{ role: "user", content: "Another question" }] })).toMatchObject({
      read: first.written,
    });
  });

  it("bills a write at 1.25 times the input price, a read at a tenth", async () => {
    const client = openText();
    const { plain, written } = await usage(client);
    await usage(client);
    const [write, read] = client.sandbox.inspect().ledger.map((entry) => entry.amountMicroUsd);
    // 3 micro-USD a token of input, 15 of output.
    expect(write).toBe(Math.ceil(plain * 3 + written * 3.75 + 15));
    expect(read).toBe(Math.ceil(plain * 3 + written * 0.3 + 15));
    const bare = openText();
    await usage(bare, { system: MANUAL });
    expect(bare.sandbox.inspect().chargedMicroUsd).toBe((plain + written) * 3 + 15);
  });

  it("stores a prefix for five minutes after its last use, or an hour", async () => {
    const client = openText();
    await usage(client);
    client.pass(299);
    expect((await usage(client)).read).toBeGreaterThan(0);
    client.pass(299);
    expect((await usage(client)).read).toBeGreaterThan(0);
    client.pass(301);
    expect((await usage(client)).read).toBe(0);
    await usage(client, { system: system("1h"), model: "quill-2-swift" });
    client.pass(3599);
    expect((await usage(client, { system: system("1h"), model: "quill-2-swift" })).read).toBeGreaterThan(0);
  });

  it("counts writes for an hour apart and bills them at twice the input", async () => {
    const client = openText();
    const { json } = await ask(client, { system: system("1h") });
    const counts = json.usage as { cache_creation: Record<string, number>; input_tokens: number };
    const hour = counts.cache_creation.ephemeral_1h_input_tokens ?? 0;
    expect(counts.cache_creation.ephemeral_5m_input_tokens).toBe(0);
    expect(client.sandbox.inspect().chargedMicroUsd).toBe(counts.input_tokens * 3 + hour * 6 + 15);
  });

  it("is separate for each organisation and model", async () => {
    const client = openText();
    await usage(client);
    expect((await usage(client, {}, "sandbox-key-2")).read).toBeGreaterThan(0);
    expect((await usage(client, {}, "sandbox-key-other-organisation")).read).toBe(0);
    expect((await usage(client, { model: "quill-2-swift" })).read).toBe(0);
  });

  it("reads the stored part of a growing conversation and writes the new part", async () => {
    const client = openText();
    const turn = (role: string, text: string, isLast: boolean) => ({
      role,
      content: [{ type: "text", text, ...(isLast ? { cache_control: keep() } : {}) }],
    });
    const first = await usage(client, { system: MANUAL, messages: [turn("user", "First question", true)] });
    const second = await usage(client, {
      system: MANUAL,
      messages: [
        turn("user", "First question", false),
        turn("assistant", "Yes.", false),
        turn("user", "And then", true),
      ],
    });
    expect(second.read).toBe(first.written);
    expect(second.written).toBeGreaterThan(0);
    expect(second.plain).toBe(0);
  });

  it("does not store short prefixes, and accepts at most four marks", async () => {
    const short = [{ type: "text", text: "Be brief.", cache_control: keep() }];
    expect(await usage(openText(), { system: short })).toMatchObject({ written: 0, read: 0 });
    const many = Array.from({ length: 5 }, () => short[0]);
    expect((await ask(openText(), { system: many })).status).toBe(400);
  });
});
