import { describe, expect, it } from "vitest";
import { readPaste } from "#connect/connect-values.ts";

const KEY = "gq-7Hd92kLmQ4xVb81ZsTk3Qp";
const QUEUE = "https://api.example.com/api/v1/queue/apikey/requests";

describe("no key is what stands for one", () => {
  it.each([
    "$API_KEY",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a shell
    "${API_KEY}",
    "$env:API_KEY",
    "%API_KEY%",
    "<API_KEY>",
    "<your key>",
    "YOUR_API_KEY",
    "your-api-key",
    "YOUR_API_KEY_HERE",
    "{{api_key}}",
    "{api_key}",
    "[key]",
    "API_KEY",
    "ACME_API_KEY",
    "sk-...",
    "sk-xxxxxxxxxxxx",
    "xxxxxxxxxxxxxxxx",
    "****************",
    "····k3Qp",
    "insert-your-key-here",
    "TOKEN",
    "my-secret-token",
    "…",
    "sk-1234567890",
  ])("%s", (word) => {
    for (const text of [
      `curl ${QUEUE} -H "Authorization: Bearer ${word}"`,
      `curl ${QUEUE} -H 'x-api-key: ${word}'`,
      `API_KEY=${word}\nBASE_URL=https://api.example.com`,
      `client = Client(api_key="${word}", base_url="https://api.example.com")`,
      `-u ${word}: https://api.example.com`,
    ]) {
      expect([text, readPaste(text).key]).toEqual([text, undefined]);
      expect(readPaste(text).hasPlaceholder || text.startsWith("-u")).toBe(true);
      expect(readPaste(text).addresses).toHaveLength(1);
    }
  });

  it.each([
    'api_key = os.environ["API_KEY"]',
    "api_key=os.environ.get('API_KEY')",
    "const apiKey = process.env.API_KEY;",
    'headers = {"Authorization": f"Bearer {api_key}"}',
    'headers: { Authorization: "Bearer " + token }',
    '{ "Authorization": authHeader, "x-api-key": credentials.apiKey }',
    "api_key = load_key()",
    "client = Client(api_key=my_key)",
    "Authorization: Basic dXNlcjpwYXNzd29yZDEyMzQ1Ng==",
    "Every request needs bearer token authentication.",
    "Idempotency-Key: 7b1f6f0e-2f6c-4f0a-9a53-2b8f7a1c9d3e",
    '"max_tokens": 1024, "seed": 1234567890123456',
    '{"payload": {"prompt": "The key to the lighthouse"}}',
    "Hello there",
    "lumen-2",
  ])("in %j", (text) => expect(readPaste(text).key).toBeUndefined());
});

it("a bare key is found, whatever it looks like", () => {
  for (const key of [
    KEY,
    "sk-proj-1234abcd5678efgh",
    "sandbox-key",
    "c0ffee00-1234-4abc-8def-0123456789ab",
    "AbCdEfGhIjKlMnOp",
  ]) {
    expect(readPaste(` ${key}\n`)).toMatchObject({ key, addresses: [] });
  }
});
