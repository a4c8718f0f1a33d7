import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { useExportRun } from "#batch/sheet/export-run.ts";
import { downloadJob, saveBlob } from "#media/download/download-media.ts";
import { makeSmall } from "#media/thumbs/thumb-cache.ts";
import { strayCommands, unknownActs } from "../../app/acts-on-screen.ts";
import { givePhone } from "../../setup/give-phone.ts";
import { lumen, visitBatch } from "../batch-screen-story.tsx";
import { storeSent } from "../stored-runs.ts";

// jsdom draws nothing: what is drawn is looked at in Chromium.
vi.mock("#media/thumbs/thumb-cache.ts", async (original) => ({
  ...(await original<typeof import("#media/thumbs/thumb-cache.ts")>()),
  makeSmall: vi.fn(),
}));
vi.mock("#media/download/download-media.ts", async (original) => ({
  ...(await original<typeof import("#media/download/download-media.ts")>()),
  saveBlob: vi.fn(),
  downloadJob: vi.fn(async () => ({ reasons: [], saved: 1, opened: 0 })),
}));

const sheet = () => screen.getByRole("grid", { name: "Results" });
const cells = () =>
  within(sheet())
    .getAllByRole("gridcell")
    .filter((cell) => cell.hasAttribute("aria-selected"));
const names = () => cells().map((cell) => cell.getAttribute("aria-label"));
const cell = (name: RegExp) => within(sheet()).getByRole("gridcell", { name });
const selected = () => cells().filter((one) => one.getAttribute("aria-selected") === "true");
const bar = () => screen.getByRole("toolbar", { name: "Selected results" });
const filter = (name: RegExp) => screen.getByRole("radio", { name });

const PROMPTS = ["Lighthouse at dusk, 35 mm", "Harbour town at dusk, 35 mm"];
const SIZES = ["512x512", "1024x1024"];
const product = PROMPTS.flatMap((prompt) => SIZES.map((size) => lumen(prompt, { size, seed: 7 })));

/** The sheet of a batch whose runs have ended. */
async function visitSheet(requests = product) {
  const visit = await visitBatch({ groups: { Shots: requests }, isDone: true, search: "?view=sheet" });
  await waitFor(() => expect(names().filter((name) => /Done|Failed/.test(name ?? ""))).toHaveLength(requests.length));
  return visit;
}

const headings = (role: "columnheader" | "rowheader") =>
  within(sheet())
    .queryAllByRole(role)
    .flatMap((one) => one.textContent || []);
/** A button is there a moment before its command, which an effect offers. */
const expectCommands = () => waitFor(() => expect([unknownActs(), strayCommands()]).toEqual([[], []]));

