import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHostSettings } from "../../src/host/host-settings.ts";
import { staticPolicy } from "../../src/host/security-headers.ts";
import { studioFiles } from "../../src/host/studio-files.ts";

const NAVIGATION = { Accept: "text/html", "Sec-Fetch-Mode": "navigate" };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "studio-files-"));
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, ".vite"));
  writeFileSync(join(folder, "index.html"), "<title>The page</title>");
  writeFileSync(join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(join(folder, "assets", "app-1a2b.js"), "plain");
  writeFileSync(join(folder, "assets", "app-1a2b.js.br"), "brotli");
  writeFileSync(join(folder, "assets", "app-1a2b.js.gz"), "gzip");
  writeFileSync(join(folder, ".vite", "manifest.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true }));

const ask = (path: string, headers: Record<string, string> = {}, environment: Record<string, string> = {}) =>
  studioFiles(folder, readHostSettings(environment)).request(path, { headers });

describe("studioFiles", () => {
  it.each(["/", "/connect", "/create", "/create/some%2Fmodel", "/jobs/1", "/history?status=failed", "/settings"])(
    "answers a navigation to %s with the page",
    async (path) => {
      const answer = await ask(path, NAVIGATION);
      expect([answer.status, await answer.text()]).toEqual([200, "<title>The page</title>"]);
      expect(answer.headers.get("Cache-Control")).toBe("no-cache");
    },
  );

  it("answers an unknown address with the page and a 404", async () => {
    const answer = await ask("/nowhere", NAVIGATION);
    expect([answer.status, await answer.text()]).toEqual([404, "<title>The page</title>"]);
  });

  it.each(["/create", "/assets/gone.js", "/nowhere"])(
    "never answers a script that asks for %s with the page",
    async (path) => {
      const answer = await ask(path, { Accept: "*/*", "Sec-Fetch-Mode": "cors" });
      expect([answer.status, await answer.text()]).toEqual([404, "Not found"]);
      expect(answer.headers.get("Cache-Control")).toBe("no-cache");
    },
  );

  it.each([undefined, "*/*"])("answers a program that asks for a screen with Accept %s", async (accepted) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { Accept: accepted };
    const of = async (path: string) => (await ask(path, headers)).status;
    expect([await of("/"), await of("/create"), await of("/nowhere"), await of("/assets/gone.js")]).toEqual([
      200, 200, 404, 404,
    ]);
  });

  it.each(["/.vite/manifest.json", "/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc/passwd", "/.env"])(
    "does not serve %s",
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it.each([
    ["br, gzip", "br", "brotli"],
    ["gzip", "gzip", "gzip"],
    ["identity", null, "plain"],
  ])("sends a file in an encoding that the browser accepts: %s", async (accepted, encoding, text) => {
    const answer = await ask("/assets/app-1a2b.js", { "Accept-Encoding": accepted });
    expect([answer.headers.get("Content-Encoding"), await answer.text()]).toEqual([encoding, text]);
    expect(answer.headers.get("Content-Type")).toMatch("text/javascript");
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  });

  it.each([
    ["br, gzip", "gzip"],
    ["identity", null],
  ])("sends the page in an encoding that the browser accepts: %s", async (accepted, encoding) => {
    const answer = await ask("/create", { ...NAVIGATION, "Accept-Encoding": accepted });
    expect([answer.status, answer.headers.get("Content-Encoding")]).toEqual([200, encoding]);
    expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
    const plain = encoding === null ? answer.body : answer.body?.pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(plain).text()).toBe("<title>The page</title>");
  });

  it("has unhashed files revalidated", async () => {
    expect((await ask("/favicon.svg")).headers.get("Cache-Control")).toBe("no-cache");
  });

  it.each([
    [
      "Content-Security-Policy",
      /; require-trusted-types-for 'script'; trusted-types app-worker; frame-ancestors 'none'$/,
    ],
    ["X-Frame-Options", /^DENY$/],
    ["Content-Security-Policy", /^default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'none';/],
    ["Content-Security-Policy", /base-uri 'none'; form-action 'none'; object-src 'none'; frame-src 'none';/],
    ["Referrer-Policy", /^no-referrer$/],
    ["Cross-Origin-Opener-Policy", /^same-origin$/],
    ["Cross-Origin-Resource-Policy", /^same-origin$/],
    ["X-Content-Type-Options", /^nosniff$/],
    ["Origin-Agent-Cluster", /^\?1$/],
    ["X-DNS-Prefetch-Control", /^off$/],
    ["Permissions-Policy", /camera=\(\).*microphone=\(\).*geolocation=\(\).*clipboard-read=\(\)/],
  ])("sends %s with pages, files and what is not there (%s)", async (name, value) => {
    for (const path of ["/create", "/nowhere", "/favicon.svg", "/assets/app-1a2b.js", "/assets/gone.js"]) {
      expect([path, (await ask(path, NAVIGATION)).headers.get(name)]).toEqual([path, expect.stringMatching(value)]);
    }
  });

  it("sends HSTS under a public https name, and never on localhost", async () => {
    const name = "Strict-Transport-Security";
    const team = {
      SAFELIGHT_PUBLIC_ORIGIN: "https://studio.example.com",
      SAFELIGHT_ACCESS: "header:X-Remote-User",
      SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1",
    };
    const named = await ask("/", { ...NAVIGATION, "X-Remote-User": "ada" }, team);
    expect(named.headers.get(name)).toBe("max-age=63072000; includeSubDomains");
    expect((await ask("/", NAVIGATION)).headers.has(name)).toBe(false);
  });

  it("lets the page talk to this host alone, and show what its settings name exactly", async () => {
    const open = (await ask("/", NAVIGATION)).headers.get("Content-Security-Policy") ?? "";
    expect(open).toContain("connect-src 'self'; img-src 'self' blob: data:; media-src 'self' blob: data:;");
    const environment = { SAFELIGHT_UPSTREAMS: "https://api.example.com https://*.store.example.com http://10.0.0.5" };
    const named = (await ask("/", NAVIGATION, environment)).headers.get("Content-Security-Policy") ?? "";
    const shown = "'self' blob: data: https://api.example.com";
    expect(named).toContain(`connect-src 'self'; img-src ${shown}; media-src ${shown};`);
    for (const policy of [open, named]) expect(policy).not.toMatch(/unsafe|default-src 'self'|\*|https:[ ;]/);
  });

  it("has a page for one service reach that service alone, without a wildcard", () => {
    const policy = staticPolicy(["https://api.example.com", "https://cdn.example.com"]);
    const reached = "https://api.example.com https://cdn.example.com";
    expect(policy).toContain(`connect-src 'self' ${reached}; img-src 'self' blob: data: ${reached};`);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types app-worker");
    expect(policy).not.toMatch(/\*|https:[ ;]|unsafe/);
  });

  describe("of a page as it is built", () => {
    let built: string;
    const policy = escapeQuotes(staticPolicy());
    beforeAll(() => {
      built = mkdtempSync(join(tmpdir(), "safelight-built-"));
      const metas = `<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="safelight-host" content="none" />`;
      for (const name of ["index.html", "404.html"]) writeFileSync(join(built, name), metas);
      return () => rmSync(built, { recursive: true });
    });

    it("says that its host served it, under the policy of that host", async () => {
      const environment = { SAFELIGHT_UPSTREAMS: "https://api.example.com" };
      const files = studioFiles(built, readHostSettings(environment));
      const answer = await files.request("/create", { headers: NAVIGATION });
      const page = await answer.text();
      expect(page).toContain('<meta name="safelight-host" content="here"');
      const inPage = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
      expect(answer.headers.get("Content-Security-Policy")).toContain(`${inPage}; frame-ancestors`);
    });

    it("says that there is no sandbox where the settings leave it out", async () => {
      const pageWith = async (sandbox: string) => {
        const files = studioFiles(built, readHostSettings({ SAFELIGHT_SANDBOX: sandbox }));
        return (await files.request("/connect", { headers: NAVIGATION })).text();
      };
      expect(await pageWith("off")).toContain('content="here" data-sandbox="off"');
      expect(await pageWith("on")).not.toContain("data-sandbox");
    });

    it.each(["/index.html", "/404.html"])("never gives out %s as a file", async (name) => {
      const answer = await studioFiles(built, readHostSettings({})).request(name, { headers: NAVIGATION });
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
    });
  });
});

/** As the build writes an attribute. */
function escapeQuotes(text: string): string {
  return text.replaceAll("'", "&#39;");
}
