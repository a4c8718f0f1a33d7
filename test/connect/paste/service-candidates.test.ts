import { describe, expect, it } from "vitest";
import { baseOf, candidatesFrom } from "#connect/paste/service-candidates.ts";
import fc from "../../setup/fc.ts";

const API = "https://api.example.com";

describe("from one address both halves are derived, the likeliest first", () => {
  it.each<[address: string, queue: string, inference: string]>([
    [API, `${API}/api/v1/queue`, API],
    [`${API}/api/v1/queue`, `${API}/api/v1/queue`, API],
    [`${API}/api/v1/queue/apikey/requests/abc/media`, `${API}/api/v1/queue`, API],
    [`${API}/v1/chat/completions`, `${API}/api/v1/queue`, API],
    [`${API}/v1/messages`, `${API}/api/v1/queue`, API],
    [`${API}/v1`, `${API}/api/v1/queue`, API],
    [`${API}/api/v1/chat/completions`, `${API}/api/v1/queue`, `${API}/api`],
    [`${API}/sandbox/api/v1/queue/apikey/models`, `${API}/sandbox/api/v1/queue`, `${API}/sandbox`],
    [`${API}/sandbox/v1/models`, `${API}/sandbox/api/v1/queue`, `${API}/sandbox`],
    [`${API}/team-a`, `${API}/team-a/api/v1/queue`, `${API}/team-a`],
    [`${API}/api`, `${API}/api/v1/queue`, `${API}/api`],
    ["http://localhost:4310/sandbox", "http://localhost:4310/sandbox/api/v1/queue", "http://localhost:4310/sandbox"],
  ])("%s", (address, queue, inference) => {
    const found = candidatesFrom([address]);
    expect(found.queue[0]).toBe(queue);
    expect(found.inference[0]).toBe(inference);
  });
});

it("addresses of both halves keep their hosts", () => {
  const found = candidatesFrom([`${API}/api/v1/queue/apikey/models`, "https://docs.example.com/v1/chat"]);
  expect(found.queue).toEqual([`${API}/api/v1/queue`]);
  expect(found.inference).toEqual(["https://docs.example.com"]);
});

it("beside the queue a bare host of the same domain is the other half, and nothing else that is mentioned", () => {
  const both = candidatesFrom([`${API}/api/v1/queue`, "https://text.example.com"]);
  expect(both.inference.slice(0, 2)).toEqual(["https://text.example.com", API]);
  for (const mentioned of [
    "https://docs.example.com/quickstart",
    "https://elsewhere.test",
    "https://elsewhere.test/a",
  ]) {
    for (const own of [`${API}/api/v1/queue/apikey/models`, `${API}/v1/messages`]) {
      const { queue, inference } = candidatesFrom([mentioned, own]);
      expect([...queue, ...inference].filter((each) => new URL(each).origin !== API)).toEqual([]);
    }
  }
});

it("a path that names the queue in another way is tried as it stands and with the usual end", () => {
  expect(candidatesFrom([`${API}/jobs/apikey/models`]).queue).toEqual([`${API}/jobs`, `${API}/jobs/api/v1/queue`]);
});

it("no candidate is on a host that was not given", () => {
  const part = fc.constantFrom("api", "v1", "queue", "apikey", "models", "docs", "x", "chat", "requests", "..", "%2e");
  const address = fc
    .tuple(
      fc.constantFrom("https://a.example", "http://b.example:81", "nonsense", "/sandbox"),
      fc.array(part, { maxLength: 6 }),
    )
    .map(([start, parts]) => [start, ...parts].join("/"));
  fc.assert(
    fc.property(fc.array(address, { maxLength: 5 }), (addresses) => {
      const { queue, inference } = candidatesFrom(addresses);
      const hosts = new Set(addresses.filter((each) => URL.canParse(each)).map((each) => new URL(each).origin));
      expect(queue.length).toBeLessThanOrEqual(5);
      expect(inference.length).toBeLessThanOrEqual(5);
      for (const each of [...queue, ...inference]) expect([...hosts]).toContain(new URL(each).origin);
    }),
  );
});

it("what follows a base address is cut off, and anything else is left as it is", () => {
  expect(baseOf("queue", `${API}/api/v1/queue/apikey/requests`)).toBe(`${API}/api/v1/queue`);
  expect(baseOf("inference", `${API}/v1/messages`)).toBe(API);
  expect(baseOf("inference", `${API}/nowhere`)).toBe(`${API}/nowhere`);
  expect(baseOf("queue", "/sandbox/api/v1/queue")).toBe("/sandbox/api/v1/queue");
});
