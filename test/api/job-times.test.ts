import { describe, expect, it } from "vitest";
import { readJob, readSeconds, readTimes } from "#api/jobs.ts";
import fc from "../setup/fc.ts";

/** Fri, 25 Jul 2025 18:35:14 GMT. */
const MOMENT = 1_753_468_514;

describe("a moment", () => {
  it.each([
    [MOMENT],
    [MOMENT + 0.25],
    [MOMENT * 1e3 + 123],
    [MOMENT * 1e6 + 123_456],
    [MOMENT * 1e9],
    ["1753468514"],
    [" 1753468514.75 "],
    ["1753468514123"],
    ["2025-07-25T18:35:14Z"],
    ["2025-07-25T18:35:14"],
    ["2025-07-25 18:35:14"],
    ["2025-07-25 18:35:14.123456"],
    ["2025-07-25 18:35:14.123456789+00:00"],
    ["2025-07-25T20:35:14+02:00"],
    ["2025-07-25 20:35:14 +0200"],
    ["2025-07-25T20:35:14+02"],
    ["2025-07-25 18:35:14 UTC"],
    ["2025/07/25 18:35:14"],
    ["Fri, 25 Jul 2025 18:35:14 GMT"],
    ["Fri, 25 Jul 2025 20:35:14 +0200"],
    ["25 Jul 2025 18:35:14"],
    ["Fri Jul 25 2025 18:35:14 GMT+0000 (Coordinated Universal Time)"],
    ["Fri Jul 25 18:35:14 2025"],
    [{ seconds: "1753468514", nanos: 5 }],
    [{ _seconds: MOMENT, _nanoseconds: 5 }],
    [{ $date: "2025-07-25T18:35:14.000Z" }],
  ])("written %j is the same second", (written) => {
    expect(readSeconds(written)).toBe(MOMENT);
  });

  it.each([
    0,
    -1,
    12,
    1e8,
    9_999_999_999,
    1e12 * 1e9,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    "soon",
    "7",
    "in 5 minutes",
  ])("is not read from %j", (written) => expect(readSeconds(written)).toBeUndefined());

  it.each([null, true, [], {}, "2025-13-45", "0000-00-00", "9999-12-31T00:00:00Z", "1969-12-31", "x".repeat(1e6)])(
    "is not read from other things: %#",
    (written) => expect(readSeconds(written)).toBeUndefined(),
  );

  it("is the same in every unit and form", () => {
    const moments = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 });
    fc.assert(
      fc.property(moments, fc.constantFrom(1, 1e3, 1e6), (seconds, unit) => {
        const iso = new Date(seconds * 1000).toISOString();
        const forms = [
          seconds * unit,
          String(seconds * unit),
          iso,
          iso.slice(0, 19),
          iso.slice(0, 19).replace("T", " "),
        ];
        expect(forms.map(readSeconds)).toEqual(forms.map(() => seconds));
        expect(readSeconds(new Date(seconds * 1000).toUTCString())).toBe(seconds);
      }),
    );
  });

  it("is a second between 2001 and 2100, or nothing, for any JSON", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string(), fc.double()), (value) => {
        const seconds = readSeconds(value) ?? 1.5e9;
        expect(seconds >= 1e9 && seconds < 4.11e9 && Number.isInteger(seconds)).toBe(true);
      }),
    );
  });
});

describe("the times of a record", () => {
  it.each(
    [
      "created_at createdAt CreatedAt created created-at createTime creation_time dateCreated date_created inserted_at",
      "insertedAt submitted_at submittedAt submit_time requested_at queued_at enqueuedAt created_at_ms createdAtMs",
      "created_timestamp creation_timestamp ts_created started_at startedAt timestamp created_on createdAtUtc",
    ]
      .join(" ")
      .split(" "),
  )("tell when it was made by %s", (name) => {
    for (const record of [{ [name]: MOMENT }, { timestamps: { [name]: MOMENT } }, { metadata: { [name]: MOMENT } }]) {
      expect(readTimes([record]).createdAtSeconds).toBe(MOMENT);
    }
  });

  it.each(
    "finished_at finishedAt completed_at completedAt ended_at end_time updated_at updatedAt updated last_updated modified_at".split(
      " ",
    ),
  )("tell when it ended or changed by %s", (name) => {
    expect(readTimes([{ [name]: MOMENT }])).toEqual({ createdAtSeconds: undefined, updatedAtSeconds: MOMENT });
  });

  it("prefer when it was made over when it began, and its end over its last change", () => {
    const record = { updated_at: MOMENT + 900, started_at: MOMENT + 5, completed_at: MOMENT + 60, created_at: MOMENT };
    expect(readTimes([record])).toEqual({ createdAtSeconds: MOMENT, updatedAtSeconds: MOMENT + 60 });
  });

  it("are not read from lengths, counts and times of other things", () => {
    const record = {
      duration_ms: 120_000,
      queue_time: 4.2,
      completion_time: 9000,
      expires_at: MOMENT,
      created: true,
      seed: MOMENT,
    };
    expect(readTimes([record])).toEqual({ createdAtSeconds: undefined, updatedAtSeconds: undefined });
  });

  it("pass over a nonsense time for a usable one", () => {
    const job = readJob({ request_id: "r", status: "queued", created_at: 0, createdAt: "2025-07-25 18:35:14" });
    expect(job.createdAtSeconds).toBe(MOMENT);
  });
});
