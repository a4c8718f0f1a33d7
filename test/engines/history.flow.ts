import { expect, test } from "./fixtures.ts";
import { goTo, loaded, openSandbox } from "./steps.ts";

async function submit(hostUrl: string, model: string, prompt: string): Promise<string> {
  const answer = await fetch(`${hostUrl}/sandbox/api/v1/queue/apikey/requests`, {
    method: "POST",
    headers: { Authorization: "Bearer sandbox-key", "Content-Type": "application/json" },
    body: JSON.stringify({ model, payload: { prompt } }),
  });
  return ((await answer.json()) as { request_id: string }).request_id;
}

test.describe("history", () => {
  test("lists jobs, filters them by status and by day, and opens one", async ({ tab, host }) => {
    await submit(host.url, "lumen-2", "fail:moderation and more");
    const id = await submit(host.url, "lumen-2-fast", "A paper boat");
    await openSandbox(tab, "/history");
    await tab
      .text(/A paper boat/)
      .at(0)
      .seen();
    await tab.role("button", /^Status/).click();
    await tab.role("checkbox", "Failed").click();
    await tab.isAt(/status=failed/);
    await tab
      .text(/fail:moderation/)
      .at(0)
      .seen();
    await tab.text(/A paper boat/).gone();
    await tab.reload();
    await tab
      .text(/fail:moderation/)
      .at(0)
      .seen();
    await tab.role("button", /^Clear status/).click();
    await tab
      .text(/A paper boat/)
      .at(0)
      .seen();

    // A day in the field of this engine; typed day by day each engine has an order of its own.
    await tab.role("button", /^Date/).click();
    await tab.label("To").set("2001-02-03");
    await tab.isAt(/before=/);
    await tab.text(/A paper boat/).gone();
    await tab.role("button", /^Clear date/).click();
    await tab
      .text(/A paper boat/)
      .at(0)
      .seen();

    await tab.open(`/jobs/${id}`);
    await loaded(tab.role("img", /A paper boat/).at(0));
    await goTo(tab, "History");
    await tab
      .text(/A paper boat/)
      .at(0)
      .seen();
  });

  test("a finished run is in Spend, and its media can be deleted", async ({ tab, host }) => {
    const id = await submit(host.url, "lumen-2-fast", "A paper boat");
    await openSandbox(tab, `/jobs/${id}`);
    await loaded(tab.role("img", /A paper boat/).at(0));
    await tab.role("button", /^Delete (media|files)/).click();
    await tab
      .role("alertdialog")
      .role("button", /^Delete/)
      .click();
    await tab
      .text(/deleted/i)
      .at(0)
      .seen();
    await tab.open("/spend");
    await tab.role("button", /last 1,000 jobs/).click();
    await tab.role("main").says(/lumen-2-fast/);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
