import { describe, expect, it } from "vitest";
import { createUploadPace, timeLeftText } from "#media/upload/upload-pace.ts";
import fc from "../../setup/fc.ts";

const TOTAL = 38_000_000;

describe("the time that an upload still takes", () => {
  it("counts down evenly while the pace is even", () => {
    const pace = createUploadPace();
    const shown: (number | undefined)[] = [];
    for (let second = 0; second <= 38; second += 1) {
      pace.note(second * 1_000_000, second * 1000);
      shown.push(pace.secondsLeft(TOTAL, second * 1000));
    }
    expect(shown.slice(0, 2)).toEqual([undefined, undefined]);
    expect(shown.slice(2, 38)).toEqual(Array.from({ length: 36 }, (_, index) => 36 - index));
  });

  it("does not jump where one moment is slow or fast", () => {
    const pace = createUploadPace();
    let last: number | undefined;
    for (let second = 0; second < 60; second += 1) {
      const wobble = second % 2 === 0 ? 300_000 : -300_000;
      pace.note(second * 500_000 + wobble + 300_000, second * 1000);
      const left = pace.secondsLeft(TOTAL, second * 1000);
      if (last !== undefined && left !== undefined) expect(Math.abs(left - last)).toBeLessThanOrEqual(8);
      last = left;
    }
  });

  it("is a whole number of at least one, or nothing, whatever is noted", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(TOTAL), fc.integer({ min: -5000, max: 20_000 })), { maxLength: 60 }),
        (notes) => {
          const pace = createUploadPace();
          let nowMs = 1_000_000;
          for (const [sent, passedMs] of notes) {
            nowMs += passedMs;
            pace.note(sent, nowMs);
            const left = pace.secondsLeft(TOTAL, nowMs);
            expect(left === undefined || (Number.isInteger(left) && left >= 1)).toBe(true);
          }
        },
      ),
    );
  });

  it("is said in steps that rest", () => {
    expect([3, 14, 21, 24, 88, 89, 90, 200].map(timeLeftText)).toEqual([
      ...["3 s left", "14 s left", "25 s left", "25 s left", "90 s left", "90 s left"],
      ...["2 min left", "3 min left"],
    ]);
  });
});
