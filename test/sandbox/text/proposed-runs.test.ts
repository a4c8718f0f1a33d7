import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRecord, type JsonRecord, parseSafely } from "#lib/read.ts";
import { findModel } from "#sandbox/catalogue/catalogue.ts";
import { payloadProblem } from "#sandbox/catalogue/payload-check.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { objects, openText } from "./text-client.ts";

const ASK = "A lighthouse in fog, propose:tool";
const MESSAGE = { model: "quill-2", max_tokens: 2000, messages: [{ role: "user" as const, content: ASK }] };
const RESPONSE = { model: "quill-2", input: ASK };

let server: SandboxServer;
beforeEach(() => {
  server = startSandboxServer({ tokensPerSecond: 2000, wait: () => Promise.resolve() });
});
afterEach(() => server.close());

const openai = () =>
  new OpenAI({ apiKey: "sandbox-key", baseURL: `${server.inferenceBaseUrl}/v1`, maxRetries: 0 }).responses;
const anthropic = () =>
  new Anthropic({ apiKey: "sandbox-key", baseURL: server.inferenceBaseUrl, maxRetries: 0 }).messages;

/** The models of a proposal's runs, or why the service would not accept one. */
function acceptedModels(proposal: unknown): string[] {
  const runs = isRecord(proposal) ? (proposal.runs as { model: string; payload: JsonRecord }[]) : [];
  return runs.map(({ model, payload }) => {
    const known = findModel(model);
    if (!known) return `no model ${model}`;
    return payloadProblem(known, payload) ?? model;
  });
}
const SIX = ["lumen-2", "lumen-2-pro", "lumen-2", "lumen-2-pro", "lumen-2", "lumen-2-pro"];
const blockOf = (text = "") => parseSafely(/```safelight-runs\n([\s\S]*?)\n```/.exec(text)?.[1] ?? "0");

// The documented inputs propose:runs and propose:tool.
describe("runs that an answer proposes", () => {
  it("come as the call of a tool in messages, whole and streamed, as the official client reads it", async () => {
    const whole = await anthropic().create(MESSAGE);
    const streamed = await anthropic().stream(MESSAGE).finalMessage();
    for (const { content, stop_reason } of [whole, streamed]) {
      expect(content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
      expect(stop_reason).toBe("tool_use");
      const [, call] = content;
      expect(call).toMatchObject({ name: "propose_runs", input: { name: "Lighthouse, fog: three lights" } });
      expect(call?.type === "tool_use" && acceptedModels(call.input)).toEqual(SIX);
    }
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
  });

  it("come as the call of a function in responses, whole and streamed, as the official client reads it", async () => {
    const whole = await openai().create(RESPONSE);
    const streamed = await openai().stream(RESPONSE).finalResponse();
    for (const { output, status } of [whole, streamed]) {
      expect([status, ...output.map(({ type }) => type)]).toEqual(["completed", "message", "function_call"]);
      const [, call] = output;
      if (call?.type !== "function_call") throw new Error("no call");
      expect(call.name).toBe("propose_runs");
      expect(acceptedModels(parseSafely(call.arguments))).toEqual(SIX);
    }
    expect(streamed.usage?.output_tokens).toBe(whole.usage?.output_tokens);
  });

  it("come behind the reasoning of a model that shows it", async () => {
    const { output } = await openai()
      .stream({ ...RESPONSE, model: "quill-2-ponder", reasoning: { effort: "medium", summary: "auto" } })
      .finalResponse();
    expect(output.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call"]);
  });

  it("come as a block of text where that is asked for, and on completions, which have no calls", async () => {
    const ask = ASK.replace("tool", "runs");
    const { content } = await anthropic().create({ ...MESSAGE, messages: [{ role: "user", content: ask }] });
    expect(content).toHaveLength(1);
    expect(content[0]?.type === "text" && acceptedModels(blockOf(content[0].text))).toEqual(SIX);
    const body = { model: "thicket-base", prompt: ASK, max_tokens: 2000 };
    const [choice] = (await openText().post("/v1/completions", body)).json.choices as { text: string }[];
    expect(acceptedModels(blockOf(choice?.text))).toEqual(SIX);
  });

  it("are cut where the limit of tokens is, and then no complete call is claimed", async () => {
    const { json } = await openText().post("/v1/messages", { ...MESSAGE, max_tokens: 30 });
    expect(json).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 30 } });
    expect(json.content).toMatchObject([{ type: "text" }, { type: "tool_use", input: {} }]);
    const events = objects(await openText().stream("/v1/responses", { ...RESPONSE, max_output_tokens: 30 }));
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { output: [{ type: "message" }, { type: "function_call", status: "incomplete" }] },
    });
  });

  it("are not proposed by words that only look like the input", async () => {
    const { json } = await openText().post("/v1/responses", { ...RESPONSE, input: "re-propose:tool, propose:toolbox" });
    expect(json.output).toMatchObject([{ type: "message" }]);
    expect(JSON.stringify(json.output)).not.toContain("safelight-runs");
  });
});