describe("the contact sheet", () => {
  test("has what differs as headings, and is swapped", async () => {
    const { user, path } = await visitSheet();
    expect(headings("columnheader")).toEqual(["Prompt", ...SIZES]);
    expect(headings("rowheader")).toEqual(["Lighthouseat dusk, 35 mm", "Harbour townat dusk, 35 mm"]);
    expect(names()).toEqual([
      "512x512, Lighthouse, Done, $0.035",
      "1024x1024, Lighthouse, Done, $0.035",
      "512x512, Harbour town, Done, $0.035",
      "1024x1024, Harbour town, Done, $0.035",
    ]);
    await expectCommands();
    await user.click(screen.getByRole("button", { name: "Swap rows and columns" }));
    await waitFor(() => expect(headings("rowheader")).toEqual(SIZES));
    expect(path()).toContain("columns=prompt&rows=size");
    cells()[0]?.focus();
    await user.keyboard("c");
    await waitFor(() => expect(headings("columnheader")).toEqual(["Prompt", ...SIZES]));
    await user.keyboard("c");
    await waitFor(() => expect(headings("rowheader")).toEqual(SIZES));
    await user.selectOptions(screen.getByRole("combobox", { name: "Rows" }), "None");
    await waitFor(() => expect(headings("rowheader")).toEqual([]));
    // A third axis is a filter: one of its values, or all.
    await user.selectOptions(screen.getByRole("combobox", { name: "Size" }), "512x512");
    await waitFor(() => expect(cells()).toHaveLength(2));
  });

  test("is walked through and selected by keys, and two are compared", async () => {
    const { user, path } = await visitSheet();
    cells()[0]?.focus();
    await user.keyboard("{ArrowRight}{ArrowDown}");
    expect(cell(/^1024x1024, Harbour/)).toHaveFocus();
    await user.keyboard(" ");
    expect(selected()).toHaveLength(1);
    expect(within(bar()).queryByRole("button", { name: "Compare" })).not.toBeInTheDocument();
    await user.keyboard(" ");
    expect(selected()).toHaveLength(0);
    await user.keyboard(" ");
    await user.keyboard("{Shift>}{ArrowUp}{/Shift}");
    expect(selected().map((one) => one.getAttribute("aria-label"))).toEqual([
      expect.stringMatching(/^1024x1024, Lighthouse/),
      expect.stringMatching(/^1024x1024, Harbour/),
    ]);
    expect(within(bar()).getByText("2 selected")).toBeVisible();
    await user.keyboard("{Escape}");
    expect(selected()).toHaveLength(0);
    await user.keyboard("{Control>}a{/Control}");
    expect(selected()).toHaveLength(4);
    await user.keyboard("{Escape}");
    await user.click(cells()[0] as HTMLElement);
    await user.click(cells()[1] as HTMLElement);
    await expectCommands();
    await user.click(within(bar()).getByRole("button", { name: "Compare" }));
    await waitFor(() => expect(decodeURIComponent(path())).toMatch(/^\/history\?compare=[\w-]+,[\w-]+$/));
  });

  test("stars with S, rejects with X, shows them, and hands the focus on where a filter takes one away", async () => {
    const { user, batch } = await visitSheet();
    await user.click(cell(/^512x512, Lighthouse/));
    await user.keyboard("s");
    await waitFor(() => expect(filter(/^Starred 1/)).toBeEnabled());
    await user.keyboard("{Escape}{ArrowRight}x");
    await waitFor(() => expect(filter(/^Hidden 1/)).toBeEnabled());
    expect(cell(/^1024x1024, Lighthouse.*hidden$/)).toBeVisible();
    await waitFor(async () =>
      expect((await batch())?.items.map(({ isRejected = false }) => isRejected)).toEqual([false, true, false, false]),
    );
    await user.click(filter(/^Starred/));
    await waitFor(() => expect(names()).toEqual([expect.stringMatching(/starred$/)]));
    await user.click(filter(/^Unfinished 0/));
    await user.click(await screen.findByRole("button", { name: "Show all" }));
    await waitFor(() => expect(cells()).toHaveLength(4));
    // The same key takes it back.
    cell(/hidden$/).focus();
    await user.keyboard("x");
    await waitFor(() => expect(filter(/^Hidden 0/)).toBeEnabled());
    await user.keyboard("{Control>}a{/Control}s{Escape}");
    await waitFor(() => expect(filter(/^Starred 4/)).toBeEnabled());
    await user.click(filter(/^Starred/));
    cell(/^1024x1024, Lighthouse/).focus();
    await user.keyboard("s");
    await waitFor(() => expect(cells()).toHaveLength(3));
    expect(cell(/^512x512, Harbour/)).toHaveFocus();
  });

  test("opens a result over the window, with the others beside it and the same keys", async () => {
    const { user } = await visitSheet();
    cells()[0]?.focus();
    await user.keyboard("{Enter}");
    const viewer = await screen.findByRole("dialog", { name: "Lighthouse, 512x512" });
    expect(within(viewer).getByText("1 of 4")).toBeVisible();
    await expectCommands();
    await user.keyboard("{ArrowRight}s");
    expect(await screen.findByRole("dialog", { name: "Lighthouse, 1024x1024" })).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: /^Star/ })).toHaveAttribute("aria-pressed", "true"));
    await user.keyboard("{End}");
    expect(await screen.findByText("4 of 4")).toBeVisible();
    expect(screen.getByRole("button", { name: "Next" })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(cell(/^1024x1024, Harbour/)).toHaveFocus());
  });

  test("downloads with D the result that is large, not the selected ones, and compares nothing from there", async () => {
    const { user, path } = await visitSheet();
    await user.click(cells()[0] as HTMLElement);
    await user.click(cells()[1] as HTMLElement);
    await user.keyboard("{Enter}");
    const viewer = await screen.findByRole("dialog", { name: "Lighthouse, 1024x1024" });
    await expectCommands();
    const before = path();
    await user.keyboard("m");
    expect([path(), viewer.isConnected]).toEqual([before, true]);
    expect(within(viewer).getByRole("button", { name: "Download" })).toBeVisible();
    await user.keyboard("d");
    await waitFor(() => expect(downloadJob).toHaveBeenCalledOnce());
    const [job, how] = vi.mocked(downloadJob).mock.lastCall ?? [];
    const link = within(viewer).getByRole("link", { name: "Open job" });
    expect(link).toHaveAttribute("href", `/jobs/${job?.requestId}`);
    expect(how).toMatchObject({ only: 0 });
    expect(useExportRun.getState().run.phase).toBe("idle");
    // Once it is closed, M compares the selected ones.
    await user.keyboard("{Escape}");
    await waitFor(() => expect(viewer).not.toBeInTheDocument());
    await user.keyboard("m");
    await waitFor(() => expect(path()).toMatch(/^\/history\?compare=/));
  });

  test("has the acts of every viewer, and keeps a result that a filter takes away until it is closed", async () => {
    const { user, path } = await visitSheet();
    await user.click(cell(/^512x512, Lighthouse/));
    await user.keyboard("s");
    await waitFor(() => expect(filter(/^Starred 1/)).toBeEnabled());
    await user.click(filter(/^Starred/));
    await waitFor(() => expect(cells()).toHaveLength(1));
    cells()[0]?.focus();
    await user.keyboard("{Enter}");
    const viewer = await screen.findByRole("dialog", { name: "Lighthouse, 512x512" });
    const strip = within(viewer).getByRole("navigation", { name: "Filmstrip" });
    expect(within(strip).getByRole("button", { current: true })).toHaveAccessibleName("Lighthouse, 512x512");
    await user.keyboard("si");
    await waitFor(() =>
      expect(within(viewer).getByRole("button", { name: "Star" })).toHaveAttribute("aria-pressed", "false"),
    );
    expect(within(viewer).getByRole("status")).toHaveTextContent("1 of 1");
    const details = within(viewer).getByRole("complementary", { name: "Details" });
    expect(within(details).getByText("Charged $0.035")).toBeVisible();
    await expectCommands();
    // The list of keys has what can be done here, and nothing else.
    await user.keyboard("?");
    const keys = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    expect(keys.getByText("Hide")).toBeVisible();
    expect(keys.queryByText("Compare")).not.toBeInTheDocument();
    await user.keyboard("{Escape}");
    await user.keyboard("i{Delete}");
    expect(await screen.findByRole("alertdialog", { name: /^Delete/ })).toBeVisible();
    await user.keyboard("{Escape}");
    await user.keyboard("r");
    await waitFor(() => expect(path()).toMatch(/^\/create\/lumen-2/));
  });

  test("a run that ends while it is looked at shows its result, though the filter no longer lists it", async () => {
    const { user, batch, sandbox, where } = await visitBatch({ groups: { Shots: product }, search: "?view=sheet" });
    await user.click(await screen.findByRole("radio", { name: /^Unfinished 4/ }));
    cell(/^512x512, Lighthouse/).focus();
    await user.keyboard("{Enter}");
    const viewer = await screen.findByRole("dialog", { name: "Lighthouse, 512x512" });
    const strip = within(viewer).getByRole("navigation", { name: "Filmstrip" });
    expect(within(strip).getByRole("button", { current: true })).toHaveAccessibleName("Lighthouse, 512x512, Draft");
    expect(within(viewer).queryByRole("button", { name: "Full screen" })).not.toBeInTheDocument();
    const [item] = (await batch())?.items ?? [];
    if (!item) throw new Error("The batch has no runs.");
    await storeSent(where.accountId, item, await sandbox.imageJob(item.request.payload));
    expect(await within(viewer).findByRole("img", { name: "Lighthouse, 512x512" })).toBeInTheDocument();
    expect(within(viewer).getByRole("button", { name: "Download" })).toBeVisible();
    expect(within(strip).getByRole("button", { current: true })).toHaveAccessibleName("Lighthouse, 512x512");
    expect(screen.getByRole("radio", { name: /^Unfinished 3/, hidden: true })).toBeInTheDocument();
    await user.keyboard("{Escape}");
    // Its cell is gone: the focus is in the list all the same.
    await waitFor(() => expect(cell(/^1024x1024, Lighthouse/)).toHaveFocus());
  });

  test("a run that ends while its next step is chosen takes part in it", async () => {
    const { user, batch, sandbox, where } = await visitBatch({ groups: { Shots: product }, search: "?view=sheet" });
    const [first, second] = (await batch())?.items ?? [];
    if (!first || !second) throw new Error("The batch has no runs.");
    await storeSent(where.accountId, first, await sandbox.imageJob(first.request.payload));
    await waitFor(() => expect(names()[0]).toMatch(/Done/));
    await user.click(cell(/^512x512, Lighthouse/));
    await user.click(cell(/^1024x1024, Lighthouse/));
    await user.click(within(bar()).getByRole("button", { name: "Animate" }));
    const dialog = await screen.findByRole("dialog", { name: "Next step for 1 result" });
    expect(within(dialog).getByText("Excluded: 1 run has no result yet.")).toBeVisible();
    await storeSent(where.accountId, second, await sandbox.imageJob(second.request.payload));
    expect(await screen.findByRole("dialog", { name: "Next step for 2 results" })).toBeVisible();
    expect(within(dialog).queryByText(/^Excluded/)).not.toBeInTheDocument();
  });

  test("says how a run failed and what came back, and runs it again at its price", async () => {
    const { user, batch } = await visitSheet([lumen("A lamp"), lumen("fail:provider A tram")]);
    const failed = cell(/Failed: The provider could not finish/);
    expect(within(failed).getByText("Failed")).toBeVisible();
    expect(within(failed).getByText("Refunded $0.035")).toBeVisible();
    failed.focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("2 of 2")).toBeVisible();
    await expectCommands();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(failed).toHaveFocus());
    const before = (await batch())?.items[1];
    await user.click(within(failed).getByRole("button", { name: "Retry · $0.035" }));
    await waitFor(async () => expect((await batch())?.items[1]?.earlierIntentIds).toEqual([before?.intentId]));
    expect((await batch())?.items[0]?.earlierIntentIds).toBeUndefined();
    await waitFor(() => expect(within(sheet()).getByText("Refunded $0.07")).toBeVisible());
  });

  test("shows drafts with their prices, has nothing to export of them, and on a phone two beside each other", async () => {
    const { user } = await visitBatch({ groups: { Shots: product } });
    await user.click(screen.getByRole("radio", { name: "Sheet" }));
    await screen.findByRole("grid", { name: "Results" });
    await waitFor(() => expect(names()).toEqual(product.map(() => expect.stringMatching(/Draft, \$0\.035$/))));
    await user.click(screen.getByRole("button", { name: "Export sheet" }));
    for (const item of screen.getAllByRole("menuitem")) expect(item).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("radio", { name: "Table" }));
    await screen.findByRole("grid", { name: "Runs" });
    givePhone();
    await user.click(screen.getByRole("radio", { name: "Sheet" }));
    await screen.findByRole("grid", { name: "Results" });
    expect(headings("rowheader")).toEqual(["Lighthouseat dusk, 35 mm", "Harbour townat dusk, 35 mm"]);
    expect(within(sheet()).queryByRole("columnheader")).not.toBeInTheDocument();
    expect(within(sheet()).getAllByText(/^(512x512|1024x1024)$/)).toHaveLength(4);
  });
});

