import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Payload } from "./exfiltration-payloads.ts";

export interface HostileService {
  url: string;
  stop(): Promise<void>;
}

/** A server that nothing may reach: it counts what does. */
export async function startSinkhole(): Promise<{ place: string; met: string[]; stop(): Promise<void> }> {
  const met: string[] = [];
  const server = createServer((incoming, outgoing) => {
    met.push(`${incoming.method} ${incoming.url}`);
    outgoing.writeHead(200, { "Content-Type": "text/html", "Access-Control-Allow-Origin": "*" });
    outgoing.end("<script>parent.__hit = 1; opener && (opener.__hit = 1)</script>");
  });
  server.on("connection", () => met.push("a connection"));
  const place = await listening(server);
  return { place, met, stop: () => closed(server) };
}

/** A refusal's words are cut after so many characters. */
const LONGEST_REFUSAL = 600;

/** A service of which every word is hostile: names, schemas, answers, refusals, jobs. */
export async function startHostileService(payloads: readonly Payload[]): Promise<HostileService> {
  let refusals = 0;
  const all = payloads.map(said);
  const packed = inParts(all);
  const answers: Record<string, (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => void> = {
    "GET /q/apikey/models": (_, outgoing) => json(outgoing, 200, { model_ids: ["a-hostile-model", ...all] }),
    "POST /q/apikey/requests/estimate": (_, outgoing) => {
      json(outgoing, 400, { error: { message: packed[refusals % packed.length] } });
      refusals += 1;
    },
    "GET /q/apikey/requests": (_, outgoing) =>
      json(outgoing, 200, { requests: payloads.map(jobOf), total: payloads.length }),
    "POST /q/apikey/upload-url": (_, outgoing) => json(outgoing, 400, { error: { message: all[0] } }),
    "GET /i/v1/models": (_, outgoing) =>
      json(outgoing, 200, { data: [{ id: "a-text-model" }, ...all.map((id) => ({ id }))] }),
    "POST /i/v1/messages": (_, outgoing) => streamAnswer(outgoing, all.join("\n\n")),
  };
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "").split("?", 1)[0] ?? "";
    incoming.resume().on("end", () => {
      const answer = answers[`${incoming.method} ${path}`];
      if (answer) answer(incoming, outgoing, path);
      else if (path.startsWith("/q/apikey/models/")) json(outgoing, 200, modelOf(path, payloads));
      else if (path.startsWith("/q/apikey/requests/")) {
        const at = Number(/job-(\d+)/.exec(path)?.[1] ?? 0);
        json(outgoing, 200, jobOf(payloads[at] as Payload, at));
      } else json(outgoing, 404, { error: { message: all[1] } });
    });
  });
  const place = await listening(server);
  return { url: `http://${place}`, stop: () => closed(server) };
}

/** The texts, as many in one as a refusal can say. */
function inParts(texts: readonly string[]): string[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + text.length + 1 < LONGEST_REFUSAL)
      parts[parts.length - 1] = `${last} ${text}`;
    else parts.push(text);
  }
  return parts;
}

const said = ({ mark, text }: Payload) => `${mark} ${text}`;

/** A payload that is nothing but an address: as a file of an outcome it may be loaded, because the service names it. */
const isAddress = (text: string) => /^\s*https?:\/\/[^\s<>"]+$/i.test(text);

function jobOf(payload: Payload, at: number) {
  const { text } = payload;
  const words = said(payload);
  const isFailed = at % 2 === 0;
  return {
    request_id: `job-${at}`,
    model: words,
    status: isFailed ? "failed" : "success",
    created_at: 1_790_000_000 - at,
    payload: { prompt: words, image_url: text },
    outcome: isFailed
      ? { error: words, input: { image_url: text } }
      : {
          media_urls: isAddress(text) ? [] : [{ id: "1", type: "image", url: text }],
          message: words,
          error: { type: "image", url: text },
        },
  };
}

function modelOf(path: string, payloads: readonly Payload[]) {
  const texts = payloads.map(said);
  const groups = Array.from({ length: 60 }, (_, at) => texts.filter((_, place) => place % 60 === at));
  const properties = Object.fromEntries(
    groups.map((group, at) => [
      `field_${at}`,
      {
        type: "string",
        title: group[0],
        description: group.join("\n\n"),
        enum: at % 2 === 0 ? group : undefined,
        default: at % 2 === 0 ? undefined : group[1],
        examples: at % 3 === 0 ? group : undefined,
      },
    ]),
  );
  const files = Object.fromEntries(
    payloads
      .slice(0, 20)
      .map(({ text }, at) => [
        `file_${at}_image_url`,
        { type: "string", format: "uri", default: text, examples: [text] },
      ]),
  );
  return {
    model: decodeURIComponent(path.split("/").at(-1) ?? ""),
    description: texts[2],
    pricing_details: texts[3],
    parameters: path.endsWith("a-model-of-files")
      ? { type: "object", properties: { image_url: { type: "string", format: "uri" } } }
      : {
          type: "object",
          properties: { prompt: { type: "string" }, ...properties, ...files },
          required: Object.keys(properties),
        },
  };
}

function streamAnswer(outgoing: ServerResponse, text: string): void {
  outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
  const event = (type: string, value: object) =>
    outgoing.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
  event("message_start", { message: { usage: { input_tokens: 1 } } });
  event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  for (let at = 0; at < text.length; at += 97) {
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text: text.slice(at, at + 97) } });
  }
  event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } });
  event("message_stop", {});
  outgoing.end();
}

function json(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "Content-Type": "application/json" });
  outgoing.end(JSON.stringify(body));
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
