import { describe, expect, it } from "vitest";
import { DOCUMENTED_INPUTS } from "#sandbox/documented-inputs.ts";
import { ORIGIN, openSandbox, type SandboxClient } from "./sandbox-client.ts";

const fox = (input: string) => ({ prompt: `A fox, ${input}` });

/** The statuses that a few submits of one prompt answer. */
const submits = (count: number) => async (client: SandboxClient, input: string) => {
  const statuses: number[] = [];
  for (let round = 0; round < count; round += 1) statuses.push((await client.submit("lumen-2", fox(input))).status);
  return statuses;
};

/** What a video job has come to after an hour, and what it cost in the end. */
const ending = async (client: SandboxClient, payload: Record<string, unknown>, model = "halide-video") => {
  const { json } = await client.submit(model, payload);
  client.pass(3600);
  const { status } = (await client.job(json.request_id)).json;
  const { chargedMicroUsd, refundedMicroUsd } = client.sandbox.inspect();
  return [status, chargedMicroUsd - refundedMicroUsd];
};

const models = async (client: SandboxClient, key: string) =>
  (await client.queue("GET", "/apikey/models", { key })).status;

const say = (client: SandboxClient, input: string, stream: boolean) =>
  client.raw("POST", `${ORIGIN}/sandbox/v1/responses`, {
    key: "sandbox-key",
    body: { model: "quill-2", input: `A fox, ${input}`, stream },
  });

const said = async (client: SandboxClient, input: string, stream: boolean) => {
  const { status, text } = await say(client, input, stream);
  return [status, /"type":"response\.failed"/.test(text) ? "failed" : text.startsWith('{"error"') ? "error" : "answer"];
};

/** What each documented input does, seen from outside, beside what it should do. */
const PROOFS: Record<string, [prove: (client: SandboxClient, input: string) => Promise<unknown>, expected: unknown]> = {
  "fail:moderation": [(client, input) => ending(client, fox(input)), ["failed", 0]],
  "fail:provider": [(client, input) => ending(client, fox(input)), ["failed", 0]],
  "fail:rate-limit": [(client, input) => ending(client, fox(input)), ["failed", 0]],
  "reject:moderation": [submits(1), [400]],
  "cancel:operator": [(client, input) => ending(client, fox(input)), ["cancelled", 210_000]],
  "stuck:hour": [
    async (client, input) => {
      const { json } = await client.submit("halide-video", fox(input));
      client.pass(3599);
      return (await client.job(json.request_id)).json.status;
    },
    "queued",
  ],
  "lose:reply": [
    async (client, input) => {
      await client.submit("lumen-2", fox(input)).catch(() => undefined);
      return client.sandbox.inspect().jobs.length;
    },
    1,
  ],
  "lose:request": [
    async (client, input) => {
      await client.submit("lumen-2", fox(input)).catch(() => undefined);
      return client.sandbox.inspect().jobs.length;
    },
    0,
  ],
  "gateway:after": [
    async (client, input) => {
      const answer = await client.submit("lumen-2", fox(input));
      return [answer.status, client.sandbox.inspect().jobs.length];
    },
    [502, 1],
  ],
  "gateway:before": [
    async (client, input) => {
      const answer = await client.submit("lumen-2", fox(input));
      return [answer.status, client.sandbox.inspect().jobs.length];
    },
    [502, 0],
  ],
  "error:429": [submits(4), [429, 429, 429, 429]],
  "error:429x2": [submits(4), [429, 429, 200, 200]],
  "error:provider": [submits(1), [400]],
  "estimate-error:503x2": [
    async (client, input) => {
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1) statuses.push((await client.estimate("lumen-2", fox(input))).status);
      return statuses;
    },
    [503, 503, 200],
  ],
  "poll-error:502x2": [
    async (client, input) => {
      const { json } = await client.submit("lumen-2", fox(input));
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1) statuses.push((await client.job(json.request_id)).status);
      return statuses;
    },
    [502, 502, 200],
  ],
  "stream-error": [
    async (client, input) => [await said(client, input, true), await said(client, input, false)],
    [
      [200, "failed"],
      [502, "error"],
    ],
  ],
  "stream-break": [
    async (client, input) => [await said(client, input, true).catch(() => "broken"), await said(client, input, false)],
    ["broken", [502, "error"]],
  ],
  "long:5000": [
    async (client, input) => {
      const { json } = await say(client, input, false);
      return Math.round((json.usage as { output_tokens: number }).output_tokens / 1000);
    },
    5,
  ],
  "tps:2000": [
    async (_client, input) => {
      let nowMs = 0;
      const wait = async (ms: number) => {
        nowMs += ms;
      };
      const { text } = await say(openSandbox({ now: () => nowMs, wait }), `${input} long:1000`, true);
      // The model's own pace would take eleven seconds.
      return text.includes("response.completed") && nowMs < 2000;
    },
    true,
  ],
  "propose:runs": [
    async (client, input) => {
      const { json } = await say(client, input, false);
      const [message] = json.output as { content: { text: string }[] }[];
      const block = /```safelight-runs\n([\s\S]*?)\n```/.exec(message?.content[0]?.text ?? "")?.[1];
      return JSON.parse(block ?? "{}").runs.length;
    },
    6,
  ],
  "propose:tool": [
    async (client, input) => {
      const { json } = await say(client, input, false);
      const [, call] = json.output as { type: string; name: string; arguments: string }[];
      return [call?.type, call?.name, JSON.parse(call?.arguments ?? "{}").runs.length];
    },
    ["function_call", "propose_runs", 6],
  ],
  "host-refused": [
    (client, input) =>
      ending(client, { instruction: "Blue", image_url: `https://${input}.example/cat.png` }, "grainfield-edit"),
    ["failed", 0],
  ],
  "dead-pixel": [(client, input) => ending(client, { prompt: "A fox" }, input), ["failed", 0]],
  "lumen-1": [async (client, input) => (await client.submit(input, { prompt: "A fox" })).status, 404],
  "halide-longtake": [(client, input) => ending(client, { prompt: "A fox" }, input), ["success", 3_200_000]],
  "lumen-2@vip": [async (client, input) => (await client.submit(input, { prompt: "A fox" })).status, 403],
  "X-Resource-Group: vip": [
    async (client) =>
      (await client.submit("lumen-2", { prompt: "A fox" }, { headers: { "x-resource-group": "vip" } })).status,
    403,
  ],
  "revoked-key": [models, 401],
  "auth-down-key": [models, 503],
  "sandbox-key-2": [models, 200],
  "sandbox-key-other-organisation": [models, 200],
};

describe("documented inputs", () => {
  it("each have a check here, and each check has a documented input", () => {
    const documented = DOCUMENTED_INPUTS.map(({ input }) => input);
    expect(documented.toSorted()).toEqual(Object.keys(PROOFS).toSorted());
  });

  it.each(DOCUMENTED_INPUTS)("$input in the $place: $effect", async ({ input }) => {
    const [prove, expected] = PROOFS[input] ?? [];
    // The models' own pauses take no time.
    expect(await prove?.(openSandbox({ wait: () => Promise.resolve() }), input)).toEqual(expected);
  });
});
