import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answering, collect, outcomeOf } from "./collect-text.ts";
import { COMPLETION_FIXTURES } from "./completion-fixtures.ts";
import { MESSAGE_FIXTURES } from "./message-fixtures.ts";
import { RESPONSE_FIXTURES } from "./response-fixtures.ts";
import type { TextFixture } from "./text-fixtures.ts";

const ALL = [...COMPLETION_FIXTURES, ...RESPONSE_FIXTURES, ...MESSAGE_FIXTURES];
const replay = async ({ endpoint, contentType }: TextFixture, pieces: Uint8Array[]) =>
  outcomeOf(await collect(endpoint, answering(pieces, contentType)));

function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
}

describe.each(ALL)("$endpoint: $name (spec 4.2)", (fixture) => {
  const bytes = new TextEncoder().encode(fixture.body);

  it("comes to the right text, end and usage", async () => {
    expect(await replay(fixture, [bytes])).toEqual(fixture.outcome);
  });

  it("comes to the same at every split in two, and byte by byte", async () => {
    const whole = JSON.stringify(await replay(fixture, [bytes]));
    for (let place = 1; place < bytes.length; place++) {
      const split = JSON.stringify(await replay(fixture, cut(bytes, [place])));
      if (split !== whole) expect({ place, split }).toEqual({ place, split: whole });
    }
    const every = Array.from(bytes, (_, index) => index);
    expect(await replay(fixture, cut(bytes, every))).toEqual(fixture.outcome);
  });

  it("comes to the same in any pieces", async () => {
    const places = fc.array(fc.nat(Math.max(0, bytes.length - 1)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(await replay(fixture, cut(bytes, at))).toEqual(fixture.outcome);
      }),
      { numRuns: 20 },
    );
  });
});

describe("whatever bytes come", () => {
  const endpoints = fc.constantFrom(...(["completions", "responses", "messages"] as const));

  it("the exchange ends with exactly one end or error, and never throws", async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(endpoints, pieces, async (endpoint, chunks) => {
        const events = await collect(endpoint, answering(chunks));
        expect(events.filter(({ kind }) => kind === "end" || kind === "error")).toHaveLength(1);
        expect(["end", "error"]).toContain(events.at(-1)?.kind);
      }),
      { numRuns: 300 },
    );
  });

  it("any JSON as an event is survived", async () => {
    await fc.assert(
      fc.asyncProperty(endpoints, fc.array(fc.jsonValue(), { maxLength: 5 }), async (endpoint, values) => {
        const body = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
        const events = await collect(endpoint, answering([new TextEncoder().encode(body)]));
        expect(["end", "error"]).toContain(events.at(-1)?.kind);
      }),
      { numRuns: 300 },
    );
  });

  it("a real answer cut anywhere keeps a beginning of its text and is never called complete too soon", async () => {
    for (const fixture of ALL.filter(({ outcome }) => outcome.how === "complete" && outcome.stopReason !== undefined)) {
      const bytes = new TextEncoder().encode(fixture.body);
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length), async (length) => {
          const { text, how } = await replay(fixture, [bytes.subarray(0, length)]);
          expect(fixture.outcome.text.startsWith(text)).toBe(true);
          if (how === "complete") expect(text).toBe(fixture.outcome.text);
        }),
        { numRuns: 15 },
      );
    }
  });
});
