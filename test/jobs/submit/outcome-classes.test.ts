import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { classifyError } from "#jobs/submit/classify-outcome.ts";

const refused = (status: number, hasEnvelope = true) => new RefusedError({ status, message: "no", hasEnvelope });

describe("what one POST came to (spec 7)", () => {
  test.each([400, 401, 402, 403, 404, 405, 413, 422])("%i is a refusal, and nothing is tried again", (status) => {
    expect(classifyError(refused(status)).kind).toBe("rejected");
  });
  test("429 is a refusal that may be tried again", () => {
    expect(classifyError(refused(429))).toMatchObject({ kind: "retry", lookFirst: false });
  });
  test.each([502, 503])("%i with the service's own error is tried again after a look", (status) => {
    expect(classifyError(refused(status))).toMatchObject({ kind: "retry", lookFirst: true });
  });
  test.each([408, 409, 421, 425, 500, 504, 302])("%i proves nothing", (status) => {
    expect(classifyError(refused(status)).kind).toBe("unconfirmed");
  });
  test.each([502, 503])("M8 %i from a gateway, as a page, proves nothing", (status) => {
    expect(classifyError(refused(status, false)).kind).toBe("unconfirmed");
  });
  test("M9 an answer that cannot be read was most likely a charge", () => {
    const error = new UnreadableAnswerError({ status: 200, excerpt: "{", reason: "cut" });
    expect(classifyError(error)).toMatchObject({ kind: "unconfirmed", surelyCharged: true });
  });
  test("no status whatever and no thrown value is taken for a refusal but those of spec 7", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.boolean(), (status, hasEnvelope) => {
        const { kind } = classifyError(refused(status, hasEnvelope));
        const isDefinite = [400, 401, 402, 403, 404, 405, 413, 415, 422].includes(status);
        expect(kind === "rejected").toBe(isDefinite);
      }),
    );
    fc.assert(fc.property(fc.anything(), (thrown) => classifyError(thrown).kind === "unconfirmed"));
    expect(classifyError(new NoAnswerError()).kind).toBe("unconfirmed");
  });
});
