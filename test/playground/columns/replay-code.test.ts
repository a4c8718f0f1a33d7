import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { replayCode } from "#playground/columns/replay-code.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const replayOf = (body: object, endpoint: "messages" | "responses" | "completions" = "messages") => ({
  endpoint,
  url: `https://api.example.com/base/v1/${endpoint}`,
  body: JSON.stringify(body),
});

describe("replay code", () => {
  test("as curl, gives the shell exactly the body, whatever it contains", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const body = { model: "m", messages: [{ role: "user", content: `'; echo "$(id)" \`x\` ${text}` }] };
        const code = replayCode("curl", replayOf(body)).replace(/^curl -N /, "printf '%s\\n' ");
        const said = execFileSync("sh", ["-c", `API_KEY=k\n${code.replace("--data-raw", "--")} | tail -n 1`]);
        expect(said.toString().trimEnd()).toBe(JSON.stringify(body).trimEnd());
      }),
      { numRuns: cases(10, 100) },
    );
  });

  test("has the key as a variable and a base for the official client", () => {
    const messages = replayOf({ model: "m", max_tokens: 5, messages: [], stream: true });
    const responses = replayOf({ model: "m", input: "Hello", top_k: 3, store: false }, "responses");
    expect(replayCode("curl", messages)).toContain('-H "Authorization: Bearer $API_KEY"');
    const byHeader = { ...messages, usesApiKeyHeader: true };
    expect(replayCode("curl", byHeader)).toContain('-H "x-api-key: $API_KEY"');
    expect(replayCode("typescript", byHeader)).toContain("new Anthropic({ apiKey: process.env.API_KEY");
    expect(replayCode("python", byHeader)).toContain('Anthropic(api_key=os.environ["API_KEY"]');
    expect(replayCode("curl", { ...responses, usesApiKeyHeader: true })).toContain("Authorization: Bearer");
    expect(replayCode("typescript", messages)).toContain('baseURL: "https://api.example.com/base"');
    expect(replayCode("typescript", messages)).toContain("for await (const event of stream)");
    expect(replayCode("typescript", responses)).toContain('baseURL: "https://api.example.com/base/v1"');
    expect(replayCode("python", responses)).toContain('api_key=os.environ["API_KEY"]');
    expect(replayCode("python", responses)).toMatch(
      /^response = client\.responses\.create\($[\s\S]*^print\(response\)$/m,
    );
    expect(replayCode("python", messages)).toMatch(
      /^response = client\.messages\.create\($[\s\S]*^for event in response:$/m,
    );
    expect(replayCode("python", responses)).toMatch(/extra_body=\{\n\s+"top_k": 3,\n\s+"store": False,\n\s+\}/);
  });

  test("as Python, names only the arguments that the client of the endpoint knows", () => {
    const body = { model: "m", input: "a", prompt: "b", instructions: "c", system: "d", messages: [], max_tokens: 5 };
    const named = (endpoint: "messages" | "responses" | "completions") =>
      [...replayCode("python", replayOf(body, endpoint)).matchAll(/^ {4}(\w+)=/gm)].map(([, name]) => name);
    expect(named("messages")).toEqual(["model", "system", "messages", "max_tokens", "extra_body"]);
    expect(named("responses")).toEqual(["model", "input", "instructions", "extra_body"]);
    expect(named("completions")).toEqual(["model", "prompt", "max_tokens", "extra_body"]);
  });

  test("as Python, gives back every body unchanged", ({ skip }) => {
    if (spawnSync("python3", ["--version"]).status !== 0) skip("there is no python3 here");
    const values = fc.sample(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 20 }), cases(40, 400));
    const literals = values.map((value) => {
      const code = replayCode("python", replayOf({ model: "m", messages: value }));
      return /messages=([\s\S]*?),\n\)/.exec(code)?.[1] ?? "";
    });
    const script = `import json\nprint(json.dumps([${literals.join(",\n")}]))`;
    const said = execFileSync("python3", ["-"], { input: script }).toString();
    expect(JSON.parse(said)).toEqual(JSON.parse(JSON.stringify(values)));
  });
});
