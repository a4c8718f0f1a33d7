import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page, Request } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { ONE_PIXEL, openSandbox, run, sameSession } from "./steps.ts";

/** `UPLOAD_BYTES=2000000000 npm run flows -- connections` sends a whole 2 GB, as fast as the sandbox takes it. */
const UPLOAD_BYTES = Number(process.env.UPLOAD_BYTES ?? 4_000_000);
/** So the smaller file is on its way for longer than the story takes. */
const SLOW_BYTES_PER_SECOND = 20_000;
const WAITS = "Waiting for other requests. Not sent yet.";

test.use({
  sandboxSpeed: 1,
  hostEnvironment: { SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: "5", SAFELIGHT_SANDBOX_HISTORY: "200" },
});

/** The requests of a kind that have begun and are not over, in all tabs, and how many there were at most. */
function requestsUnderWay(context: BrowserContext, isMeant: (request: Request) => boolean) {
  const open = new Set<Request>();
  let most = 0;
  let over = 0;
  context.on("request", (request) => {
    if (!isMeant(request)) return;
    open.add(request);
    most = Math.max(most, open.size);
  });
  const end = (request: Request) => {
    if (open.delete(request)) over += 1;
  };
  context.on("requestfinished", end);
  context.on("requestfailed", end);
  return { now: () => open.size, most: () => most, over: () => over };
}

const pathOf = (request: Request) => new URL(request.url()).pathname;
const isStream = (request: Request) => /\/v1\/(messages|responses|completions)$/.test(pathOf(request));
const isUpload = (request: Request) => request.method() === "PUT";
const isThumbnail = (request: Request) => pathOf(request).includes("/storage/media/");

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(path);
  await expect(tab.getByRole("navigation", { name: "Main" })).toBeVisible();
  return tab;
}

/** Four columns that go on answering for many minutes. */
async function askFourColumns(page: Page): Promise<void> {
  // Another tab opens the conversation of the last one.
  await expect(page.getByRole("textbox", { name: /^Message/ })).toBeVisible();
  // Its key is loaded after the screen, and until then a press does nothing.
  await expect(async () => {
    await page.keyboard.press("Shift+N");
    await expect(page.getByRole("region", { name: /^Column \d/ })).toHaveCount(1);
  }).toPass();
  for (let columns = 1; columns < 4; columns += 1) await page.getByRole("button", { name: "Add column" }).click();
  const composer = page.getByRole("textbox", { name: /^Message/ });
  await composer.fill("A slow answer long:5000");
  await composer.press("Enter");
}

/** A file with the first bytes of an mp4; the rest is nothing. */
async function clipFile(folder: string): Promise<string> {
  const path = join(folder, "clip.mp4");
  const file = await open(path, "w");
  await file.write(Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41", "latin1"));
  await file.truncate(UPLOAD_BYTES);
  await file.close();
  return path;
}

async function slowUploads(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: SLOW_BYTES_PER_SECOND,
  });
}

let folder = "";
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "safelight-upload-"));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

// P26.
test("Run and polls go ahead of eight columns, an upload and thumbnails", { tag: ["@slow", "@long-money"] }, async ({
  page,
}) => {
  const context = page.context();
  await openSandbox(page, "/create/halide-video");
  await sameSession(page);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("stuck:hour");
  await run(page);
  const protocol = await page.evaluate(
    () => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).nextHopProtocol,
  );
  expect(protocol, "the host's default address has no TLS").toBe("http/1.1");

  const streams = requestsUnderWay(context, isStream);
  const uploads = requestsUnderWay(context, isUpload);
  const thumbnails = requestsUnderWay(context, isThumbnail);

  const columns = await openTab(context, "/playground");
  await askFourColumns(columns);
  await expect(columns.getByText(/chunks$/)).toHaveCount(4);
  const moreColumns = await openTab(context, "/playground");
  await askFourColumns(moreColumns);
  await expect(moreColumns.getByText(WAITS)).toHaveCount(4);

  const inputs = await openTab(context, "/create/marionette");
  if (UPLOAD_BYTES < 1e9) await slowUploads(inputs);
  await inputs.getByLabel("File for Video").setInputFiles(await clipFile(folder));
  await expect.poll(uploads.now).toBe(1);
  const picture = { name: "lamp.png", mimeType: "image/png", buffer: ONE_PIXEL };
  await inputs.getByLabel("File for Image").setInputFiles(picture);
  await expect(inputs.getByRole("group", { name: "Image" }).getByText("Waiting for a free connection")).toBeVisible();

  // Four streams and the upload leave one connection: pictures come over it one by one.
  await openTab(context, "/history");
  await expect.poll(thumbnails.over).toBeGreaterThan(1);
  // The end of one may be reported after the beginning of the next. Without turns there would be dozens.
  expect(thumbnails.most()).toBeLessThan(3);

  const answers = requestsUnderWay(
    context,
    (request) => request.method() === "POST" && /\/requests$/.test(pathOf(request)),
  );
  const create = await openTab(context, "/create/lumen-2");
  await create.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp");
  await run(create);
  // A busy machine may answer later than the studio waits for the job list. It then says that nothing was sent.
  const again = create.getByRole("button", { name: /^Run again/ });
  await expect(async () => {
    if (await again.isVisible()) await again.click();
    expect(answers.over()).toBe(1);
  }).toPass({ timeout: 180_000 });

  const polls = requestsUnderWay(
    context,
    (request) => request.method() === "GET" && /\/requests\/[^/]+$/.test(pathOf(request)),
  );
  await expect.poll(polls.over).toBeGreaterThan(1);
  // There are two jobs at most, and none is polled again before it was answered.
  expect(polls.most()).toBeLessThan(3);
  // All of it was answered while everything else was still on its way.
  expect([streams.now(), streams.over(), uploads.now(), uploads.over()]).toEqual([4, 0, 1, 0]);

  await columns.bringToFront();
  await columns.getByRole("button", { name: /^Stop/ }).first().click();
  await expect.poll(streams.over).toBeGreaterThan(0);
  await moreColumns.bringToFront();
  await expect(moreColumns.getByText(/chunks$/)).not.toHaveCount(0);
});
