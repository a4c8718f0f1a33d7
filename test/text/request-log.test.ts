import { beforeEach, describe, expect, it } from "vitest";
import { createConversationStore } from "#text/conversations/conversation-store.ts";
import {
  loadRequestLog,
  MAX_STORED_LOGS,
  type RequestLog,
  readLog,
  recordEvent,
  saveRequestLog,
  trimLog,
} from "#text/request-log.ts";
import fc from "../setup/fc.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "../storage/fresh-database.ts";
import { someConversation } from "./conversations/some-conversation.ts";

beforeEach(freshDatabase);

function someLog(...events: string[]): RequestLog {
  const url = "https://api.test/v1/messages";
  return {
    endpoint: "messages",
    exchanges: [
      {
        sentAtMs: 0,
        request: { method: "POST", url, headers: { Authorization: "Bearer [key]" }, body: "{}" },
        response: { atMs: 3, status: 200, headers: {} },
        events: events.map((data, atMs) => ({ atMs, name: "delta", data })),
        end: { atMs: 9, text: "Complete." },
      },
    ],
  };
}

describe("a request log", () => {
  it("has the size of a picture in place of its bytes", () => {
    const log: RequestLog = { endpoint: "messages", exchanges: [] };
    const body = JSON.stringify({ data: "A".repeat(9000), text: "What is it?" });
    recordEvent(log, { kind: "request", atMs: 0, method: "POST", url: "https://api.test", headers: {}, body });
    expect(log.exchanges[0]?.request.body).toBe('{"data":"[9000 characters of Base64]","text":"What is it?"}');
  });
});

describe("stored request logs", () => {
  it("are read back unchanged, and the oldest of over forty is removed", async () => {
    for (let index = 0; index <= MAX_STORED_LOGS; index++)
      await saveRequestLog("account", "talk", `t${index}`, someLog(`${index}`));
    expect(await loadRequestLog("account", "t0")).toBeUndefined();
    expect(await loadRequestLog("account", "t1")).toEqual(someLog("1"));
    expect(await loadRequestLog("another account", "t1")).toBeUndefined();
  });

  it("are deleted with their message and their conversation", async () => {
    const conversations = createConversationStore("account");
    const conversation = someConversation("Which knot?", "A bowline.", "And now?", "A sheet bend.");
    const [column] = conversation.columns;
    const [, first, , second] = column?.thread.turns ?? [];
    if (!column || !first || !second) throw new Error("no messages");
    conversations.add(conversation);
    for (const { id } of [first, second]) await saveRequestLog("account", conversation.id, id, someLog(id));
    conversations.dispatch(conversation.id, { kind: "turn-removed", columnId: column.id, turnId: second.id });
    await until(async () => expect(await loadRequestLog("account", second.id)).toBeUndefined());
    expect(await loadRequestLog("account", first.id)).toBeDefined();
    await conversations.remove(conversation.id);
    expect(await loadRequestLog("account", first.id)).toBeUndefined();
  });

  it("stay within a size for any answer, with a count of dropped events", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(90_000), { maxLength: 8 }), (lengths) => {
        const log = someLog(...lengths.map((length) => "x".repeat(length)));
        const kept = readLog(structuredClone(trimLog(log)))?.exchanges[0];
        const lost = kept?.lostEvents ?? 0;
        expect(JSON.stringify(kept?.events).length).toBeLessThan(250_000);
        expect(kept?.events).toEqual(log.exchanges[0]?.events.slice(0, lengths.length - lost));
        expect((kept?.events.length ?? 0) + lost).toBe(lengths.length);
      }),
      { numRuns: 30 },
    );
  });
});
