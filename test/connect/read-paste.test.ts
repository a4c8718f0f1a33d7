import { describe, expect, it } from "vitest";
import { maskKey, readPaste } from "#connect/connect-values.ts";
import fc from "../setup/fc.ts";

const KEY = "gq-7Hd92kLmQ4xVb81ZsTk3Qp";
const QUEUE = "https://api.example.com/api/v1/queue/apikey/requests";
const CHAT = "https://api.example.com/v1/chat/completions";

describe("a key and its address are found in", () => {
  it.each<[name: string, text: string, address: string]>([
    ["a curl command", `curl ${QUEUE} -H "Authorization: Bearer ${KEY}"`, QUEUE],
    [
      "a curl command of several lines",
      `curl -X POST ${QUEUE} \\\n  -H 'Authorization: Bearer ${KEY}' \\\n  -d '{}'`,
      QUEUE,
    ],
    ["long options", `curl --request POST --url ${QUEUE} --header "authorization: bearer ${KEY}"`, QUEUE],
    ["options that are joined", `curl --url=${QUEUE} -H"Authorization:Bearer ${KEY}"`, QUEUE],
    ["quotes with escapes", `curl $'${QUEUE}' -H $'Authorization: Bearer ${KEY}' --data-raw $'{\\n}'`, QUEUE],
    ["Windows' own shell", `curl ^"${QUEUE}^" ^\r\n  -H ^"Authorization: Bearer ${KEY}^" ^\r\n  -d ^"{}^"`, QUEUE],
    ["PowerShell with backticks", `curl.exe ${QUEUE} \`\n -H "Authorization: Bearer ${KEY}" \`\n -d "{}"`, QUEUE],
    ["PowerShell's own", `Invoke-RestMethod -Uri "${QUEUE}" -Headers @{ "Authorization" = "Bearer ${KEY}" }`, QUEUE],
    [
      "an x-api-key header",
      `curl https://api.example.com/v1/messages -H "x-api-key: ${KEY}"`,
      "https://api.example.com/v1/messages",
    ],
    ["a user of curl", `curl -u ${KEY}: ${QUEUE}`, QUEUE],
    ["a password of curl", `curl --user "api:${KEY}" ${QUEUE}`, QUEUE],
    ["curl's own option for it", `curl --oauth2-bearer ${KEY} ${QUEUE}`, QUEUE],
    [
      "curl without a scheme",
      `curl api.example.com/v1/models -H "Authorization: Bearer ${KEY}"`,
      "https://api.example.com/v1/models",
    ],
    [
      "a curl command to a bare host",
      `curl api.example.com -H "Authorization: Bearer ${KEY}"`,
      "https://api.example.com",
    ],
    ["HTTPie", `http POST ${QUEUE} Authorization:"Bearer ${KEY}" model=lumen-2`, QUEUE],
    ["spaces with backslashes", `curl ${QUEUE} -H Authorization:\\ Bearer\\ ${KEY}`, QUEUE],
    ["PowerShell's variables", `$env:API_KEY = "${KEY}"\nInvoke-RestMethod ${QUEUE}`, QUEUE],
    ["Windows' variables", `setx API_KEY "${KEY}"\ncurl ${QUEUE}`, QUEUE],
    ["wget", `wget --header="Authorization: Bearer ${KEY}" ${QUEUE}`, QUEUE],
    ["fetch", `fetch("${CHAT}", { headers: { Authorization: \`Bearer ${KEY}\` } })`, CHAT],
    ["fetch with Headers", `headers.set("Authorization", "Bearer ${KEY}");\nawait fetch('${CHAT}')`, CHAT],
    ["Python", `requests.post("${QUEUE}", headers={"Authorization": "Bearer ${KEY}"}, json={"model": "m"})`, QUEUE],
    [
      "a Python client",
      `OpenAI(base_url="https://api.example.com/v1", api_key="${KEY}")`,
      "https://api.example.com/v1",
    ],
    [
      "a JavaScript client",
      `new Client({ apiKey: '${KEY}', baseURL: 'https://api.example.com/v1' })`,
      "https://api.example.com/v1",
    ],
    ["a .env file", `API_KEY=${KEY}\nBASE_URL=https://api.example.com\n`, "https://api.example.com"],
    [
      "a .env file with quotes",
      `export SERVICE_API_KEY="${KEY}"\nexport HOST=api.example.com`,
      "https://api.example.com",
    ],
    [
      "JSON",
      `{"apiKey": "${KEY}", "queue": "https:\\/\\/api.example.com\\/api\\/v1\\/queue"}`,
      "https://api.example.com/api/v1/queue",
    ],
    ["YAML", `api_key: ${KEY}\nbase_url: https://api.example.com`, "https://api.example.com"],
    ["PHP", `'headers' => ['Authorization' => 'Bearer ${KEY}'], $url = '${QUEUE}';`, QUEUE],
    ["Go", `req, _ := http.NewRequest("POST", "${QUEUE}", b)\nreq.Header.Add("Authorization", "Bearer ${KEY}")`, QUEUE],
    ["two lines", `https://api.example.com\n${KEY}`, "https://api.example.com"],
    ["words", `Base URL: https://api.example.com\nAPI key: ${KEY}`, "https://api.example.com"],
    ["an address with a user", `https://user:${KEY}@api.example.com/v1/models`, "https://api.example.com/v1/models"],
    [
      "an address with a key in it",
      `https://api.example.com/v1/models?api_key=${KEY}`,
      "https://api.example.com/v1/models",
    ],
    ["typographic quotes", `curl ${QUEUE} -H “Authorization: Bearer ${KEY}”`, QUEUE],
    [
      "an example of the sandbox",
      'curl http://127.0.0.1:4310/sandbox/api/v1/queue/apikey/models -H "Authorization: Bearer sandbox-key"',
      "http://127.0.0.1:4310/sandbox/api/v1/queue/apikey/models",
    ],
  ])("%s", (_name, text, address) => {
    const { key, addresses } = readPaste(text);
    expect(key).toBe(text.includes(KEY) ? KEY : "sandbox-key");
    expect(addresses).toEqual([address]);
    expect(maskKey(text, key ?? "")).not.toContain(key);
  });
});

