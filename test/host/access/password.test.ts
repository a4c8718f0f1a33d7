import { describe, expect, it } from "vitest";
import { createAccessGate, type PasswordGate } from "#host/access/access-gate.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { send } from "../send.ts";
import { cookieOf, PASSWORD, signIn, startTeamHost, submitForm, visit } from "./access-world.ts";

describe("a host with a password", () => {
  it.each(["/", "/create/lumen-2?prompt=a", "/nowhere", "/sandbox/settings"])(
    "shows the form, and nothing else, to a stranger at %s",
    async (path) => {
      const { status, headers, body } = await visit(await startTeamHost(), path);
      expect(status).toBe(401);
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self';/,
      );
      expect(headers["referrer-policy"]).toBe("same-origin");
      expect(headers["cache-control"]).toBe("no-store");
      expect(body).toContain('<label for="password">Password</label>');
      expect(body).toContain(`name="to" value="${path}"`);
      expect(body).not.toMatch(/<script|javascript:|\son\w+=/);
    },
  );

  it.each([
    ["GET", "/assets/app.js"],
    ["GET", "/relay"],
    ["POST", "/session"],
    ["DELETE", "/session"],
    ["POST", "/relay/api/sandbox/api/v1/queue/apikey/requests"],
    ["PUT", "/sandbox/storage/uploads/x.png"],
    ["PUT", "/sandbox/settings"],
  ])("refuses %s %s of a stranger in the error shape of the service", async (method, path) => {
    const base = await startTeamHost();
    const headers = { Origin: base, "Sec-Fetch-Site": "same-origin" };
    const { status, headers: answered, body } = await send(base, path, { method, headers });
    expect([status, answered["x-safelight-relay"]]).toEqual([403, "access_required"]);
    expect(JSON.parse(body)).toEqual({ error: { message: expect.any(String), type: "relay_access_required" } });
  });

  it("answers to health checks without it", async () => {
    expect((await send(await startTeamHost(), "/healthz", { method: "GET" })).body).toBe("ok");
  });

  it("lets in whoever knows the password, to where they wanted to go", async () => {
    const base = await startTeamHost();
    const signed = await signIn(base, PASSWORD, {}, "/create/lumen-2?prompt=a");
    expect([signed.status, signed.headers.location]).toEqual([303, "/create/lumen-2?prompt=a"]);
    const [access = ""] = signed.headers["set-cookie"] ?? [];
    expect(access).toMatch(/^safelight-access-\d+=\S+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    const headers = { Cookie: cookieOf(signed), "Sec-Fetch-Site": "same-origin" };
    expect((await send(base, "/relay", { method: "GET", headers })).status).toBe(200);
    expect((await visit(base, "/access", headers)).body).toContain("You are signed in");
  });

  it("binds the cookie to this very origin where that is https", async () => {
    const base = await startTeamHost({ SAFELIGHT_PUBLIC_ORIGIN: "https://studio.example.com" });
    const origin = { Host: "studio.example.com", Origin: "https://studio.example.com" };
    for (const cookie of (await signIn(base, PASSWORD, origin)).headers["set-cookie"] ?? []) {
      expect(cookie).toMatch(
        /^__Host-safelight-(access|device)=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      );
    }
  });

  it.each(["", "wrong", `${PASSWORD} `, PASSWORD.toUpperCase(), "x".repeat(5000)])(
    "says that %j is not the password",
    async (wrong) => {
      const { status, headers, body } = await signIn(await startTeamHost(), wrong);
      expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
      expect(body).toMatch(/role="alert">Wrong password\.</);
    },
  );

  it.each([
    "//evil.example/x",
    "/\\evil.example",
    "https://evil.example/",
    "/x\n//evil.example",
    "javascript:alert(1)",
    "/access/end",
    "/\t/evil.example",
    "",
  ])("leads to the start in place of %j", async (to) => {
    expect((await signIn(await startTeamHost(), PASSWORD, {}, to)).headers.location).toBe("/");
  });

  it("shows what stood in the address as text", async () => {
    const { body } = await visit(await startTeamHost(), '/%22%3E%3Cscript%3E?"><script>alert(1)</script>');
    expect(body).not.toContain("<script");
  });

  it.each([
    ["another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
    ["a page without an origin", { Origin: "null" }],
    ["a name that was pointed here", { Host: "evil.example", Origin: "http://evil.example" }],
  ])("takes no form from %s, though the password is right", async (_, headers) => {
    const { status, headers: answered } = await signIn(await startTeamHost(), PASSWORD, headers);
    expect([status, answered["set-cookie"]]).toEqual([403, undefined]);
  });

  it("a program without an origin signs nobody in", async () => {
    const base = await startTeamHost();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await send(base, "/access", { headers, body: `password=${encodeURIComponent(PASSWORD)}` });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  it("refuses a form that is too large", async () => {
    const answer = await signIn(await startTeamHost(), "x".repeat(10_000));
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([413, "too_large"]);
  });

  it("ends what a browser was let in by when it signs out", async () => {
    const base = await startTeamHost();
    const headers = { Cookie: cookieOf(await signIn(base, PASSWORD)), "Sec-Fetch-Site": "same-origin" };
    const out = await submitForm(base, "/access/end", {}, headers);
    expect([out.status, out.headers.location]).toEqual([303, "/access"]);
    expect(out.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^safelight-access-\d+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/),
    ]);
    // The value that somebody copied before is worth nothing now.
    expect((await send(base, "/relay", { method: "GET", headers })).status).toBe(403);
  });
});

describe("the cookie of the password", () => {
  const HOUR = 3_600_000;
  const SECRET = "a secret of more than thirty-two characters";

  function openGate(environment: Record<string, string> = {}, nowMs = () => 0): PasswordGate {
    const settings = readHostSettings({ SAFELIGHT_ACCESS: `password:${PASSWORD}`, ...environment });
    return createAccessGate(settings, { nowMs }) as PasswordGate;
  }
  async function enter(gate: PasswordGate): Promise<string> {
    const signed = await gate.signIn({ headers: {}, peer: "10.0.0.1" }, PASSWORD);
    if (!("setCookies" in signed)) throw new Error("not let in");
    return signed.setCookies.map((cookie) => cookie.split(";")[0]).join("; ");
  }
  const userOf = async (gate: PasswordGate, cookie: string) => (await gate.memberOf({ headers: { cookie } }))?.name;

  it("lasts for a week", async () => {
    let nowMs = 0;
    const gate = openGate({}, () => nowMs);
    const cookie = await enter(gate);
    nowMs = 7 * 24 * HOUR - 1;
    expect(await userOf(gate, cookie)).toBe("shared");
    nowMs = 7 * 24 * HOUR;
    expect(await userOf(gate, cookie)).toBeUndefined();
  });

  it("is good after a restart and at another host with the same secret, and without one nowhere else", async () => {
    const cookie = await enter(openGate({ SAFELIGHT_SESSION_SECRET: SECRET }));
    expect(await userOf(openGate({ SAFELIGHT_SESSION_SECRET: SECRET }), cookie)).toBe("shared");
    expect(await userOf(openGate({ SAFELIGHT_SESSION_SECRET: `${SECRET}!` }), cookie)).toBeUndefined();
    expect(await userOf(openGate(), await enter(openGate()))).toBeUndefined();
  });

  it("is worth nothing once the password is another one", async () => {
    const cookie = await enter(openGate({ SAFELIGHT_SESSION_SECRET: SECRET }));
    const other = openGate({ SAFELIGHT_SESSION_SECRET: SECRET, SAFELIGHT_ACCESS: "password:another password" });
    expect(await userOf(other, cookie)).toBeUndefined();
  });

  it("cannot be made by hand, nor from the cookie of a known device", async () => {
    const gate = openGate();
    const [access = "", device = ""] = (await enter(gate)).split("; ");
    const value = access.slice("safelight-access=".length);
    const [id = "", until = "", signature = ""] = value.split(".");
    const forged = [
      `${id}.zzzzzzzz.${signature}`,
      `${id.slice(1)}A.${until}.${signature}`,
      `${id}.${until}.`,
      `${id}.${until}.${signature.slice(1)}A`,
      `${id}.${until}`,
      device.slice("safelight-device=".length),
    ];
    for (const one of forged) expect(await userOf(gate, `safelight-access=${one}`)).toBeUndefined();
    expect(await userOf(gate, `safelight-access=x; safelight-access=${value}`)).toBe("shared");
  });
});
