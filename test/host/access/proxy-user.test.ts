import { expect, it } from "vitest";
import { createAccessGate } from "#host/access/access-gate.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { send } from "../send.ts";
import { startTeamHost, visit } from "./access-world.ts";

const HEADER = { SAFELIGHT_ACCESS: "header:X-Remote-User", SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" };
const ADA = { "X-Remote-User": "ada@example.com" };

it("lets in whom a trusted proxy names", async () => {
  const base = await startTeamHost(HEADER);
  const asked = await send(base, "/relay", { method: "GET", headers: { ...ADA, "Sec-Fetch-Site": "same-origin" } });
  expect(asked.status).toBe(200);
  expect((await visit(base, "/access", ADA)).body).toContain("You are signed in");
});

// Node gives each byte of a header as one sign. Some bytes of UTF-8 are control characters then.
const sentAs = (name: string) => Buffer.from(name).toString("latin1");

it.each(["Élodie", "Сергей", "Groß", "张伟", "ÿ"])("lets in %s, whose name a proxy writes in UTF-8", async (name) => {
  const base = await startTeamHost(HEADER);
  expect((await visit(base, "/access", { "X-Remote-User": sentAs(name) })).body).toContain("You are signed in");
});

it.each([
  ["without the header", {}, {}],
  ["with an empty one", { "X-Remote-User": " " }, {}],
  ["with a control character in UTF-8", { "X-Remote-User": sentAs("ada\u0085") }, {}],
  ["with a control character as it is", { "X-Remote-User": "ada\u0085" }, {}],
  ["from an address that is no proxy", ADA, { SAFELIGHT_TRUSTED_PROXIES: "10.0.0.0/8" }],
])("refuses a request %s, and says why", async (_, headers, environment) => {
  const base = await startTeamHost({ ...HEADER, ...environment });
  const page = await visit(base, "/", headers);
  expect(page.status).toBe(401);
  expect(page.body).toContain("You are not signed in");
  expect(page.body).not.toContain("<form");
  const refused = await send(base, "/relay", {
    method: "GET",
    headers: { ...headers, "Sec-Fetch-Site": "same-origin" },
  });
  expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([403, "access_required"]);
});

it("refuses a request that names two people", async () => {
  const base = await startTeamHost(HEADER);
  const answer = await visit(base, "/", { "X-Remote-User": ["ada@example.com", "eve@example.com"] });
  expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([400, "malformed"]);
});

it("has no form to sign in with", async () => {
  const base = await startTeamHost(HEADER);
  const headers = {
    Origin: base,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/x-www-form-urlencoded",
  };
  expect((await send(base, "/access", { headers, body: "password=anything" })).status).toBe(403);
});

it("tells people apart", async () => {
  const gate = createAccessGate(readHostSettings({ ...HEADER, SAFELIGHT_TRUSTED_PROXIES: "192.0.2.7 2001:db8::/32" }));
  const userFrom = async (peer: string, user: string) =>
    (await gate?.memberOf({ headers: { "x-remote-user": user }, peer }))?.name;
  expect(await userFrom("192.0.2.7", "ada")).toBe("ada");
  expect(await userFrom("::ffff:192.0.2.7", "ben")).toBe("ben");
  expect(await userFrom("2001:db8::1", "cleo")).toBe("cleo");
  for (const peer of ["192.0.2.8", "127.0.0.1", "2001:db9::1", ""]) expect(await userFrom(peer, "ada")).toBeUndefined();
});
