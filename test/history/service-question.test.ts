import { describe, expect, it } from "vitest";
import { serviceQuestion } from "#history/service-question.ts";

// (spec 4.1)
describe("what the service can answer of a search", () => {
  it.each([
    [{}, {}],
    [
      { model: "m", status: "failed" },
      { model_id: "m", status: ["failed"] },
    ],
    [{ q: "type:video status:failed" }, { model_type: ["video"], status: ["failed"] }],
    [
      { q: "after:2026-11-01", type: "image" },
      { model_type: ["image"], created_after: new Date(2026, 10, 1).getTime() / 1000 },
    ],
  ])("is all of %j", (search, params) => {
    expect(serviceQuestion(search)).toEqual({ params, isExact: true });
  });

  it.each([
    [{ q: "fox" }, {}],
    [{ q: "is:starred type:video" }, { model_type: ["video"] }],
    [{ q: "-status:failed" }, {}],
    [{ q: "status:failed", status: "success" }, { status: ["success"] }],
    [{ q: "status:dispatched" }, {}],
    [{ q: "cost>0.5 after:2026-02-31" }, {}],
  ])("is a part of %j", (search, params) => {
    expect(serviceQuestion(search)).toEqual({ params, isExact: false });
  });
});
