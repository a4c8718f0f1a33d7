import { describe, expect, it } from "vitest";
import { readError } from "#api/read-error.ts";

const nested = JSON.stringify({ error: { message: "Invalid max_tokens value", message_zh: "x" } });

// Spec 7, and rule 5: the queue's are not shown.
describe("error bodies", () => {
  it.each([
    ["the specification's", '{"error":{"message":"Slow down","type":"rate_limit_exceeded"}}', "Slow down", true],
    ["a string", '{"error":"model x does not exist"}', "model x does not exist", true],
    ["message alone", '{"message":"No"}', "No", false],
    ["detail", '{"detail":"Not Found"}', "Not Found", false],
    [
      "a list of details",
      '{"detail":[{"msg":"field required"},{"msg":"too long"}]}',
      "field required; too long",
      false,
    ],
    ["plain text", "Upstream capacity temporarily exhausted", "Upstream capacity temporarily exhausted", false],
    [
      "a web page",
      "<html><head><style>b{}</style></head><body>502 Bad Gateway</body></html>",
      "502 Bad Gateway",
      false,
    ],
    [
      "storage's XML",
      "<?xml version='1.0'?><Error><Code>SignatureDoesNotMatch</Code></Error>",
      "SignatureDoesNotMatch",
      false,
    ],
    [
      "a provider's own error inside details",
      JSON.stringify({ error: { message: "Backend request failed", type: "backend_error", details: nested } }),
      "Invalid max_tokens value",
      true,
    ],
    ["nothing", "", "The service responded with 418 and gave no reason.", false],
    ["an empty object", "{}", "The service responded with 418 and gave no reason.", false],
    ["an empty message", '{"error":{"message":""}}', "The service responded with 418 and gave no reason.", true],
  ])("%s", (_name, body, message, hasEnvelope) => {
    expect(readError(418, body)).toMatchObject({ status: 418, message, hasEnvelope });
  });

  // Spec 7: optional.
  it("keep the type where there is one", () => {
    expect(readError(429, '{"error":{"message":"x","type":"rate_limit_exceeded"}}').type).toBe("rate_limit_exceeded");
    expect(readError(429, '{"error":{"message":"x"}}').type).toBeUndefined();
  });

  it("are cut to a readable length", () => {
    expect(readError(500, "x".repeat(50_000)).message.length).toBeLessThanOrEqual(600);
  });
});
