import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { ask, download, openModel, openSandbox, run } from "./steps.ts";

interface Charge {
  kind: "charge" | "refund";
  amountMicroUsd: number;
}

/** What the sandbox took and gave back, by its own account. */
async function account(page: Page): Promise<{ net: number; refunded: number }> {
  const { entries } = (await (await page.request.get("/sandbox/settings/charges")).json()) as { entries: Charge[] };
  const sum = (kind: Charge["kind"]) =>
    entries.filter((entry) => entry.kind === kind).reduce((total, entry) => total + entry.amountMicroUsd, 0);
  return { net: sum("charge") - sum("refund"), refunded: sum("refund") };
}

/** "$0.035" for 35000, as the studio writes it. */
function dollars(micro: number): string {
  const decimals = String(micro % 1_000_000)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `$${Math.floor(micro / 1_000_000)}.${decimals}`;
}

/** An amount on the screen, in micro-USD. */
function micro(text: string | null): number {
  const [, whole = "0", decimals = "0"] = /\$([\d,]+)\.(\d+)/.exec(text ?? "") ?? [];
  return Number(whole.replaceAll(",", "")) * 1_000_000 + Number(decimals.padEnd(6, "0"));
}

const figure = (page: Page, name: string) => page.locator("dl > div", { hasText: name });

async function runPrompt(page: Page, model: string, prompt: string): Promise<void> {
  await page.goto(`/create/${model}`);
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill(prompt);
  await run(page);
}

test("runs, a failed one and an answer, in two projects: each figure is the sandbox's own", async ({ page }) => {
  await openModel(page, "lumen-2-fast");
  await page.getByRole("combobox", { name: "Project" }).selectOption("New project");
  await page.getByRole("textbox", { name: "New project name" }).fill("Harbour guide");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Project" })).toContainText("Harbour guide");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A quay at dawn");
  await run(page);
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
  await axe(page);
  const project = page.getByRole("combobox", { name: "Project" });
  await project.selectOption("No project");
  // It is shown as chosen once it is stored, and only then the page is left.
  await expect(project).toHaveValue("");
  await runPrompt(page, "lumen-2-pro", "fail:moderation A boat");
  await expect(page.getByText(/refunded/i).first()).toBeVisible();
  await runPrompt(page, "lumen-2", "A tram");
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();

  const { net: runsAlone } = await account(page);
  await page.goto("/playground");
  await ask(page, "Why do neap tides happen? tps:1000");
  // The answer is charged when it is over.
  await expect.poll(async () => (await account(page)).net).toBeGreaterThan(runsAlone);
  await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
  const spent = await account(page);
  const link = page.getByRole("link", { name: "Spend" });
  await expect(link).toContainText(dollars(spent.net));
  await link.click();

  await expect(figure(page, "Total charged")).toContainText(dollars(spent.net));
  await expect(figure(page, "Refunded")).toContainText(dollars(spent.refunded));
  await expect(figure(page, "Unconfirmed")).toContainText("No unconfirmed charges");
  await expect(figure(page, "Price unknown")).toContainText("All prices known");
  const chart = page.getByRole("slider", { name: "Charged, by time and model" });
  await expect(chart).toHaveAttribute("aria-valuetext", new RegExp(`: ${dollars(spent.net).replace("$", "\\$")}\\.`));
  for (const title of ["By model", "By project"]) {
    const amounts = await page
      .getByRole("region", { name: title })
      .locator("tbody tr td:nth-of-type(3)")
      .allTextContents();
    expect(
      amounts.map(micro).reduce((sum, one) => sum + one, 0),
      title,
    ).toBe(spent.net);
  }
  await expect(page.getByText(/^Counted from [\d,]+ tokens at the list price$/)).toHaveCount(1);
  await axe(page);

  // The cost of the week by project: two presses.
  await page.getByRole("radio", { name: "7 days" }).check();
  await page.getByRole("button", { name: "Harbour guide", exact: true }).click();
  const ledger = page.getByRole("region", { name: "Transactions" });
  await expect(ledger.getByRole("listitem")).toHaveCount(1);
  await expect(page).toHaveURL(/range=.*7.*project=/);
  const { bytes } = await download(page, () =>
    page.getByRole("button", { name: "Export transactions as CSV" }).click(),
  );
  const [head = "", line = ""] = bytes.toString().split("\r\n");
  const columns = line.split(",");
  expect(columns[head.split(",").indexOf("project")]).toBe("Harbour guide");
  await expect(figure(page, "Total charged")).toContainText(dollars(Number(columns[3])));
  await page.goBack();
  await expect(ledger.getByRole("listitem")).toHaveCount(5);

  // By keys: the day before is without data, and the table has the same values.
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /no data$/);
  await page.getByRole("button", { name: "Show chart as table" }).click();
  await expect(
    page.getByRole("region", { name: "Chart values" }).getByRole("cell", { name: dollars(spent.net) }),
  ).toBeVisible();
  await axe(page);
});

test("a limit refuses a run of its project and a message, before anything is sent", async ({ page }) => {
  await openSandbox(page, "/spend");
  await page.getByRole("textbox", { name: "Limit per day" }).fill("0.001");
  await page.getByRole("button", { name: "Save limits" }).click();
  await expect(page.getByText("Limits saved")).toBeVisible();
  await runPrompt(page, "lumen-2-fast", "A quay");
  await expect(page.getByText(/above your limit per day/)).toBeVisible();

  await page.goto("/playground");
  await ask(page, "Why do neap tides happen?");
  await expect(page.getByText("Not sent: over your limit per day")).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Message/ })).toHaveValue("Why do neap tides happen?");
  expect((await account(page)).net).toBe(0);
  await axe(page);
});

test("on a phone all of it is there", { tag: "@long-accessibility" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openModel(page, "lumen-2-fast");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A quay at dawn");
  await run(page);
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
  await page.goto("/spend");
  await expect(figure(page, "Total charged")).toContainText(/\$0\.0\d/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await axe(page);
});