it("an address that a prompt mentions is not the service's", () => {
  const text = `client = Client(base_url="https://api.example.com", api_key="${KEY}")\nclient.ask("Read https://elsewhere.test/a")`;
  expect(readPaste(text)).toMatchObject({ key: KEY, addresses: ["https://api.example.com"] });
});

describe("an address is found in", () => {
  it.each<[text: string, addresses: string[]]>([
    ["https://api.example.com", ["https://api.example.com"]],
    ["  https://api.example.com/api/v1/queue/  ", ["https://api.example.com/api/v1/queue"]],
    ["api.example.com", ["https://api.example.com"]],
    ["api.example.com/api/v1/queue", ["https://api.example.com/api/v1/queue"]],
    ["localhost:4310/sandbox", ["http://localhost:4310/sandbox"]],
    ["http://[::1]:4310/sandbox", ["http://[::1]:4310/sandbox"]],
    ["http://gpu-box:8000/v1", ["http://gpu-box:8000/v1"]],
    ["HTTPS://API.Example.com/v1/models?limit=1#top", ["https://api.example.com/v1/models"]],
    ["Send it to https://api.example.com/v1/chat.", ["https://api.example.com/v1/chat"]],
    ["[docs](https://api.example.com/v1/models)", ["https://api.example.com/v1/models"]],
    [
      `${QUEUE}/abc?x=1\nhttps://inference.example.com/v1/messages`,
      [`${QUEUE}/abc`, "https://inference.example.com/v1/messages"],
    ],
  ])("%s", (text, addresses) => {
    expect(readPaste(text)).toMatchObject({ addresses, key: undefined });
  });
});

describe("no address of a service is", () => {
  it.each([
    "a photo.png of requests.post and json.dumps(data)",
    "me@example.com",
    'import os\nos.environ["API_KEY"]',
    "https://cdn.example.com/cat.png",
    '{"image_url": "https://cdn.example.com/cat"}',
    '{"webhook": "https://hooks.example.com/done"}',
    "https://{host}/v1",
    "https://$HOST/v1/models",
    "v1.2.3",
    "",
  ])("in %j", (text) => expect(readPaste(text).addresses).toEqual([]));

  it("what a request carries or pretends", () => {
    const text = [
      `curl '${QUEUE}' -H 'Referer: https://console.example.com/v1' -H 'Origin: https://console.example.com'`,
      `-b 'site=https://tracker.example.com' -x http://proxy.example.com:3128`,
      `--data-raw '{"payload":{"image":"https://cdn.example.com/v1/cat"}}' -e https://elsewhere.example.com`,
    ].join(" ");
    expect(readPaste(text).addresses).toEqual([QUEUE]);
  });
});

it("which header the key stands in is told", () => {
  expect(readPaste(`-H "x-api-key: ${KEY}"`).usesApiKeyHeader).toBe(true);
  expect(readPaste(`API_KEY=${KEY}`).usesApiKeyHeader).toBe(false);
});

const PIECES = [
  "curl ",
  "-H '",
  "Authorization: Bearer ",
  KEY,
  "$API_KEY",
  "<KEY>",
  "\\\n",
  "^\n",
  "`\n",
  "'",
  '"',
  "https://",
  "http://[",
  "api.example.com",
  "/v1/",
  "apikey",
  "=",
  ":",
  " ",
  "\n",
  "a.",
  "aaaa",
  "((",
  "{",
  "}",
  "\\",
  "-d '",
  "\\u002f",
  "@",
  "é",
  "\u0000",
  "-u ",
  "····",
];
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((parts) => parts.join("")),
);

it("any text is read without a throw, and what is found is usable", () => {
  fc.assert(
    fc.property(text, (given) => {
      const { addresses, key } = readPaste(given);
      expect(addresses.length).toBeLessThanOrEqual(12);
      for (const address of addresses) {
        const url = new URL(address);
        expect([url.search, url.hash, url.username, url.password]).toEqual(["", "", "", ""]);
        expect(url.protocol).toMatch(/^https?:$/);
      }
      if (key !== undefined) {
        expect(key).toMatch(/^[\x21-\x7e]{4,1000}$/);
        expect(maskKey(given, key)).not.toContain(key);
      }
    }),
  );
});

it("a key in a header is found, whatever its characters", () => {
  const drawn = fc
    .stringMatching(/^[A-Za-z0-9]{3,8}[-_][A-Za-z0-9]{16,60}$/)
    .filter((key) => /\d/.test(key) && !/(.)\1{4}|x{3}$/i.test(key));
  fc.assert(
    fc.property(drawn, (key) => {
      expect(readPaste(`curl ${QUEUE} -H "Authorization: Bearer ${key}"`).key).toBe(key);
    }),
  );
});

it.each([
  "a",
  "a.",
  "-H ",
  "Bearer ",
  "https://",
  "key=",
  "a-",
  "\\\n",
  '"',
  "api_key:\t",
  "http://a@",
  "x/v1/",
  "-d '",
])("100,000 times %j is read at once", (piece) => {
  // A time that grows faster than the text would take minutes here, and the test would end by its time limit.
  readPaste(piece.repeat(100_000));
  readPaste(`curl ${piece.repeat(100_000)}`);
});
