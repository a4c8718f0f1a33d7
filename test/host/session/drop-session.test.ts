import { describe, expect, it } from "vitest";
import { ask } from "../relay/relay-world.ts";
import { KEY, openBrowser, SECRET, startService, startSessionHost } from "./session-world.ts";

// A tab that only tries a key must not end the session of another tab that works with it.
describe.each([
  ["in memory", {}],
  ["sealed", { SAFELIGHT_SESSION_SECRET: SECRET }],
])("of two sessions with the same key, %s", (_, environment) => {
  async function openTwo() {
    const service = await startService();
    const host = await startSessionHost(service, environment);
    const browser = openBrowser(service);
    await browser.connect(host, KEY);
    const first = browser.ticket;
    await browser.connect(host, KEY);
    const status = async (ticket: string) => {
      browser.ticket = ticket;
      return (await browser.read(host)).status;
    };
    return { host, browser, first, second: browser.ticket, status };
  }

  it("one is dropped alone, with its cookie", async () => {
    const { host, browser, first, second, status } = await openTwo();
    browser.ticket = second;
    const headers = browser.headers({ Origin: host.url });
    const answer = browser.keep(await ask(host.url, "/session?only=this", { method: "DELETE", headers }));
    expect(answer.status).toBe(204);
    expect(browser.cookies.size).toBe(1);
    expect([await status(first), await status(second)]).toEqual([200, 401]);
  });

  it("both end when the key is forgotten", async () => {
    const { host, browser, first, second, status } = await openTwo();
    browser.ticket = second;
    await browser.forget(host);
    expect(browser.cookies.size).toBe(0);
    expect([await status(first), await status(second)]).toEqual([401, 401]);
  });
});
