import { placesInPage, spellingsOf } from "../flows/canary.ts";
import { serveStatic } from "../flows/serve-static.ts";
import { startHost, type TestHost } from "../flows/start-host.ts";
import { test as base, expect } from "./fixtures.ts";
import { composer, connectByKey, goTo, jobsAt, loaded, openSandbox, prompt, result, run } from "./steps.ts";

/** The built studio on a host that only hands out files, and a service on another origin that admits pages. */
const test = base.extend<{ service: TestHost }>({
  host: async ({ build }, use) => {
    const host = await serveStatic(build.dist);
    await use(host);
    await host.stop();
  },
  service: async ({ build }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60" }, build.mainFile);
    await use(service);
    await service.stop();
  },
});

test.describe("the studio on a static file host", () => {
  test("a picture is made in the page, behind its service worker", async ({ tab }) => {
    await openSandbox(tab, "/");
    await prompt(tab).fill("Paper boats on a canal");
    await run(tab);
    await loaded(
      result(tab)
        .role("img", /Paper boats/)
        .at(0),
    );
    await tab.reload();
    await prompt(tab).says(/Paper boats/);
  });

  // K1, K2, K12. Neither engine sends a stream as a request body: the run goes as plain bytes, once.
  test("a key in the Worker runs jobs and streams, and a reload asks for it again", async ({
    tab,
    service,
    canary,
  }) => {
    await tab.open("/");
    await connectByKey(tab, service.url, canary);
    await prompt(tab).fill("Paper boats on a canal");
    await run(tab);
    await loaded(
      result(tab)
        .role("img", /Paper boats/)
        .at(0),
    );
    expect(await jobsAt(service.url, canary)).toHaveLength(1);
    await goTo(tab, "Playground");
    await composer(tab).fill("Why do neap tides happen? tps:400");
    await tab.press("Enter");
    await tab.text(/^[\d,]+ tokens$/).seen();
    expect(await tab.evaluate(placesInPage, spellingsOf(canary)), "where the key was found").toEqual([]);
    await tab.reload();
    await tab.label(/^API key/).says(/^$/);
    await tab.label(/^Queue URL/).says(/\/api\/v1\/queue$/);
  });

  // K15.
  test("a key kept under a passphrase is unlocked with it alone", async ({ tab, service, canary }) => {
    await tab.open("/");
    await tab.role("checkbox", /with a passphrase/).click();
    await tab.label("Passphrase").fill("four words of mine");
    await tab.label("Repeat passphrase").fill("four words of mine");
    await connectByKey(tab, service.url, canary);
    // All parts of the screen have come: a reload in the middle cuts off what is under way.
    await prompt(tab).seen();
    await result(tab).says(/\S/);
    await tab.reload();
    const panel = tab.role("form", /^Unlock/);
    await panel.label("Passphrase").fill("four words of yours");
    await panel.role("button", "Unlock").click();
    await panel.says(/wrong passphrase/i);
    await panel.label("Passphrase").fill("four words of mine");
    await panel.role("button", "Unlock").click();
    await tab.role("navigation", "Main").seen();
    expect(await tab.evaluate(placesInPage, spellingsOf(canary)), "where the key was found").toEqual([]);
  });
});
