import "fake-indexeddb/auto";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import { fromIndexQuery } from "#results/from-index-query.ts";
import { announceChanges } from "#storage/changes.ts";
import { writeIndex } from "#storage/seen-jobs.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

const job = (requestId: string, over: Record<string, unknown> = {}) => ({
  requestId,
  status: "success",
  media: [],
  ...over,
});

beforeEach(freshDatabase);

describe("what is gathered from the index", () => {
  const client = new QueryClient();
  const ids = (accountId: string) =>
    client
      .fetchQuery(
        fromIndexQuery(accountId, "successes", {
          pick: ({ requestId, status }) => (status === "success" ? requestId : undefined),
          combine: (found) => found.join(" "),
        }),
      )
      .then(({ shown }) => shown);

  it("is picked from every chunk of one account, and nothing that is no job", async () => {
    const stored = [job("a"), job("b", { status: "failed" }), { requestId: 7 }, job("c")];
    await writeIndex(
      "one",
      new Map([
        [0, stored],
        [2, [job("d")]],
      ]),
      {},
      4,
    );
    expect(await ids("one")).toBe("a c d");
    expect(await ids("other")).toBe("");
  });

  it("is gathered anew once the index has changed, and not before", async () => {
    await writeIndex("account", new Map([[0, [job("a")]]]), {}, 1);
    expect(await ids("account")).toBe("a");
    const before = client.getQueryState(["from-index", "successes", "account"])?.dataUpdateCount;
    await ids("account");
    expect(client.getQueryState(["from-index", "successes", "account"])?.dataUpdateCount).toBe(before);
    await writeIndex("account", new Map([[0, [job("a"), job("b")]]]), {}, 2);
    announceChanges({ seen: "all" });
    expect(await ids("account")).toBe("a b");
  });
});
