import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openSandbox } from "./steps.ts";

const HELD = /\/assets\/.*\.js$/;

/** The scripts of the studio do not come until the function that this resolves to is called. */
async function hold(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(HELD, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test.describe("before the scripts of the studio have come", () => {
  for (const colorScheme of ["dark", "light"] as const) {
    test.describe(colorScheme, { tag: colorScheme === "light" ? "@long-accessibility" : [] }, () => {
      test.use({ colorScheme });

      test("Connect is there already, then the shell, and nothing moves when the studio takes over", async ({
        page,
      }) => {
        const release = await hold(page);
        await page.goto("/connect", { waitUntil: "commit" });
        const drawn = page.locator("#first-paint main:visible");
        await expect(drawn).toContainText("Connect your service");
        await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
        const before = await placesIn(drawn);
        release();
        await expect(page.locator("#first-paint")).toHaveCount(0);
        expect(await placesIn(page.locator("#root main"))).toEqual(before);
        await axe(page, { always: true });
        await page.unroute(HELD);

        // A tab that is connected begins with the shell and its places.
        await page.getByRole("button", { name: "Open sandbox" }).click();
        await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
        const again = await hold(page);
        await page.goto("/history", { waitUntil: "commit" });
        const shell = page.locator("#first-paint header:visible");
        await expect(shell).toContainText("History");
        const links = await placesOf(shell.locator("li a"));
        again();
        await expect(page.locator("#first-paint")).toHaveCount(0);
        expect(await placesOf(page.locator("#root header li a"))).toEqual(links);
      });
    });
  }

  test("on a large screen Connect stands a little above the middle", { tag: "@long-accessibility" }, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 2560, height: 1440 });
    await page.goto("/connect");
    const top = (await page.getByRole("heading", { level: 1 }).boundingBox())?.y ?? 0;
    const end = await page.getByRole("button", { name: "Connect", exact: true }).boundingBox();
    const middle = (top + (end?.y ?? 0) + (end?.height ?? 0)) / 2;
    expect(middle).toBeGreaterThan(1440 * 0.4);
    expect(middle).toBeLessThan(1440 * 0.5);
  });

  test("a script that does not come leaves words in its place", { tag: "@long-stories" }, async ({ page, faults }) => {
    faults.allow(/Failed to load|ERR_FAILED/);
    await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort());
    await page.goto("/connect");
    await expect(page.getByRole("alert")).toHaveText(
      "Part of Safelight couldn’t be loaded. Check your connection, then reload the page.",
    );
    await expect(page.locator("#first-paint")).toHaveCount(0);
  });
});

test("without scripts the page says what it needs", { tag: "@long-stories" }, async ({ request }) => {
  // A page that is driven from outside counts as one with scripts, so its text is read.
  const html = await (await request.get("/connect", { headers: { Accept: "text/html" } })).text();
  expect(html).toMatch(/<noscript><p[^>]*>Safelight runs in your browser and needs JavaScript\./);
});

test("an example of each kind fills the form of a fitting model, and submits nothing", async ({ page }) => {
  const submitted: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && !/estimate|\/session/.test(request.url())) submitted.push(request.url());
  });
  await openSandbox(page);
  const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
  for (const [kind, words] of [
    ["Video", "A red kite"],
    ["Image", "A lighthouse"],
  ] as const) {
    await page.getByRole("button", { name: new RegExp(`^${kind}: `) }).click();
    await expect(prompt).toHaveValue(new RegExp(words));
    await expect(prompt).toBeFocused();
    await expect(
      page
        .getByRole("region", { name: "Inputs" })
        .getByRole("button", { name: new RegExp(kind) })
        .first(),
    ).toBeVisible();
  }
  // What a person has written stays.
  await prompt.fill("My own words");
  await page.getByRole("button", { name: /^Image: / }).click();
  await expect(prompt).toHaveValue("My own words");
  await page.getByRole("button", { name: /^Text: / }).click();
  await expect(page.getByRole("textbox", { name: /Message/ }).first()).toHaveValue(/desk lamp/);
  expect(submitted).toEqual([]);
});

test("what can be installed is whole", { tag: "@long-stories" }, async ({ page }) => {
  await page.goto("/connect");
  const { manifest, icons } = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>("link[rel=manifest]")?.href ?? "";
    const read = await (await fetch(address)).json();
    const icons = await Promise.all(
      read.icons.map(async ({ src, sizes }: { src: string; sizes: string }) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return [sizes, sizes === "any" ? "any" : `${image.naturalWidth}x${image.naturalHeight}`];
      }),
    );
    return { manifest: read, icons };
  });
  expect(manifest).toMatchObject({ name: "Safelight", start_url: "/create", display: "standalone" });
  for (const [said, is] of icons as [string, string][]) expect(is).toBe(said);
});

test("without a network the studio opens, shows what is stored and says what it cannot do", { tag: "@slow" }, async ({
  page,
  context,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch)/);
  await openSandbox(page);
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Paper boats on a canal");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await offlineWorker(page);
  await page.reload();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expect(page.getByText("You’re offline", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  // Neither an answer of the service nor a file of a job is among what is kept.
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return lists.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(
    kept.filter((path) => !/^\/(assets\/[^/]+|start\.js|favicon[\w-]*\.svg|examples\/\w+\.webp)$/.test(path)),
  ).toEqual([]);
  await context.setOffline(false);
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expect(page.getByText("You’re offline", { exact: true })).toBeHidden();
});

test("a file that somebody put into the cache is not run", { tag: "@long-stories" }, async ({
  page,
  context,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch)/);
  await openSandbox(page);
  await offlineWorker(page);
  await page.evaluate(async () => {
    const cache = await caches.open("safelight-shell");
    const forged = () => new Response("window.wasForged = true", { headers: { "Content-Type": "text/javascript" } });
    for (const { url } of await cache.keys()) if (url.endsWith(".js")) await cache.put(url, forged());
    await cache.put("/create", new Response("<script>window.wasForged = true</script>"));
  });
  await page.reload();
  await context.setOffline(true);
  await page.reload();
  expect(await page.evaluate(() => "wasForged" in window)).toBe(false);
});

/** Resolves once the studio's worker is at work. The studio registers it by itself when it has been open for a while. */
async function offlineWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active && active.state !== "activated") {
      await new Promise((resolve) => active.addEventListener("statechange", resolve, { once: true }));
    }
  });
}

/** Where the parts of a view stand, in whole pixels. */
async function placesIn(view: import("@playwright/test").Locator) {
  return placesOf(view.locator("h1, h2, label, input:not([type=radio]), textarea, summary, button:visible"));
}

/** Where they are in the studio's fonts: before those have come, words are a little wider or narrower. */
function placesOf(parts: import("@playwright/test").Locator) {
  return parts.evaluateAll(async (elements) => {
    // Asked for by name: `fonts.ready` may be settled already while the style sheet with the fonts is still on its way.
    let fonts: FontFace[] = [];
    while (fonts.length === 0) {
      await new Promise(requestAnimationFrame);
      fonts = await document.fonts.load('1em "Geist Variable"');
    }
    return elements
      .map((element) => element.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" "));
  });
}
