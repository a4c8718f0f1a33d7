import { gzipSync } from "node:zlib";
import { expect, settled, test } from "./fixtures.ts";

test.describe("the host", () => {
  test("prints one line once it answers, and ends in order on SIGTERM", { tag: "@long-stories" }, async ({
    host,
    request,
  }) => {
    expect(await (await request.get("/healthz")).text()).toBe("ok");
    expect(host.stdout()).toBe(`Safelight is ready at ${host.url}\n`);
    expect(await host.stop()).toBe(0);
  });

  test("sends the page with security headers and has it revalidated", { tag: "@long-stories" }, async ({ request }) => {
    const page = await request.get("/create", { headers: { Accept: "text/html" } });
    const headers = page.headers();
    expect(page.status()).toBe(200);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers["content-security-policy"]).toContain("script-src 'self';");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
    expect(headers["content-security-policy"]).toContain("connect-src 'self'; img-src 'self' blob: data:;");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    const html = await page.text();
    expect(html).toContain('<meta name="safelight-host" content="here"');
    // The example in Connect's first paint names addresses; the policy and what the page loads name none.
    expect(html).not.toMatch(/content="[^"]*https:[^"]*"|(src|href)="https:/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
  });

  test("sends hashed files compressed and cacheable for ever", { tag: "@long-stories" }, async ({ request }) => {
    const html = await (await request.get("/connect", { headers: { Accept: "text/html" } })).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    const answer = await request.get(script ?? "", { headers: { "Accept-Encoding": "br" } });
    expect(answer.headers()["content-encoding"]).toBe("br");
    expect(answer.headers()["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers()["content-type"]).toMatch(/^text\/javascript/);
  });

  test("answers 404 for what is neither a file nor a screen", { tag: "@long-stories" }, async ({ request }) => {
    expect((await request.get("/assets/gone.js")).status()).toBe(404);
    expect((await request.get("/.vite/manifest.json")).status()).toBe(404);
    expect((await request.get("/%2e%2e/package.json")).status()).toBe(404);
    const lost = await request.get("/no-such-screen", { headers: { Accept: "text/html" } });
    expect(lost.status()).toBe(404);
    expect(await lost.text()).toContain('<div id="root">');
  });

  test("serves the sandbox below /sandbox", { tag: "@long-stories" }, async ({ request }) => {
    const models = await request.get("/sandbox/api/v1/queue/apikey/models", {
      headers: { Authorization: "Bearer sandbox-key" },
    });
    expect(models.status()).toBe(200);
    expect((await models.json()).model_ids.length).toBeGreaterThanOrEqual(14);
    const refused = await request.get("/sandbox/api/v1/queue/apikey/models");
    expect(refused.status()).toBe(401);
  });
});

test("the first load of /create stays small and brings no sandbox", { tag: "@long-stories" }, async ({
  page,
  host,
  canary,
}) => {
  // As a service with a key: the demo has a speed control besides, which comes whenever the page is idle.
  await page.goto("/connect");
  await page.getByLabel("API key").fill(canary);
  await page.getByLabel("Queue URL").fill(`${host.url}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${host.url}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();

  await settled(page);
  // What the studio loads afterwards, when it has nothing else to do, holds up no form.
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector("#root button[aria-label=Run]")) return;
      observer.disconnect();
      performance.mark("form");
    }).observe(document, { subtree: true, childList: true });
  });
  const bodies = new Map<string, Promise<Buffer>>();
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    const body = response.body();
    // What the page before the reload was still loading is gone with it.
    body.catch(() => undefined);
    bodies.set(response.url(), body);
  });
  await page.reload();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  const before = await page.evaluate(() => {
    const [form] = performance.getEntriesByName("form");
    const files = performance
      .getEntriesByType("resource")
      .filter(({ startTime }) => startTime < (form?.startTime ?? 0));
    return files.map(({ name }) => name);
  });
  const loaded = await Promise.all(
    [...bodies]
      .filter(([url]) => before.includes(url))
      .map(async ([url, body]) => ({ url, bytes: gzipSync(await body).length, text: String(await body) })),
  );
  expect(loaded.length).toBeGreaterThan(0);
  // With what `npm run size` leaves out, because it holds up no form: the page's first script with the rules of the first
  // paint, the examples, the keys of commands and the list of requests.
  expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(340_000);
  expect(loaded.filter(({ text }) => /createSandbox|\[MSW\]/.test(text)).map(({ url }) => url)).toEqual([]);
});
