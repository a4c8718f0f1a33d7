import { describe, expect, it } from "vitest";
import { NoAnswerError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { retryDelayMs, retryRead } from "#api/retry-policy.ts";

const refused = (status: number) => new RefusedError({ status, message: "x" });

describe("reads (spec 7 rules 1 and 2)", () => {
  it.each([429, 502, 503])("are tried again after a %i, three times at most", (status) => {
    expect([0, 1, 2, 3].map((failures) => retryRead(failures, refused(status)))).toEqual([true, true, true, false]);
  });

  it("are tried again when no answer came", () => {
    expect(retryRead(0, new NoAnswerError())).toBe(true);
  });

  it.each([400, 401, 402, 403, 404, 405, 422, 500, 504])("are not tried again after a %i", (status) => {
    expect(retryRead(0, refused(status))).toBe(false);
  });

  it("are not tried again after an abort, an unreadable answer or an unusable id", () => {
    const unreadable = new UnreadableAnswerError({ status: 200, excerpt: "", reason: "x" });
    for (const error of [new DOMException("", "AbortError"), unreadable, new UnusableIdError(), new Error("bug")]) {
      expect(retryRead(0, error)).toBe(false);
    }
  });

  it("wait at least 250 ms and at most a second that doubles", () => {
    for (let failures = 0; failures < 3; failures++) {
      for (let sample = 0; sample < 200; sample++) {
        const wait = retryDelayMs(failures);
        expect(wait).toBeGreaterThanOrEqual(250);
        expect(wait).toBeLessThanOrEqual(1000 * 2 ** failures);
      }
    }
  });
});
