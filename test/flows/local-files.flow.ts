import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { axe, expect, settled, test } from "./fixtures.ts";
import { ONE_PIXEL } from "./steps.ts";

/** A server of this machine that notes what reaches it. */
async function startServer(answers: (path: string) => string | Buffer) {
  const met: string[] = [];
  const server = createServer((incoming, outgoing) => {
    met.push(`${incoming.method} ${incoming.url}`);
    const answer = answers(incoming.url ?? "");
    outgoing.setHeader("Content-Type", typeof answer === "string" ? "application/json" : "image/png").end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, met, stop };
}

/** A service of which each job has one of these files. */
function startService(files: readonly string[]) {
  const jobs = files.map((url, at) => ({
    request_id: `job-${at}`,
    model: "a-model",
    status: "success",
    created_at: Math.floor(Date.now() / 1000) - 60 - at,
    payload: { prompt: `A lamp in the fog ${at}` },
    outcome: { media_urls: [{ id: "0", type: "image", url }] },
  }));
  const answers: Record<string, unknown> = {
    "/q/apikey/models": { model_ids: ["a-model"] },
    "/q/apikey/models/a-model": { model: "a-model", parameters: { type: "object", properties: {} } },
    "/q/apikey/requests/estimate": { model: "a-model", price: 35_000, currency: "micro_usd" },
    "/q/apikey/requests": { requests: jobs, total: jobs.length },
    "/q/apikey/requests/job-0": jobs[0],
    "/i/v1/models": { data: [{ id: "a-text-model" }] },
  };
  return startServer((url) => JSON.stringify(answers[url.split("?", 1)[0] ?? ""] ?? {}));
}

test("a local port that a local service names is asked for only after a press that names it", async ({
  page,
  host,
  canary,
  atEnd,
}) => {
  const store = await startServer(() => ONE_PIXEL);
  atEnd(store.stop);
  const victim = await startServer(() => ONE_PIXEL);
  atEnd(victim.stop);
  const service = await startService([
    `http://localhost:${store.port}/shutdown?confirm=yes`,
    `http://127.0.0.1:${victim.port}/shutdown?confirm=yes`,
    // The host would ask in the name of whoever may.
    `${host.url}/relay/media/http/127.0.0.1:${victim.port}/shutdown?confirm=yes`,
    `${host.url}/relay/media/http/localhost:${store.port}/by-the-host`,
  ]);
  atEnd(service.stop);
  await page.goto("/connect");
  await page.getByLabel("API key").fill(canary);
  await page.getByLabel("Queue URL").fill(`http://127.0.0.1:${service.port}/q`);
  await page.getByLabel("Inference URL").fill(`http://127.0.0.1:${service.port}/i`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "History" }).click();
  await expect(page.getByText("A lamp in the fog 3").first()).toBeVisible();
  await settled(page);
  await page.goto("/jobs/job-0");
  const press = page.getByRole("button", { name: `Load from http://localhost:${store.port}` });
  await expect(press).toBeVisible();
  await axe(page);
  expect([...store.met, ...victim.met], "what came before the press").toEqual([]);

  await press.click();
  const picture = page.getByRole("img", { name: "A lamp in the fog 0" }).first();
  const width = () => picture.evaluate((img: HTMLImageElement) => img.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  await page.reload();
  await expect.poll(width).toBeGreaterThan(0);
  await page.goto("/history");
  await expect(page.getByText("A lamp in the fog 3").first()).toBeVisible();
  await settled(page);
  expect([...new Set(store.met)]).toEqual(["GET /shutdown?confirm=yes"]);
  expect(victim.met, "what came to an address that nobody pressed").toEqual([]);
});