test("results are varied as drafts: with new seeds and nothing else changed, or with other prompts", async () => {
  const { user, batch, path } = await visitSheet();
  await user.click(cells()[0] as HTMLElement);
  await user.click(within(bar()).getByRole("button", { name: "Create variations" }));
  const dialog = await screen.findByRole("dialog", { name: "Create variations of 1 result" });
  const count = within(dialog).getByRole("textbox", { name: /^Variations per result/ });
  await user.clear(count);
  await user.paste("3");
  await user.click(within(dialog).getByRole("button", { name: "Add 3 runs" }));
  await waitFor(async () => expect((await batch())?.items).toHaveLength(7));
  const added = (await batch())?.items.slice(4) ?? [];
  for (const { request, priceMicroUsd } of added) {
    expect(request.payload).toMatchObject({ prompt: PROMPTS[0], size: "512x512" });
    expect(priceMicroUsd).toBeUndefined();
  }
  expect(new Set(added.map(({ request }) => request.payload.seed)).size).toBe(3);
  expect((await batch())?.groups.at(-1)?.name).toBe("Variations of 1 result");
  await waitFor(() => expect(path()).not.toContain("view=sheet"));

  await user.click(screen.getByRole("radio", { name: "Sheet" }));
  await screen.findByRole("grid", { name: "Results" });
  for (const name of [/512x512.*Lighthouse.*Done/, /512x512.*Harbour.*Done/]) await user.click(cell(name));
  await user.click(within(bar()).getByRole("button", { name: "Create variations" }));
  const again = await screen.findByRole("dialog", { name: "Create variations of 2 results" });
  await user.click(within(again).getByRole("radio", { name: "Other prompts" }));
  await user.click(within(again).getByRole("textbox", { name: "Add to each prompt" }));
  await user.paste(", in {rain|snow}");
  await user.click(within(again).getByRole("button", { name: "Add 4 runs" }));
  await waitFor(async () =>
    expect((await batch())?.items.slice(7).map(({ request }) => request.payload.prompt)).toEqual([
      `${PROMPTS[0]}, in rain`,
      `${PROMPTS[0]}, in snow`,
      `${PROMPTS[1]}, in rain`,
      `${PROMPTS[1]}, in snow`,
    ]),
  );
});

