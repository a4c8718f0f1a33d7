import { placesInPage, spellingsOf } from "../flows/canary.ts";
import { expect, test } from "./fixtures.ts";
import { connectByKey, goTo, keyLine, prompt } from "./steps.ts";

test.describe("connect", () => {
  // K1, K12.
  test("a typed key opens the studio, is stored nowhere, and is forgotten", async ({ tab, host, canary }) => {
    await tab.open("/connect");
    await connectByKey(tab, host.url, canary);
    await keyLine(tab, canary).seen();
    for (const screen of ["History", "Spend", "Settings"]) await goTo(tab, screen);
    expect(await tab.evaluate(placesInPage, spellingsOf(canary)), "where the key was found").toEqual([]);
    // The search finds what is there.
    await tab.evaluate((key) => localStorage.setItem("planted", key), canary);
    expect(await tab.evaluate(placesInPage, spellingsOf(canary))).toEqual(["localStorage: planted"]);
    await tab.evaluate(() => localStorage.removeItem("planted"));

    await tab.reload();
    await keyLine(tab, canary).seen();
    await tab.role("button", "Disconnect").click();
    await tab.role("alertdialog").role("button", "Disconnect").click();
    await tab.label(/^API key/).seen();
    await tab.reload();
    await tab.label(/^API key/).says(/^$/);
    expect(await tab.evaluate(placesInPage, spellingsOf(canary)), "where the key was found").toEqual([]);
  });

  test("a revoked key is refused in words", async ({ tab, host }) => {
    await tab.open("/connect");
    await tab.label(/^API key/).fill("revoked-key");
    await tab.label(/^Queue URL/).fill(`${host.url}/sandbox/api/v1/queue`);
    await tab.role("button", "Connect").click();
    await tab
      .text(/missing, invalid or revoked/i)
      .at(0)
      .seen();
  });

  test("a curl command that is typed fills the form", async ({ tab, host }) => {
    await tab.open("/connect");
    await tab
      .role("textbox", /^Paste/)
      .fill(`curl ${host.url}/sandbox/v1/models -H "Authorization: Bearer sandbox-key"`);
    // What is typed is read when the field is left.
    await tab.press("Tab");
    await expect.poll(() => tab.label(/^Inference URL/).content()).toBe(`${host.url}/sandbox`);
    await tab.role("button", "Connect").click();
    await tab.role("navigation", "Main").seen();
  });

  // Two tabs of one browser have one store, and a channel between them.
  test("a theme and a disconnection reach the other tab", async ({ openTab, tab, host, canary }) => {
    await tab.open("/connect");
    await tab.role("checkbox", /all tabs/).click();
    await connectByKey(tab, host.url, canary);
    await prompt(tab).seen();
    await goTo(tab, "Settings");
    const second = await openTab();
    await second.open("/settings");
    await keyLine(second, canary).seen();
    const theme = () => second.evaluate(() => document.documentElement.dataset.theme);
    for (const choice of ["Light", "Dark"]) {
      await tab.role("radio", choice).click();
      await expect.poll(theme).toBe(choice.toLowerCase());
    }
    await tab.role("button", "Disconnect").click();
    await tab.role("alertdialog").role("button", "Disconnect").click();
    await tab.label(/^API key/).seen();
    await second.label(/^API key/).seen();
  });
});
