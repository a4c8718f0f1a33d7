import { beforeEach, describe, expect, test, vi } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { type LedgerLine, ledgerRows } from "#runs/ledger/ledger.ts";
import { projectRows } from "#runs/ledger/projects.ts";
import { limitRows, limitsKey, projectsKey, readReservations, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { NO_LIMITS, type SpendLimits } from "#runs/rules/limits.ts";
import { openRows } from "#storage/database.ts";
import { StorageError } from "#storage/rows.ts";
import { readAll, saveOne } from "#storage/typed-rows.ts";
import { OverLimitError } from "#text/answer.ts";
import {
  findBrokenLimit,
  formatDollars,
  limitWords,
  readTextPrice,
  responseCost,
  spendingClient,
} from "#text/answer-spend.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

const ACCOUNT = "account";
beforeEach(freshDatabase);

const request: TextEvent = { kind: "request", atMs: 0, method: "POST", url: "/v1/messages", headers: {}, body: "{}" };
const usage = (inputTokens: number, outputTokens: number): TextEvent => ({
  kind: "usage",
  atMs: 2,
  usage: { inputTokens, outputTokens, raw: {} },
});
const complete: TextEvent = { kind: "end", atMs: 3, how: "complete", stopReason: "end_turn" };
const entry = { id: "quill-2", max_output_tokens: 1000, pricing: { prompt: "0.000003", completion: "0.000015" } };

interface Asked {
  body?: JsonRecord;
  projectId?: string;
  catalogue?: JsonRecord | undefined;
  /** Called with each event that was yielded. */
  onEvent?: (event: TextEvent) => void | Promise<void>;
}

/** Asks a service that answers with these events, and gives those that came. */
async function ask(events: readonly TextEvent[], asked: Asked = {}): Promise<TextEvent[]> {
  const raw = {
    async *stream() {
      yield* events;
    },
  };
  const client = spendingClient(raw, {
    accountId: ACCOUNT,
    projectId: asked.projectId,
    entryOf: async () => ("catalogue" in asked ? asked.catalogue : entry),
  });
  const came: TextEvent[] = [];
  const body = asked.body ?? { model: "quill-2", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
  for await (const event of client.stream("messages", body)) {
    came.push(event);
    await asked.onEvent?.(event);
  }
  return came;
}

const lines = async (): Promise<LedgerLine[]> => readAll(await openRows(), ledgerRows, ACCOUNT);
const held = async () => readReservations(await (await openRows()).get("settings", reservationsKey(ACCOUNT)));
const limit = (some: Partial<SpendLimits>) =>
  saveOne(limitRows, ACCOUNT, limitsKey(ACCOUNT), { ...NO_LIMITS, ...some });

describe("an answer in the ledger", () => {
  test("costs its tokens at the list price, rounded up once", async () => {
    await ask([request, usage(1_001, 333), complete]);
    expect(await lines()).toEqual([
      expect.objectContaining({
        kind: "charged",
        evidence: "counted",
        amountMicroUsd: 1_001 * 3 + 333 * 15,
        tokens: { input: 1_001, output: 333 },
        model: "quill-2",
      }),
    ]);
    await ask([request, usage(1, 0), complete], {
      catalogue: { ...entry, pricing: { prompt: "0.0000003", completion: "0" } },
    });
    expect((await lines()).map(({ amountMicroUsd }) => amountMicroUsd)).toContain(1);
    expect((await held()).map(({ amountMicroUsd }) => amountMicroUsd)).toEqual([7_998, 1]);
  });

  test("is open from before it is sent, so that a closed page leaves an honest line", async () => {
    await ask([request, usage(10, 10), complete], {
      onEvent: async (event) => {
        if (event.kind !== "request") return;
        const [line] = await lines();
        expect(line).toMatchObject({ kind: "unconfirmed", evidence: "sent", mostMicroUsd: expect.any(Number) });
        expect(line?.amountMicroUsd).toBeUndefined();
        expect(await held()).toEqual([expect.objectContaining({ isBound: true, requestId: undefined })]);
      },
    });
    expect(await lines()).toHaveLength(1);
  });

  test.each<[string, TextEvent[], Partial<LedgerLine>]>([
    [
      "a refusal",
      [request, error(new RefusedError({ status: 402, message: "no", body: { error: "no" } }))],
      { kind: "not-charged", amountMicroUsd: 0 },
    ],
    ["a lost connection", [request, error(new NoAnswerError())], { kind: "unconfirmed", evidence: "broken-off" }],
    ["a firewall's page", [request, error(new RefusedError({ status: 403, message: "" }))], { kind: "unconfirmed" }],
    ["a gateway's error", [request, error(new RefusedError({ status: 502, message: "" }))], { kind: "unconfirmed" }],
    ["a stop", [request, usage(5, 1), { ...complete, how: "stopped" }], { kind: "unconfirmed" }],
    ["a stream that broke", [request, usage(5, 1), { ...complete, how: "early" }], { kind: "unconfirmed" }],
    ["no count", [request, complete], { kind: "charged", evidence: "no-count" }],
  ])("after %s says what is known, and never a zero for the unknown", async (_, events, expected) => {
    await ask(events);
    const [line] = await lines();
    expect(line).toMatchObject(expected);
    if (expected.kind !== "not-charged") expect(line?.amountMicroUsd).toBeUndefined();
    expect(await held()).toHaveLength(expected.kind === "not-charged" ? 0 : 1);
  });

  test("of a model without a list price has its tokens and no amount", async () => {
    await ask([request, usage(7, 8), complete], { catalogue: undefined });
    expect(await lines()).toEqual([
      expect.objectContaining({ kind: "charged", evidence: "no-list-price", tokens: { input: 7, output: 8 } }),
    ]);
    expect((await lines())[0]?.amountMicroUsd).toBeUndefined();
  });

  test("is one line where it was refused for the moment and sent again, and none where it only waited", async () => {
    const retry: TextEvent = {
      kind: "retry",
      atMs: 1,
      error: new RefusedError({ status: 429, message: "" }),
      waitMs: 1,
    };
    await ask([request, retry, request, usage(1, 1), complete]);
    await ask([
      { kind: "queued", atMs: 0 },
      { ...complete, how: "stopped" },
    ]);
    expect(await lines()).toHaveLength(1);
  });

  test("that is stopped while it waits to be sent again was refused, and holds nothing", async () => {
    const busy = new RefusedError({ status: 429, message: "" });
    await ask([request, { kind: "retry", atMs: 1, error: busy, waitMs: 1 }, { ...complete, how: "stopped" }]);
    expect(await lines()).toEqual([expect.objectContaining({ kind: "not-charged", evidence: "refused" })]);
    expect(await held()).toEqual([]);
  });
});

function error(of: RefusedError | NoAnswerError): TextEvent {
  return { kind: "error", atMs: 1, error: of };
}

describe("a limit", () => {
  test("refuses an answer that could break it: nothing is sent, and the words say why", async () => {
    await limit({ perDayMicroUsd: 1_000 });
    const sent: TextEvent[] = [];
    const asking = ask([request, usage(1, 1), complete], { onEvent: (event) => void sent.push(event) });
    await expect(asking).rejects.toBeInstanceOf(OverLimitError);
    await asking.catch((thrown: OverLimitError) => {
      expect(thrown.stored.title).toBe("Not sent: over your limit per day");
      expect(thrown.stored.body).toMatch(/could cost up to \$0\.001\d+, which is \$0\.000\d+ more/);
      expect(thrown.stored.nextStep).toMatch(/^Change the limit on Spend/);
    });
    expect(sent).toEqual([]);
    expect(await lines()).toEqual([]);
    expect(await held()).toEqual([]);
  });

  test("holds the most that an answer may cost, and counts what it did cost afterwards", async () => {
    // Room for one answer at its most, not for two; for many of what they do cost.
    await limit({ perDayMicroUsd: 2_500 });
    await ask([request, usage(10, 1), complete], {
      onEvent: async (event) => {
        if (event.kind === "request") await expect(ask([request, complete])).rejects.toBeInstanceOf(OverLimitError);
      },
    });
    await ask([request, usage(10, 1), complete]);
    expect((await lines()).map(({ amountMicroUsd }) => amountMicroUsd)).toEqual([45, 45]);
  });

  test("that is reached refuses an answer of an unknown price, too", async () => {
    await limit({ perDayMicroUsd: 45 });
    await ask([request, usage(10, 1), complete], { catalogue: undefined });
    await limit({ perDayMicroUsd: 0 });
    await expect(ask([request, complete], { catalogue: undefined })).rejects.toBeInstanceOf(OverLimitError);
  });

  test("that cannot be counted refuses; without one a full disk stops no answer", async () => {
    const rows = await openRows();
    const edit = vi.spyOn(rows, "edit");
    const full = () => edit.mockRejectedValueOnce(new StorageError("full"));
    full();
    await expect(ask([request, usage(1, 1), complete])).resolves.toHaveLength(3);
    await limit({ perDayMicroUsd: 1_000_000 });
    full();
    const sent: TextEvent[] = [];
    const asking = ask([request, usage(1, 1), complete], { onEvent: (event) => void sent.push(event) });
    await expect(asking).rejects.toThrow("Not sent: couldn’t check your limits");
    expect(sent).toEqual([]);
    edit.mockRestore();
  });

  test("that nobody can read counts as one that is set", async () => {
    const rows = await openRows();
    const get = vi.spyOn(rows, "get").mockRejectedValue(new StorageError("failed"));
    const edit = vi.spyOn(rows, "edit").mockRejectedValueOnce(new StorageError("failed"));
    await expect(ask([request, usage(1, 1), complete])).rejects.toThrow("Not sent: couldn’t check your limits");
    // Where the ledger can be written, it checks them itself.
    await expect(ask([request, usage(1, 1), complete])).resolves.toHaveLength(3);
    get.mockRestore();
    edit.mockRestore();
  });

  test("whose storage never replies is given up: nothing is sent, and nothing is held when it replies after all", async () => {
    await limit({ perDayMicroUsd: 1_000_000 });
    const rows = await openRows();
    const write = rows.edit.bind(rows);
    let wake = () => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let tell = () => {};
    const isTried = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const edit = vi.spyOn(rows, "edit").mockImplementationOnce(async (...order) => {
      tell();
      await asleep;
      return write(...(order as Parameters<typeof write>)) as never;
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sent: TextEvent[] = [];
    const asking = ask([request, usage(1, 1), complete], { onEvent: (event) => void sent.push(event) });
    const refusal = expect(asking).rejects.toThrow("Not sent: couldn’t check your limits");
    await isTried;
    // Longer than anybody waits for a disk.
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await refusal;
    expect(sent).toEqual([]);
    // The disk answers after all.
    wake();
    await until(async () => expect(await lines()).toMatchObject([{ kind: "not-charged", evidence: "refused" }]));
    expect(await held()).toEqual([]);
    edit.mockRestore();
  });

  test("of a project holds for all of its time, and for no other project", async () => {
    const project = { name: "Harbour", isArchived: false, isDeleted: false, createdAtMs: 0 };
    await saveOne(projectRows, ACCOUNT, projectsKey(ACCOUNT), {
      projects: [{ ...project, id: "p", capMicroUsd: 2_000 }],
      currentId: undefined,
    });
    await ask([request, usage(100, 50), complete], { projectId: "p" });
    expect((await lines())[0]).toMatchObject({ projectId: "p", amountMicroUsd: 1_050 });
    // What was held is over by now; the ledger still knows what was spent.
    await (await openRows()).edit({ store: "settings", key: reservationsKey(ACCOUNT) }, () => ({
      changes: [{ kind: "remove", store: "settings", key: reservationsKey(ACCOUNT) }],
      result: undefined,
    }));
    await expect(ask([request, complete], { projectId: "p" })).rejects.toThrow(/project limit/);
    await ask([request, usage(1, 1), complete], { projectId: "q" });
    await ask([request, usage(1, 1), complete]);
    expect(await lines()).toHaveLength(3);
  });
});

describe("the price of an answer", () => {
  const price = readTextPrice({ pricing: [{ prompt: "0.000003", completion: "0.000015", cache_read: "0.0000003" }] });

  test("uses the prices in /v1/models, with cached input at its own rate", () => {
    const facts = { pieces: 0, inputTokens: 1000, outputTokens: 100, cachedTokens: 600 };
    expect(responseCost(facts, price)).toBeCloseTo(400 * 3e-6 + 600 * 3e-7 + 100 * 15e-6, 12);
  });

  test("is undefined when a count, a price or a used rate is missing", () => {
    expect(responseCost({ pieces: 0, inputTokens: 5 }, price)).toBeUndefined();
    expect(responseCost({ pieces: 0, inputTokens: 5, outputTokens: 5 }, undefined)).toBeUndefined();
    expect(responseCost({ pieces: 0, inputTokens: 9, outputTokens: 5, cacheWriteTokens: 3 }, price)).toBeUndefined();
    expect(readTextPrice({})).toBeUndefined();
    expect(readTextPrice({ pricing: { prompt: 3, completion: 15 } })).toBeUndefined();
  });

  test("is written with two significant digits", () => {
    expect([0, 0.14, 0.000318, 12.5].map(formatDollars)).toEqual(["$0.00", "$0.14", "$0.00032", "$12.50"]);
  });
});

test("a warning before sending names no amount where the price of one of the answers is not known", async () => {
  await limit({ perDayMicroUsd: 0 });
  const warn = async (most: readonly (number | undefined)[]) => {
    const broken = await findBrokenLimit(await openRows(), ACCOUNT, { most, projectId: undefined, nowMs: Date.now() });
    return broken && limitWords(broken).body;
  };
  expect(await warn([undefined, undefined])).toBe(
    "The price of this message is unknown, and your limit per day leaves no room for it.",
  );
  expect(await warn([5000, undefined])).toBe(await warn([undefined]));
  expect(await warn([5000, 1000])).toBe(
    "The response could cost up to $0.006, which is $0.006 more than your limit per day allows.",
  );
});
