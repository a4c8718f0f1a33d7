import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnreadableAnswerError } from "#api/api-error.ts";
import { readEstimate } from "#api/create-api.ts";
import { readUploadTarget } from "#api/uploads.ts";

describe("an estimate (spec 2)", () => {
  it("is a whole number of micro-USD", () => {
    expect(readEstimate({ model: "m", price: 140_000, currency: "micro_usd" }, "m")).toEqual({
      model: "m",
      priceMicroUsd: 140_000,
    });
  });

  it("may be nothing", () => {
    expect(readEstimate({ price: 0, currency: "micro_usd" }, "m")).toEqual({ model: "m", priceMicroUsd: 0 });
  });

  it.each([-1, 0.14, "140000", Number.NaN, 2 ** 53, 1e21, null, undefined])("is unknown for the price %s", (price) => {
    expect(() => readEstimate({ model: "m", price, currency: "micro_usd" }, "m")).toThrow(UnreadableAnswerError);
  });

  it.each(["usd", "eur", "MICRO_USD", undefined])("is unknown for the currency %s", (currency) => {
    expect(() => readEstimate({ model: "m", price: 1, currency }, "m")).toThrow(UnreadableAnswerError);
  });

  it("is a trustworthy price or an error, whatever comes", () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        try {
          expect(Number.isSafeInteger(readEstimate(raw, "m").priceMicroUsd)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableAnswerError);
        }
      }),
    );
  });
});

describe("the two addresses of an upload (spec 2)", () => {
  const QUEUE = "https://queue.example/api/v1/queue";

  it("are read as they are", () => {
    const raw = { upload_url: "https://storage.example/put?signature=1", public_url: "https://cdn.example/f.jpg" };
    expect(readUploadTarget(raw, QUEUE)).toEqual({
      uploadUrl: "https://storage.example/put?signature=1",
      publicUrl: "https://cdn.example/f.jpg",
    });
  });

  it("may be relative to the queue", () => {
    const raw = { upload_url: "/sandbox/uploads/1", public_url: "/sandbox/files/1" };
    expect(readUploadTarget(raw, "http://127.0.0.1:4173/sandbox/api/v1/queue").uploadUrl).toBe(
      "http://127.0.0.1:4173/sandbox/uploads/1",
    );
  });

  it.each(["http://storage.example/put", "javascript:alert(1)", "data:,x", "", null, 7])(
    "are refused as %j",
    (upload_url) => {
      const raw = { upload_url, public_url: "https://cdn.example/f" };
      expect(() => readUploadTarget(raw, QUEUE)).toThrow(UnreadableAnswerError);
    },
  );

  it("do not show the signed address in the error", () => {
    const raw = { upload_url: "https://storage.example/put?signature=secret" };
    try {
      readUploadTarget(raw, QUEUE);
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toContain("secret");
    }
  });
});
