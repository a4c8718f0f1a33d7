import type { SampleLanguage } from "#api/samples/code-samples.ts";
import type { TextEndpoint } from "#api/text/text-types.ts";
import { asRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";

interface Replay {
  endpoint: TextEndpoint;
  /** The absolute address that was asked. */
  url: string;
  /** The exact body that was sent. */
  body: string;
  /** True: the connection sends its key to the messages endpoint as `x-api-key`; false: as a bearer token. */
  usesApiKeyHeader?: boolean | undefined;
}

/**
 * Code that sends the same request again. The key is read from `$API_KEY` and never written. Every text is quoted for
 * its language, so that no prompt can end the quotes.
 */
export function replayCode(language: SampleLanguage, replay: Replay): string {
  const body = readBody(replay.body);
  switch (language) {
    case "curl":
      return curl(replay);
    case "typescript":
      return typescript(replay, body);
    case "python":
      return python(replay, body);
  }
}

function readBody(text: string): JsonRecord {
  return asRecord(tryParseJson(text));
}

/**
 * Within single quotes a shell changes nothing. A quote in the text ends the quotes, is escaped, and begins new ones.
 */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curl({ endpoint, url, body, usesApiKeyHeader }: Replay): string {
  const header = usesApiKeyHeader && endpoint === "messages" ? "x-api-key: $API_KEY" : "Authorization: Bearer $API_KEY";
  // `-N` prints a stream as it arrives.
  return [
    `curl -N ${shellQuote(url)} \\`,
    `  -H "${header}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  --data-raw ${shellQuote(body)}`,
  ].join("\n");
}

/** The official clients add the rest of the path themselves; the messages client also adds `/v1`. */
function clientBase({ endpoint, url }: Replay): string {
  const base = url.replace(/\/v1\/[a-z]+$/, "");
  return endpoint === "messages" ? base : `${base}/v1`;
}

function typescript(replay: Replay, body: JsonRecord): string {
  const { endpoint } = replay;
  const isMessages = endpoint === "messages";
  const call = `client.${endpoint}.create(${JSON.stringify(body, null, 2)})`;
  const base = JSON.stringify(clientBase(replay));
  return [
    isMessages ? `import Anthropic from "@anthropic-ai/sdk";` : `import OpenAI from "openai";`,
    "",
    isMessages
      ? `const client = new Anthropic({ ${replay.usesApiKeyHeader ? "apiKey" : "authToken"}: process.env.API_KEY, baseURL: ${base} });`
      : `const client = new OpenAI({ apiKey: process.env.API_KEY, baseURL: ${base} });`,
    ...(body.stream === true
      ? [`const stream = await ${call};`, "for await (const event of stream) console.log(event);"]
      : [`console.log(await ${call});`]),
  ].join("\n");
}

/**
 * The arguments that are written by name, all of which `create` of that endpoint knows. Every other field goes through
 * `extra_body`, which takes anything: a name that `create` does not know would be refused.
 */
const PYTHON_ARGUMENTS: Record<TextEndpoint, readonly string[]> = {
  messages: ["model", "max_tokens", "messages", "system", "stream"],
  responses: ["model", "input", "instructions", "stream"],
  completions: ["model", "max_tokens", "prompt", "stream"],
};

function python(replay: Replay, body: JsonRecord): string {
  const { endpoint } = replay;
  const isMessages = endpoint === "messages";
  const isNamed = ([name]: [string, unknown]) => PYTHON_ARGUMENTS[endpoint].includes(name);
  const namedFields = Object.entries(body).filter(isNamed);
  const otherFields = Object.entries(body).filter((entry) => !isNamed(entry));
  const lines = namedFields.map(([name, value]) => `    ${name}=${pythonLiteral(value, 4)},`);
  if (otherFields.length > 0) lines.push(`    extra_body=${pythonLiteral(Object.fromEntries(otherFields), 4)},`);
  const client = isMessages ? "Anthropic" : "OpenAI";
  const key = isMessages && !replay.usesApiKeyHeader ? "auth_token" : "api_key";
  return [
    "import os",
    isMessages ? "from anthropic import Anthropic" : "from openai import OpenAI",
    "",
    `client = ${client}(${key}=os.environ["API_KEY"], base_url=${JSON.stringify(clientBase(replay))})`,
    `response = client.${endpoint}.create(`,
    ...lines,
    ")",
    ...(body.stream === true ? ["for event in response:", "    print(event)"] : ["print(response)"]),
  ].join("\n");
}

/** JSON's texts and numbers are Python's too; only null, true and false differ. */
function pythonLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const pad = " ".repeat(depth + 4);
  const closePad = " ".repeat(depth);
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 4))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 4)}`);
  const [openBracket, closeBracket] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return items.length === 0
    ? `${openBracket}${closeBracket}`
    : `${openBracket}\n${items.map((item) => `${pad}${item},\n`).join("")}${closePad}${closeBracket}`;
}