test("the web page holds every result that is shown, says what is missing, and is not saved where all is", async () => {
  const picture = { type: "image/png", bytes: new Uint8Array([1, 2, 3]).buffer, width: 1, height: 1 };
  vi.mocked(makeSmall).mockResolvedValue(picture);
  const { user } = await visitSheet();
  const exportPage = async () => {
    vi.mocked(saveBlob).mockClear();
    await user.click(screen.getByRole("button", { name: "Export sheet" }));
    await user.click(screen.getByRole("menuitem", { name: "Export as web page" }));
    await waitFor(() => expect(useExportRun.getState().run.phase).toBe("idle"));
  };
  const saved = async () => {
    const [blob, name] = vi.mocked(saveBlob).mock.lastCall ?? [];
    return { name, html: await blob?.text() };
  };
  await exportPage();
  expect(await screen.findByText("Saved as Harbour.html")).toBeVisible();
  const { name, html } = await saved();
  expect(name).toBe("Harbour.html");
  expect(html?.match(/<img /g)).toHaveLength(4);
  expect(html).toContain("data:image/png;base64,AQID");

  vi.mocked(makeSmall).mockResolvedValueOnce(undefined);
  await exportPage();
  expect(await screen.findByText("Saved as Harbour.html, incomplete")).toBeVisible();
  expect(screen.getByText("1 of 4 results couldn’t be included: Can’t be shown (1).")).toBeVisible();
  expect((await saved()).html?.match(/<img /g)).toHaveLength(3);

  vi.mocked(makeSmall).mockReset().mockResolvedValue(undefined);
  await exportPage();
  expect(await screen.findByText(/^Couldn’t load any of the 4 results\. Can’t be shown\./)).toBeVisible();
  expect(saveBlob).not.toHaveBeenCalled();
});
