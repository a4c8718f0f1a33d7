import { createServer, type IncomingHttpHeaders, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "./fixtures.ts";
import { connectByKey, goTo, keyLine, test } from "./session-host.ts";

/** Another server of this machine: it receives the cookie, since cookies do not separate ports. */
async function startNeighbour() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming.headers);
    outgoing.setHeader("Content-Type", "text/html").end("<!doctype html><title>Neighbour</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, stop: () => server.close() };
}

/** What a program sends that may write any header. Resolves to the status. */
function forge(url: string, method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const forged = send(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    forged.on("error", reject);
    forged.end(method === "POST" ? "{}" : undefined);
  });
}

// What it forges is refused, and the host's log says so.
test.use({ refusals: ["not_same_origin"] });

// Part 4: cookies do not separate ports.
test("another server of the machine receives the cookie and can do nothing with it", async ({
  page,
  context,
  host,
  service,
  canary,
  faults,
  atEnd,
}) => {
  faults.allow(/^console: |^request to /);
  await page.goto("/connect");
  await connectByKey(page, service.url, canary);
  const neighbour = await startNeighbour();
  atEnd(() => neighbour.stop());
  const strange = await context.newPage();
  await strange.goto(neighbour.url);
  const cookie = neighbour.seen[0]?.cookie ?? "";
  expect(cookie, "it receives the cookie").toContain("safelight-session-");

  const { host: name } = new URL(service.url);
  const jobs = `/relay/api/http/${name}/sandbox/api/v1/queue/apikey/requests`;
  const id = /safelight-session-[0-9a-f]+-([\w-]{22})=/.exec(cookie)?.[1] ?? "";
  const asPage = {
    Origin: host.url,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
    Cookie: cookie,
  };
  const statuses = [
    await forge(host.url + jobs, "GET", asPage),
    await forge(host.url + jobs, "POST", { ...asPage, "X-Safelight-Intent": "intent-of-another" }),
    await forge(host.url + jobs, "GET", { ...asPage, "X-Safelight-Session": `${id}.${"A".repeat(43)}` }),
    await forge(`${host.url}/session`, "DELETE", { ...asPage, "X-Safelight-Session": `${id}.${"A".repeat(43)}` }),
    await forge(`${host.url}/session`, "DELETE", asPage),
  ];
  expect(statuses).toEqual([401, 401, 401, 401, 401]);

  const fromPage = await strange.evaluate(
    async ([origin, path]) => {
      const tries = [
        fetch(origin + path, { credentials: "include" }),
        fetch(origin + path, { credentials: "include", headers: { "X-Safelight-Session": "x" } }),
        fetch(`${origin}/session`, { method: "DELETE", credentials: "include" }),
        fetch(`${origin}/session`, { method: "POST", credentials: "include", body: "{}" }),
      ];
      const read = await Promise.allSettled(tries);
      // Whatever becomes of what nobody can read: the service must not have had it, see below.
      await fetch(origin + path, { method: "POST", mode: "no-cors", credentials: "include", body: "{}" }).catch(
        () => {},
      );
      return read.map(({ status }) => status);
    },
    [host.url, jobs] as const,
  );
  expect(fromPage).toEqual(["rejected", "rejected", "rejected", "rejected"]);
  const form = strange.waitForResponse((response) => response.url().startsWith(host.url));
  await strange.setContent(`<form method="post" action="${host.url}${jobs}"><button>Go</button></form>`);
  await strange.getByRole("button", { name: "Go" }).click();
  expect((await form).status()).toBeGreaterThanOrEqual(400);

  const list = await page.request.get(`${service.url}/sandbox/api/v1/queue/apikey/requests`, {
    headers: { Authorization: "Bearer sandbox-key" },
  });
  expect((await list.json()).requests).toEqual([]);
  // The page itself goes on.
  await goTo(page, "History");
  await expect(keyLine(page, canary)).toBeVisible();
});
