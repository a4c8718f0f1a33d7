import { fileURLToPath } from "node:url";
import { expect, test } from "./fixtures.ts";
import { composer, jobsAt, loaded, openSandbox, prompt, result, run } from "./steps.ts";

const PICTURE = fileURLToPath(new URL("./upload.png", import.meta.url));

test.describe("create", () => {
  test("the first picture is made, shown and sized as asked", async ({ tab, host }) => {
    await openSandbox(tab);
    await prompt(tab).fill("Terracotta rooftops at noon");
    await tab.role("radio", /^1536\D1024/).click();
    await run(tab);
    const picture = result(tab)
      .role("img", /Terracotta rooftops/)
      .at(0);
    await loaded(picture);
    const size = () =>
      picture.evaluate(
        (element) => (element as HTMLImageElement).naturalWidth / (element as HTMLImageElement).naturalHeight,
      );
    expect(await size()).toBeCloseTo(1.5, 1);
    await tab
      .role("button", /^Download/)
      .at(0)
      .seen();
    expect(await jobsAt(host.url)).toHaveLength(1);
  });

  // M3.
  test("Ctrl+Enter in the prompt runs once, and a reload keeps the draft", async ({ tab, host }) => {
    await openSandbox(tab, "/create/lumen-2-fast");
    await prompt(tab).fill("A stone bridge in falling snow");
    await tab.role("button", /^Run/).says(/\$\d/);
    await expect.poll(() => tab.role("button", /^Run/).attribute("aria-disabled")).not.toBe("true");
    for (const _ of [1, 2]) await tab.press("Control+Enter");
    await loaded(
      result(tab)
        .role("img", /A stone bridge/)
        .at(0),
    );
    expect(await jobsAt(host.url)).toHaveLength(1);
    await tab.reload();
    await expect.poll(() => prompt(tab).content()).toBe("A stone bridge in falling snow");
  });

  test("a video plays, or says why it does not", async ({ tab }) => {
    await openSandbox(tab, "/create/halide-turbo");
    await prompt(tab).fill("Storm over a glass harbour");
    await run(tab);
    const video = result(tab).css("video");
    const hasVideo = async () => {
      if (
        (await result(tab)
          .text(/cannot (be played|be shown|play)/i)
          .count()) > 0
      )
        return "told";
      if ((await video.count()) === 0) return "waiting";
      return video.evaluate((element) => ((element as HTMLVideoElement).videoWidth > 0 ? "plays" : "waiting"));
    };
    await expect.poll(hasVideo).toMatch(/plays|told/);
  });

  test("a file of this machine is uploaded and edited", async ({ tab, host }) => {
    await openSandbox(tab, "/create/grainfield-edit");
    await tab.role("textbox", "Instruction").fill("Make the sea calm");
    await tab.css("main input[type=file]").at(0).chooseFiles(PICTURE);
    await tab.role("textbox", "Image").says(/\/sandbox\/storage\/inputs\//);
    await run(tab);
    // Until then the picture that is shown is the one that was uploaded.
    await tab
      .role("button", /^Download/)
      .at(0)
      .seen();
    await loaded(result(tab).css("img").at(0));
    expect(await jobsAt(host.url)).toHaveLength(1);
  });

  test("the palette opens by its key, finds a screen and goes there", async ({ tab }) => {
    await openSandbox(tab);
    await prompt(tab).seen();
    await tab.press("Control+k");
    await tab.role("combobox", /Search/).seen();
    await tab.type("playground");
    await tab
      .role("option", /Playground/)
      .at(0)
      .seen();
    await tab.press("Enter");
    await composer(tab).seen();
    await tab.press("Control+k");
    await tab.role("combobox", /Search/).seen();
    await tab.press("Escape");
    await tab.role("combobox", /Search/).gone();
  });
});
