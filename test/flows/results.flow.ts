import { axe, expect, test } from "./fixtures.ts";
import { download, openModel, pngSize, run } from "./steps.ts";

const WORDS = "A lighthouse on basalt cliffs";

test("four results: one large, downloaded, starred, run with another seed, used as input", {
  tag: "@long-stories",
}, async ({ page, request }) => {
  await openModel(page, "lumen-2");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill(WORDS);
  await page.getByRole("radio", { name: "4", exact: true }).check();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText("$0.14");
  await run(page);
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("list", { name: "Results" }).getByRole("listitem")).toHaveCount(4);
  await expect(result).toContainText(/Files4 PNG, [\d.]+ [kM]B/);
  await expect(result).toContainText("Pixels1024 × 1024");
  await expect(result).toContainText("Charged $0.14");
  await expect(result).toContainText("Expires in 60 days");
  await axe(page);

  const cell = (place: number) => result.getByRole("button", { name: `View full size: ${WORDS}, ${place} of 4` });
  await cell(2).hover();
  const { bytes } = await download(page, () => result.getByRole("button", { name: "Download, 2 of 4" }).click());
  expect(pngSize(bytes)).toEqual({ width: 1024, height: 1024 });
  await cell(3).hover();
  await result.getByRole("button", { name: "Star, 3 of 4" }).click();
  await expect(result.getByRole("button", { name: "Star, 3 of 4" })).toHaveAttribute("aria-pressed", "true");

  await cell(2).click();
  await page.keyboard.press("ArrowRight");
  await expect(result.getByRole("figure", { name: `${WORDS}, 3 of 4` })).toBeFocused();
  await expect(result.getByRole("button", { name: "Star, 3 of 4" })).toHaveAttribute("aria-pressed", "true");
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(cell(3)).toBeFocused();

  const again = result.getByRole("button", { name: /^Run again with new seed/ });
  await expect(again).toContainText("$0.14");
  const before = page.url();
  await again.click();
  await expect(page).not.toHaveURL(before);
  await expect(result.getByRole("list", { name: "Results" }).getByRole("listitem")).toHaveCount(4);
  const list = await request.get("/sandbox/api/v1/queue/apikey/requests", {
    headers: { Authorization: "Bearer sandbox-key" },
  });
  const jobs: { payload: { seed?: number | null } }[] = (await list.json()).requests;
  expect(jobs).toHaveLength(2);
  expect(jobs.filter(({ payload }) => typeof payload.seed === "number")).toHaveLength(1);

  await cell(1).hover();
  await result.getByRole("button", { name: "Use as input, 1 of 4" }).click();
  await page
    .getByRole("dialog", { name: /as input$/ })
    .getByRole("list", { name: "Models" })
    .getByRole("button")
    .first()
    .click();
  await expect(page.getByText(/^Added from History: /)).toBeVisible();
});
