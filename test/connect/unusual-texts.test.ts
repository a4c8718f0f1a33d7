import { describe, expect, it } from "vitest";
import { candidatesFrom, maskKey, readPaste } from "#connect/connect-values.ts";

const KEY = "ag_live_7Fq2mXz91LkTbR04vNpWc8Yd";
const OTHER = "sk-proj-Zz81mNq72LpXcVb40TyUi";
const SIGNATURE = "5d672d79c15b13162d9279b0855cfba6";
const JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW";
const QUEUE = "https://gw.example.com/tenant-7/api/v1/queue";

describe("the key is found in", () => {
  it.each([
    ["HTTPie's option", `https -A bearer -a ${KEY} gw.example.com/v1/models`],
    ["Rust", `client.get("${QUEUE}/apikey/models").bearer_auth("${KEY}")`],
    ["a typed constant", `const apiKey: string = "${KEY}";`],
    ["fish", `set -x ACME_API_KEY ${KEY}`],
    ["a collection of Postman", `"bearer":[{"key":"token","value":"${KEY}","type":"string"}]`],
    ["names and values of YAML", `env:\n  - name: API_KEY\n    value: ${KEY}`],
    ["a table of Markdown", `| Queue | ${QUEUE} |\n| Key | \`${KEY}\` |`],
    ["a table with tabs", `Base URL\t${QUEUE}\nAPI Key\t${KEY}`],
    ["a message", `use ${QUEUE} with ${KEY}, it works`],
    ["narrow spaces", `curl\u202f${QUEUE} -H "Authorization:\u202fBearer\u2009${KEY}"`],
    ["the header, not the environment", `OPENAI_API_KEY=${OTHER}\ncurl ${QUEUE} -H "Authorization: Bearer ${KEY}"`],
    ["the settings of the address", `OPENAI_API_KEY=${OTHER}\nACME_API_KEY=${KEY}\nACME_BASE_URL=${QUEUE}`],
    ["the settings, not the database", `DB_PASSWORD=${OTHER}\nAPI_KEY=${KEY}`],
  ])("%s", (_name, text) => expect(readPaste(text).key).toBe(KEY));
});

describe("no key is taken from", () => {
  it.each([
    `AWS_SECRET_ACCESS_KEY=${OTHER}\nACME_URL=${QUEUE}`,
    `DB_PASSWORD=${OTHER}\nACME_URL=${QUEUE}`,
    `{"id_token": "${JWT}"}\n${QUEUE}`,
    `curl ${QUEUE} -H "Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE, Signature=${SIGNATURE}"`,
    `curl ${QUEUE} -H "Authorization: HMAC-SHA256 Signature=${SIGNATURE}"`,
    `curl ${QUEUE} -H "Idempotency-Key: Zk39sLq20MxPwTr81vNb" -H "Authorization: Bearer $K"`,
    `curl ${QUEUE} -d '{"max_tokens": 1024, "stop_token": "abc123def456ghi789jkl"}'`,
    "https://api.example.com@elsewhere.test/v1",
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL0vGq me@box\n${QUEUE}`,
    `model_list:\n  - api_base: ${QUEUE}\n    api_key: os.environ/ACME_API_KEY`,
    `client = Client(api_key=userdata.get('ACME_API_KEY'), base_url='${QUEUE}')`,
  ])("%j", (text) => expect(readPaste(text).key).toBeUndefined());

  it.each([
    "sk-1234567890abcdef",
    "abcdef123456",
    "your_key_1",
    "YOUR_JWT_HERE",
    "VOTRE_CLE_API",
    "acme-api-key",
    "apikey123",
    "sk-ant-api03-...",
    "ag_live_••••••••Yd12",
  ])("a header with %s", (word) => {
    const { key, hasPlaceholder } = readPaste(`curl ${QUEUE} -H "Authorization: Bearer ${word}"`);
    expect([key, hasPlaceholder]).toEqual([undefined, true]);
  });
});

it("characters that nobody sees neither hide a key nor leave it in the text", () => {
  const text = `\u202a${QUEUE}\u202c\n${KEY.slice(0, 12)}\u200b${KEY.slice(12)}\u00ad`;
  expect(readPaste(text)).toMatchObject({ key: KEY, addresses: [QUEUE] });
  expect(maskKey(text, KEY)).not.toContain(KEY.slice(0, 12));
});

describe("the halves behind", () => {
  it.each([
    ["192.168.1.20:8000", "http://192.168.1.20:8000/api/v1/queue", "http://192.168.1.20:8000"],
    [
      "https://gw.example.com/tenant-7/v1",
      "https://gw.example.com/tenant-7/api/v1/queue",
      "https://gw.example.com/tenant-7",
    ],
    [
      "https://gw.example.com/v1/acme/v1/responses",
      "https://gw.example.com/v1/acme/api/v1/queue",
      "https://gw.example.com/v1/acme",
    ],
    ["HTTPS://GW.EXAMPLE.COM/API/V1/QUEUE", "https://gw.example.com/API/V1/QUEUE", "https://gw.example.com"],
  ])("%s", (text, queue, inference) => {
    const found = candidatesFrom(readPaste(text).addresses);
    expect(found.queue[0]).toBe(queue);
    expect(found.inference).toContain(inference);
  });
});

it("a file that an example's answer names is no half of the service", () => {
  for (const file of ["https://storage.files.test/v1/out/1", `https://out.files.test/v1/1?sig=${SIGNATURE}`]) {
    const text = `curl ${QUEUE}/apikey/requests\n\n{"outcome": {"media_urls": [{"url": "${file}"}]}}`;
    expect(readPaste(text).addresses).toEqual([`${QUEUE}/apikey/requests`]);
  }
});
