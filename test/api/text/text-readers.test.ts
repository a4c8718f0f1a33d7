import { describe, expect, it } from "vitest";
import { cases, isLongSuite } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { COMPLETION_FIXTURES } from "../completion-fixtures.ts";
import { MESSAGE_FIXTURES } from "../message-fixtures.ts";
import { RESPONSE_FIXTURES } from "../response-fixtures.ts";
import { answering, collect, DONE, event, outcomeOf, type TextFixture } from "./text-fixtures.ts";

const ALL = [...COMPLETION_FIXTURES, ...RESPONSE_FIXTURES, ...MESSAGE_FIXTURES];
const replay = async ({ endpoint, contentType }: TextFixture, pieces: Uint8Array[]) =>
  outcomeOf(await collect(endpoint, answering(pieces, contentType)));
const bytesOf = (text: string) => new TextEncoder().encode(text);
const byteByByte = (bytes: Uint8Array) =>
  cut(
    bytes,
    Array.from(bytes, (_, index) => index),
  );

/** Where a body is split in two: inside characters of several bytes, and at a sample of all places. */
function splitPlaces(bytes: Uint8Array): number[] {
  const step = Math.max(1, Math.ceil(bytes.length / cases(15, 150)));
  const places = Array.from(bytes, (_, place) => place).slice(1);
  return places.filter((place) => place % step === 0 || (bytes[place] ?? 0) >= 0x80);
}

function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
}

// Spec 4.2.
describe.each(ALL)("$endpoint: $name", (fixture) => {
  const bytes = bytesOf(fixture.body);

  it("gives the right text, end and usage", async () => {
    expect(await replay(fixture, [bytes])).toEqual(fixture.outcome);
  });

  it("gives the same split in two anywhere, and byte by byte", async () => {
    const whole = JSON.stringify(await replay(fixture, [bytes]));
    for (const place of splitPlaces(bytes)) {
      const split = JSON.stringify(await replay(fixture, cut(bytes, [place])));
      if (split !== whole) expect({ place, split }).toEqual({ place, split: whole });
    }
    expect(await replay(fixture, byteByByte(bytes))).toEqual(fixture.outcome);
  });

  it("gives the same in any pieces", async () => {
    const places = fc.array(fc.nat(Math.max(0, bytes.length - 1)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(await replay(fixture, cut(bytes, at))).toEqual(fixture.outcome);
      }),
      { numRuns: 10 },
    );
  });
});

describe("any bytes", () => {
  const endpoints = fc.constantFrom(...(["completions", "responses", "messages"] as const));

  it("the exchange has exactly one end or error, and never throws", async () => {
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

  it("any JSON as an event is read without throwing", async () => {
    await fc.assert(
      fc.asyncProperty(endpoints, fc.array(fc.jsonValue(), { maxLength: 5 }), async (endpoint, values) => {
        const body = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
        const events = await collect(endpoint, answering([new TextEncoder().encode(body)]));
        expect(["end", "error"]).toContain(events.at(-1)?.kind);
      }),
      { numRuns: 300 },
    );
  });

  it("a cut answer gives a beginning of its text, never as complete", async () => {
    for (const fixture of ALL.filter(({ outcome }) => outcome.how === "complete" && outcome.stopReason !== undefined)) {
      const bytes = bytesOf(fixture.body);
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

const STREAMS = ALL.filter(
  // Bodies in one piece are no stream, and the fixtures with line ends of their own are dialects already.
  ({ body }) => /^(event|data|:)/.test(body) && !/[\r\ufeff]/.test(body),
);

/** One of each endpoint. */
const FIRST_STREAMS = STREAMS.filter(
  ({ endpoint }, at) => STREAMS.findIndex((other) => other.endpoint === endpoint) === at,
);

/** The events of a stream, each with its blank line; the last may lack it. */
const eventsOf = (body: string) => body.split(/(?<=\n\n)/);
/** Something between all whole events: nothing may stand inside one that was cut off. */
const between = (body: string, more: string) => {
  const events = eventsOf(body);
  return events.map((one, index) => (index < events.length - 1 ? one + more : one)).join("");
};

/** Ways in which servers write the same stream (text-endpoints, sections 0 and 4). None changes what it says. */
const DIALECTS: Record<string, (body: string) => string> = {
  CRLF: (body) => body.replaceAll("\n", "\r\n"),
  "CR alone": (body) => body.replaceAll("\n", "\r"),
  "a byte order mark": (body) => `\ufeff${body}`,
  "no space after the colon": (body) => body.replaceAll(/^(data|event): /gm, "$1:"),
  "comments and empty lines": (body) => `\n\n: OPENROUTER PROCESSING\n\n${between(body, ": ping - 12:00\n\n\n")}`,
  "ids and times to wait": (body) => body.replaceAll(/^data:/gm, "id: 7\nretry: 100\nx-unknown: 1\ndata:"),
  "pings and events of tomorrow": (body) =>
    between(body, `event: ping\ndata: {"type":"ping"}\n\n${event({ type: "sun.rises", at: 6 }, "sun.rises")}data:\n\n`),
};

// Spec 4.2.
describe.each(Object.entries(DIALECTS))("every stream with %s", (_name, write) => {
  it("gives the same text, end and usage, at once and byte by byte", async () => {
    const inBytes = isLongSuite ? STREAMS : FIRST_STREAMS;
    for (const fixture of STREAMS) {
      const body = write(fixture.body);
      const { name } = fixture;
      expect({ name, ...(await replay(fixture, [bytesOf(body)])) }).toEqual({ name, ...fixture.outcome });
      if (!inBytes.includes(fixture)) continue;
      expect({ name, ...(await replay(fixture, byteByByte(bytesOf(body)))) }).toEqual({ name, ...fixture.outcome });
    }
  });
});

// Text-endpoints 5.3.
describe("[DONE] anywhere in a stream", () => {
  it("ends it as complete, with what came before, on every endpoint", async () => {
    for (const fixture of STREAMS) {
      const events = eventsOf(fixture.body);
      for (let place = 0; place < events.length; place += 1) {
        const before = events.slice(0, place).join("");
        const rest = events.slice(place).join("");
        const { text, how } = await replay(fixture, [bytesOf(before + DONE + rest)]);
        const alone = await replay(fixture, [bytesOf(before)]);
        expect(text).toBe(alone.text);
        expect(how).toBe(alone.how === "early" ? "complete" : alone.how);
      }
    }
  });
});
