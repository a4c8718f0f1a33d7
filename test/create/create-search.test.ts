import { describe, expect, it } from "vitest";
import { readCreateSearch, readSharedPayload, writeSharedPayload } from "#create/create-search.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";

describe("settings as a link", () => {
  it("are read back key for key through the route's search", async () => {
    const payloads = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)));
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const p = await writeSharedPayload({ ...payload });
        expect(p).toMatch(/^z[\w-]*$/);
        const search = readCreateSearch({ p });
        expect(await readSharedPayload(search.p ?? "")).toEqual({ ...payload });
      }),
      { numRuns: cases(50, 2000) },
    );
  });

  it("are refused when invalid, too long, or too large when decompressed", async () => {
    expect(await readSharedPayload("zzzz")).toBeUndefined();
    expect(await readSharedPayload("!")).toBeUndefined();
    expect(await writeSharedPayload({ prompt: noise(20_000) })).toBeUndefined();
    const bomb = await writeSharedPayload({ prompt: "a".repeat(400_000) });
    expect(bomb?.length).toBeLessThan(6000);
    expect(await readSharedPayload(bomb ?? "")).toBeUndefined();
    expect(readCreateSearch({ p: "z".repeat(6001) })).toEqual({});
  });
});

/** Text that cannot be packed smaller. */
function noise(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join("");
}
