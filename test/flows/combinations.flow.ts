import type { Page } from "@playwright/test";
import { cases } from "../setup/cases.ts";
import { test as base, expect } from "./fixtures.ts";
import { startHost, type TestHost } from "./start-host.ts";
import { download, run } from "./steps.ts";

/** A service of another origin than the studio's, with several quirks at once. */
const test = base.extend<{ quirks: string; service: TestHost }>({
  quirks: ["", { option: true }],
  service: async ({ quirks }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60", SAFELIGHT_SANDBOX_QUIRKS: quirks });
    await use(service);
    await service.stop();
  },
  hostEnvironment: async ({ service }, use) => use({ SAFELIGHT_UPSTREAMS: service.url }),
});

/** Each is a service as it might be: a model's detail, records, lists, files and errors of its own. */
const SERVICES: readonly string[] = [
  "extra-statuses,outcome-null,outcome-bare-urls,times-iso,list-enveloped,detail-nested,error-string",
  "statuses-in-other-words,submit-without-outcome,outcome-flat,times-camel-case,list-as-items,detail-as-openapi",
  "record-enveloped,outcome-without-type,times-nested,list-bare,models-enveloped,detail-as-table,error-text",
  "lean-list,outcome-inline,times-microseconds,list-by-cursor,detail-as-json-text,no-cors-api,no-cors-storage",
  "outcome-bare-urls,untimed-records,list-with-has-more,list-null,odd-model-ids,detail-camel-case,empty-delete",
  "outcome-without-type,milliseconds,list-as-data,duplicate-model-ids,detail-with-decoys,detail-price-as-object",
  "extra-statuses,record-enveloped,list-without-total,lean-list,detail-nested,page-for-unknown,error-detail",
  "statuses-in-other-words,times-iso,outcome-flat,total-of-page,detail-as-openapi,unknown-405,error-html",
  "submit-without-outcome,outcome-null,times-nested,offset-in-pages,detail-camel-case,slow-drip",
  "reply-lost,times-camel-case,list-as-items,detail-as-json-text",
  "slow-submit,record-enveloped,list-bare,detail-as-table",
  "list-lag,lean-list,outcome-inline,detail-with-decoys,no-cors-uploads",
];

/** Connect, form, price, run, result, history, delete: as a person does them. */
async function mainStory(page: Page, service: string): Promise<void> {
  await page.goto("/connect");
  await page.getByLabel("API key").fill("sandbox-key");
  await page.getByLabel("Queue URL").fill(`${service}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${service}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

  await page.goto("/create/lumen-2");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp in the fog");
  await run(page);
  const picture = page.getByRole("img", { name: "A lamp in the fog" }).first();
  // One of the quirks answers a submit after twenty seconds.
  await expect(picture).toBeVisible();
  const { name, bytes } = await download(page, () => page.getByRole("button", { name: "Download" }).first().click());
  expect(name).toMatch(/\.png$/);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");

  await page.getByRole("link", { name: "History" }).click();
  const job = page.getByRole("grid").getByRole("link", { name: /A lamp in the fog/ });
  await expect(job.first()).toBeVisible();
  const address = await job.first().getAttribute("href");
  await page.goto(address ?? "/history");
  await expect(page.getByText("Done", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Delete files" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText(/You deleted these files/).first()).toBeVisible();
}

// All twelve in the long suite, where these stories are.
for (const quirks of SERVICES.slice(0, cases(4))) {
  test.describe(quirks, () => {
    test.use({ quirks });
    test("goes through the whole story", { tag: "@long-stories" }, async ({ page, service, faults }) => {
      // Where an answer is lost, the host tells the page so with 409.
      if (quirks.includes("reply-lost")) faults.allow(/409 \(Conflict\)/);
      await mainStory(page, service.url);
    });
  });
}
