import { describe, expect, it } from "vitest";
import { answering, collect, outcomeOf } from "./collect-text.ts";
import { COMPLETION_FIXTURES } from "./completion-fixtures.ts";
import { MESSAGE_FIXTURES } from "./message-fixtures.ts";
import { RESPONSE_FIXTURES } from "./response-fixtures.ts";
import { DONE, event, type TextFixture } from "./text-fixtures.ts";

const STREAMS = [...COMPLETION_FIXTURES, ...RESPONSE_FIXTURES, ...MESSAGE_FIXTURES].filter(
  // Bodies in one piece are no stream, and the fixtures with line ends of their own are dialects already.
  ({ body }) => /^(event|data|:)/.test(body) && !/[\r\ufeff]/.test(body),
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

async function replay({ endpoint, contentType }: TextFixture, body: string, pieces = 1) {
  const bytes = new TextEncoder().encode(body);
  const size = pieces === 1 ? bytes.length : 1;
  const cut = Array.from({ length: Math.ceil(bytes.length / Math.max(1, size)) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return outcomeOf(await collect(endpoint, answering(cut, contentType)));
}

describe.each(Object.entries(DIALECTS))("every stream with %s (spec 4.2)", (_name, write) => {
  it("comes to the same text, end and usage, whole and byte by byte", async () => {
    for (const fixture of STREAMS) {
      const body = write(fixture.body);
      const { name } = fixture;
      expect({ name, ...(await replay(fixture, body)) }).toEqual({ name, ...fixture.outcome });
      expect({ name, ...(await replay(fixture, body, 0)) }).toEqual({ name, ...fixture.outcome });
    }
  });
});

describe("[DONE] anywhere in a stream (text-endpoints 5.3)", () => {
  it("ends it as complete, with what came before, on every endpoint", async () => {
    for (const fixture of STREAMS) {
      const events = eventsOf(fixture.body);
      for (let place = 0; place < events.length; place += 1) {
        const before = events.slice(0, place).join("");
        const rest = events.slice(place).join("");
        const { text, how } = await replay(fixture, before + DONE + rest);
        const alone = await replay(fixture, before);
        expect(text).toBe(alone.text);
        expect(how).toBe(alone.how === "early" ? "complete" : alone.how);
      }
    }
  });
});
