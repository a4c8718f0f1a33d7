import { expect, test } from "./fixtures.ts";
import { composer, openSandbox } from "./steps.ts";

const messages = (tab: Parameters<typeof composer>[0]) => tab.role("list", "Messages");

test.describe("the playground", () => {
  test("an answer arrives as a stream, and a reload keeps it", async ({ tab }) => {
    await openSandbox(tab, "/playground");
    await composer(tab).fill("Why do neap tides happen? Give me a table. tps:400");
    await tab.press("Enter");
    await tab.text(/^[\d,]+ tokens$/).seen();
    await tab.role("table").seen();
    await tab.reload();
    await tab.role("table").seen();
  });

  test("Stop ends a stream at once and keeps what arrived", async ({ tab }) => {
    await openSandbox(tab, "/playground");
    await composer(tab).fill("A slow answer tps:40 long:2000");
    await tab.press("Enter");
    // It would go on for 50 seconds.
    const answer = messages(tab).role("listitem").at(-1);
    await answer.says(/\w+ \w+ \w+/);
    await tab.role("button", /^Stop/).click();
    await tab.role("button", /^Stop/).gone();
    await tab
      .text(/may still be (charged|billed)/)
      .at(0)
      .seen();
    const kept = (await answer.content()).slice(0, 40);
    await tab.reload();
    await expect.poll(async () => (await answer.content()).slice(0, 40)).toBe(kept);
  });

  test("the field for a message grows with its lines, or scrolls", async ({ tab }) => {
    await openSandbox(tab, "/playground");
    await composer(tab).fill("One");
    const before = await composer(tab).evaluate((field) => field.clientHeight);
    for (const line of ["two", "three", "four"]) {
      await tab.press("Shift+Enter");
      await tab.type(line);
    }
    await composer(tab).says(/^One\ntwo\nthree\nfour$/);
    const field = await composer(tab).evaluate(({ clientHeight, scrollHeight }) => ({ clientHeight, scrollHeight }));
    expect(field.clientHeight, "its height").toBeGreaterThan(before);
    expect(field.scrollHeight).toBeLessThanOrEqual(field.clientHeight + 1);
  });
});
