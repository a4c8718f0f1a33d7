import { expect, it, onTestFinished } from "vitest";
import { startUpstream } from "../relay/relay-world.ts";
import { send } from "../send.ts";
import { cookieOf, PASSWORD, signIn, startTeamHost } from "./access-world.ts";

const PROXY = { SAFELIGHT_ACCESS: "header:X-Remote-User", SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" };

it.each<[string, Record<string, string>]>([
  ["SAFELIGHT_ACCESS", {}],
  ["SAFELIGHT_TRUSTED_PROXIES", PROXY],
])("whoever may use a host is not let to its own machine, once %s says that others may", async (_, environment) => {
  const visits: string[] = [];
  const service = await startUpstream((incoming, outgoing) => {
    visits.push(incoming.url ?? "");
    outgoing.end();
  });
  onTestFinished(service.close);
  const base = await startTeamHost(environment);
  const cookie = cookieOf(await signIn(base, PASSWORD));
  const headers = {
    Cookie: cookie,
    "X-Remote-User": "ada",
    Origin: base,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
  };
  const { port } = new URL(service.origin);
  for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`]) {
    const body = JSON.stringify({
      key: "sk-0123456789",
      queueBaseUrl: origin,
      inferenceBaseUrl: origin,
      salt: "0".repeat(16),
    });
    const answer = await send(base, "/session", { headers, body });
    expect([answer.status, answer.headers["x-safelight-relay"]], origin).toEqual([403, "not_allowed"]);
    const media = await send(base, `/relay/media/${origin.replace("://", "/")}/a.png`, { method: "GET", headers });
    expect(media.status, origin).toBe(403);
  }
  expect(visits).toEqual([]);
});
