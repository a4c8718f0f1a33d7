import { expect, test } from "./fixtures.ts";
import { openSandbox, prompt, run } from "./steps.ts";

test.describe("create", () => {
  test("the first picture is made, shown and sized as asked", async ({ tab }) => {
    await openSandbox(tab);
    await prompt(tab).fill("Terracotta rooftops at noon");
    await tab.role("radio", /^1536x1024/).click();
    await run(tab);
    const picture = tab.role("region", "Result").role("img", /Terracotta rooftops/);
    await picture.seen(30_000);
    await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    await tab.role("button", /^Download/).seen();
  });
});
