import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { type Template, writeTemplate } from "#batch/rows/read-recipe.ts";
import { packTemplate } from "#batch/rows/recipe.ts";
import { getConnection } from "#connection/connection-store.ts";
import { packJson } from "#lib/packed-json.ts";
import { browserRows } from "#storage/database.ts";
import { batchRows } from "#storage/stored-batches.ts";
import { readAll } from "#storage/typed-rows.ts";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { chooseModel, chooseModels, dialog, openSource, rewrite, rowTexts } from "./sources-steps.ts";
import { promptsOf, visitSources } from "./visit-sources.tsx";

// Prices and lists are asked for two a second, which is a rule of its own: here nobody waits for it.
vi.mock("#runs/poll/poll-control.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("#runs/poll/poll-control.ts")>();
  const sendPaced = <T,>(ask: () => Promise<T>) => ask();
  const getPollControl: typeof real.getPollControl = (api) => Object.assign(real.getPollControl(api), { sendPaced });
  return { ...real, getPollControl };
});

const png = (name: string) => new File([PNG_BYTES], name, { type: "image/png" });
const csvFile = (text: string, name = "shots.csv") => new File([text], name, { type: "text/csv" });
const rows = (expected: readonly string[]) => waitFor(() => expect(rowTexts()).toEqual(expected));
const rowCount = (count: number) => waitFor(() => expect(rowTexts()).toHaveLength(count));

test("a batch from nothing: what is missing is said, and 3 prompts × 3 sizes × 2 models are 18 rows", async () => {
  const visit = await visitSources();
  const { user } = visit;
  expect(screen.getByRole("button", { name: "Add runs" })).toHaveAttribute("title", "Choose a model first");
  await user.click(screen.getByRole("button", { name: "Insert example" }));
  expect(await screen.findByText("4 prompts")).toBeVisible();
  await chooseModels(visit, "lumen-2");
  expect(await screen.findByRole("button", { name: "Add 4 runs" })).not.toHaveAttribute("aria-disabled");
  await rewrite(visit, screen.getByRole("textbox", { name: "Prompts" }), "A lamp");
  await chooseModels(visit, "lumen-2-pro");
  await user.click(screen.getByRole("button", { name: "Add parameter" }));
  await user.click(await within(await dialog("Add parameter")).findByRole("button", { name: /^Size/ }));
  let size = await dialog("Size");
  await user.click(within(size).getByRole("checkbox", { name: "768x768" }));
  await user.click(within(size).getByRole("button", { name: "Done" }));
  expect(await screen.findByText(/1 run needs attention\. Not available in lumen-2-pro: Size 768x768\./)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Remove lumen-2-pro" }));

  const text = "The {lighthouse|harbour town} at dusk\nThe observatory at dusk";
  await rewrite(visit, screen.getByRole("textbox", { name: "Prompts" }), text);
  expect(await screen.findByText("3 prompts")).toBeVisible();
  // What was entered is there again after looking elsewhere.
  await visit.router.navigate({ to: "/elsewhere" as never });
  await visit.router.navigate({ to: "/batch" as never });
  expect(await screen.findByRole("textbox", { name: "Prompts" })).toHaveValue(text);
  expect(screen.getByRole("list", { name: "Selected models" })).toHaveTextContent("lumen-2");

  await chooseModels(visit, "lumen-2-fast");
  await user.click(screen.getByRole("button", { name: /^Size/ }));
  size = await dialog("Size");
  for (const name of ["512x512", "1024x1024"]) await user.click(within(size).getByRole("checkbox", { name }));
  expect(await within(size).findByText("3 × 3 × 2 = 18 runs")).toBeVisible();
  await user.click(within(size).getByRole("button", { name: "Done" }));
  expect(await screen.findByRole("list", { name: "First runs" })).toHaveTextContent("13 more");
  await user.click(await screen.findByRole("button", { name: "Add 18 runs" }));
  await rowCount(18);
  expect(rowTexts()).toContain("lumen-2 | The lighthouse at dusk | 512x512");
  expect(new Set(rowTexts()).size).toBe(18);
  expect(rowTexts()[0]).toMatch(/^lumen-2 \| The lighthouse at dusk \| /);
  expect(rowTexts()[17]).toMatch(/^lumen-2-fast \| The observatory at dusk \| /);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("The {lighthouse|harbour town} at dusk");
});

describe("the axes of a batch", () => {
  test("a prompt is a box of lines, or several that are repeated; too many and a key leave the rows as they are", async () => {
    const visit = await visitSources({ stored: promptsOf("A lamp", "lumen-2") });
    const { user } = visit;
    await user.click(screen.getByRole("button", { name: "Prompt × 1" }));
    const prompt = await dialog("Prompt");
    await user.click(within(prompt).getByRole("radio", { name: "One prompt per box" }));
    await user.click(within(prompt).getByRole("textbox", { name: "Prompt 1" }));
    await user.paste("\nin two lines");
    await rows(["lumen-2 | A lamp\nin two lines"]);
    await user.click(within(prompt).getByRole("radio", { name: "One prompt per line" }));
    const box = within(prompt).getByRole("textbox", { name: "Prompt" });
    expect(box).toHaveValue("A lamp in two lines");
    await rewrite(visit, box, "A lamp{ on | off}\nA chair");
    expect(await within(prompt).findByText("3 prompts")).toBeVisible();
    await rowCount(3);
    await rewrite(visit, within(prompt).getByRole("textbox", { name: "Repeat each" }), "2");
    await rowCount(6);
    expect(rowTexts().filter((text) => text === "lumen-2 | A chair")).toHaveLength(2);
    await user.click(within(prompt).getByRole("button", { name: "Done" }));
    await user.click(screen.getByRole("button", { name: /^Prompt × 6/ }));
    const again = await dialog("Prompt");
    const times = within(again).getByRole("textbox", { name: "Repeat each" });
    expect(times).toHaveValue("2");
    await rewrite(visit, times, "1");
    await rowCount(3);

    const before = rowTexts();
    const text = within(again).getByRole("textbox", { name: "Prompt" });
    await rewrite(visit, text, "A lamp {1..3000}");
    await waitFor(() => expect(screen.getAllByText(/up to 2,000 runs/)[0]).toBeVisible());
    expect(rowTexts()).toEqual(before);
    expect(text).toHaveValue("A lamp {1..3000}");
    await rewrite(visit, text, `A lamp ${visit.key}`);
    await waitFor(() => expect(screen.getAllByText(/contains your API key/)[0]).toBeVisible());
    expect(rowTexts()).toEqual(before);
    // What is still to be stored is stored when the screen is left.
    await visit.router.navigate({ to: "/elsewhere" as never });
    expect(await screen.findByText("Elsewhere")).toBeVisible();
    expect(JSON.stringify(await readAll(browserRows, batchRows, getConnection()?.accountId ?? ""))).not.toContain(
      visit.key,
    );
  });

  test("what is written at the very moment when the rows follow an earlier change is not lost", async () => {
    const { user } = await visitSources({ stored: promptsOf("A lamp\nA chair", "lumen-2") });
    await user.click(screen.getByRole("button", { name: "Prompt × 2" }));
    const prompt = await dialog("Prompt");
    const times = within(prompt).getByRole("textbox", { name: "Repeat each" });
    // The page changes before the rows are stored, and in between somebody may type.
    const watch = new MutationObserver(() => {
      if (!prompt.textContent?.includes("6 runs")) return;
      watch.disconnect();
      fireEvent.change(times, { target: { value: "2" } });
    });
    watch.observe(prompt, { childList: true, subtree: true, characterData: true });
    fireEvent.change(times, { target: { value: "3" } });
    await rowCount(4);
    expect(times).toHaveValue("2");
    expect(screen.getByRole("button", { name: "Prompt × 4", hidden: true })).toBeInTheDocument();
  });

  test("one press gives four seeds, which are shuffled, counted, written, and paired where there are as many", async () => {
    const visit = await visitSources({ stored: promptsOf("A lamp\nA chair", "lumen-2") });
    const { user } = visit;
    await user.click(await screen.findByRole("button", { name: "4 random seeds" }));
    await rowCount(8);
    const before = rowTexts();
    await user.click(screen.getByRole("button", { name: "Seed × 4" }));
    let seeds = await dialog("Seed");
    await user.click(within(seeds).getByRole("button", { name: "Shuffle" }));
    await waitFor(() => expect(rowTexts()).not.toEqual(before));
    expect(rowTexts()).toHaveLength(8);
    await user.click(within(seeds).getByRole("button", { name: "Done" }));

    await user.click(screen.getByRole("button", { name: /^Every combination: 2 × 4 = 8 runs/ }));
    const combine = await dialog("Combine");
    await user.click(within(combine).getByRole("radio", { name: "Pair by position" }));
    expect((await within(combine).findAllByText(/Pairs need the same number of values/))[0]).toBeVisible();
    expect(rowTexts()).toHaveLength(8);
    await user.click(within(combine).getByRole("button", { name: "Done" }));
    await user.click(screen.getByRole("button", { name: "Seed × 4" }));
    seeds = await dialog("Seed");
    await rewrite(visit, within(seeds).getByRole("textbox", { name: "Random seeds" }), "2");
    await rowCount(2);
    const list = within(seeds).getByRole("textbox", { name: "Seed" });
    await rewrite(visit, list, "7..8");
    await rows(["lumen-2 | A lamp | 7", "lumen-2 | A chair | 8"]);
    await rewrite(visit, list, "seven");
    expect(await within(seeds).findByText(/“seven” isn’t a number/)).toBeVisible();
  });

  test("a model has settings of its own, without what the axes vary", async () => {
    const { user } = await visitSources({ stored: promptsOf("A lamp", "lumen-2", "lumen-2-pro") });
    await user.click(screen.getByRole("button", { name: "Model × 2" }));
    await user.click(within(await dialog("Models")).getByRole("button", { name: "lumen-2-pro settings" }));
    const settings = await dialog("lumen-2-pro settings");
    expect(await within(settings).findByText("Varied in this batch: Prompt")).toBeVisible();
    expect(within(settings).queryByRole("textbox", { name: "Prompt" })).toBeNull();
    await user.click(await within(settings).findByRole("radio", { name: "2K" }));
    await waitFor(() => expect(rowTexts()).toContain("lumen-2-pro | 2K | A lamp"));
    expect(rowTexts()).toContain("lumen-2 | A lamp");
    // The models and the settings of one are two steps of one dialog: the focus goes along, and in the end back to the chip.
    await user.keyboard("{Escape}");
    const models = await dialog("Models");
    expect(models).toBe(settings);
    expect(within(models).getByRole("button", { name: "lumen-2 settings" })).toHaveFocus();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("button", { name: "Model × 2" })).toHaveFocus());
  });

  test("a parameter that becomes an axis has its values asked for at once, in the same dialog", async () => {
    const { user } = await visitSources({ stored: promptsOf("A lamp", "lumen-2") });
    await user.click(screen.getByRole("button", { name: "Add parameter" }));
    const add = await dialog("Add parameter");
    await user.click(await within(add).findByRole("button", { name: /^Size/ }));
    const size = await dialog("Size");
    expect(size).toBe(add);
    expect(within(size).getAllByRole("checkbox")[0]).toHaveFocus();
    await user.click(within(size).getByRole("button", { name: "Remove" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("button", { name: "Add parameter" })).toHaveFocus();
    // What is typed replaces the proposal, as in a dialog that has just opened.
    await user.keyboard("{Enter}");
    await user.click(await within(await dialog("Add parameter")).findByRole("button", { name: /^Seed/ }));
    await user.keyboard("8");
    expect(document.activeElement).toHaveValue("8");
  });

  test("of a model without a seed, one press repeats the prompt", async () => {
    const { user } = await visitSources({ stored: promptsOf("Rooftops", "halide-turbo") });
    await user.click(await screen.findByRole("button", { name: "Repeat × 4" }));
    expect(await screen.findByRole("button", { name: "Prompt × 4" })).toBeVisible();
    await rows(Array.from({ length: 4 }, () => "halide-turbo | std | Rooftops"));
  });
});

describe("from a CSV", () => {
  test("columns are matched, a wrong cell is named, and rows without a model ask for one", async () => {
    const visit = await visitSources();
    const { user } = visit;
    let csv = await openSource(visit, "From CSV");
    const text = "Prompt;model;SIZE;seed;note\nA lamp;lumen-2;768x768;7;x\nA chair;lumen-2;1024x1024;41 27;y\n";
    await user.upload(within(csv).getByLabelText("CSV file to read"), csvFile(text));
    let match = await dialog("shots.csv");
    expect(within(match).getByRole("combobox", { name: "SIZE is" })).toHaveDisplayValue("Size");
    expect(within(match).getByRole("combobox", { name: "note is" })).toHaveDisplayValue("Skip");
    expect(await within(match).findByText("Skipped: note")).toBeVisible();
    expect(await within(match).findByText(/whole number/)).toBeVisible();
    expect(within(match).getByText("2 runs, 1 needs attention")).toBeVisible();
    await user.selectOptions(within(match).getByRole("combobox", { name: "seed is" }), "Skip");
    expect(await within(match).findByText("2 runs")).toBeVisible();
    await user.click(within(match).getByRole("button", { name: "Add 2 runs" }));
    const first = ["lumen-2 | A lamp | 768x768", "lumen-2 | A chair | 1024x1024"];
    await rows(first);
    // A new batch is called after its file.
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("shots");

    csv = await openSource(visit, "From CSV");
    await user.click(within(csv).getByRole("textbox", { name: "Or paste a table" }));
    await user.paste("prompt\tseed\nA tram\t7\nA ferry\t8");
    await user.click(within(csv).getByRole("button", { name: "Continue" }));
    match = await dialog("Pasted table");
    expect(within(match).getByText("Choose a model for these rows.")).toBeVisible();
    const add = within(match).getByRole("button", { name: "Add 2 runs" });
    expect(add).toHaveAttribute("aria-disabled", "true");
    await chooseModel(visit, match, "lumen-2");
    await waitFor(() => expect(add).not.toHaveAttribute("aria-disabled"));
    await user.click(add);
    await rows([...first, "lumen-2 | A tram | 7", "lumen-2 | A ferry | 8"]);
  });

  test("what is no table is refused in words, odd lines and too many rows are named, and the batch stays", async () => {
    const visit = await visitSources({ stored: promptsOf("A lamp", "lumen-2") });
    const csv = await openSource(visit, "From CSV");
    const read = (file: File) =>
      fireEvent.change(within(csv).getByLabelText("CSV file to read"), { target: { files: [file] } });
    for (const [file, words] of [
      [csvFile(""), /This file is empty/],
      [csvFile("prompt,size\n"), /a header but no rows/],
      [new File([PNG_BYTES], "lamp.csv"), /isn’t a CSV file/],
    ] as const) {
      read(file);
      await waitFor(() => expect(within(csv).getByRole("alert")).toHaveTextContent(words));
    }
    read(csvFile('prompt,seed\nA lamp,1\nA chair,2,3,4\n"A table,5'));
    let match = await dialog("shots.csv");
    expect(await within(match).findByText(/^Line 3: This row has 4 values for 2 columns/)).toBeVisible();
    expect(within(match).getByText(/^Line 4: A quotation mark/)).toBeVisible();
    expect(within(match).getByRole("button", { name: "Add 3 runs" })).toBeVisible();
    await visit.user.click(within(match).getByRole("button", { name: "Choose another file" }));
    const many = Array.from({ length: 2000 }, (_, at) => `lamp ${at}`);
    fireEvent.change(within(await dialog("From CSV")).getByLabelText("CSV file to read"), {
      target: { files: [csvFile(["prompt", ...many].join("\n"), "many.csv")] },
    });
    match = await dialog("many.csv");
    expect(await within(match).findByText(/2,000 new \+ 1 existing/)).toBeVisible();
    expect(within(match).getByRole("button", { name: "Add 2,000 runs" })).toHaveAttribute("aria-disabled", "true");
    expect(rowTexts()).toEqual(["lumen-2 | A lamp"]);
  });
});

test("images that are uploaded and addresses that are pasted go with each prompt, or in pairs", async () => {
  const visit = await visitSources({ stored: promptsOf("A lamp", "lumen-2") });
  const { user } = visit;
  const images = await openSource(visit, "From images");
  expect(await within(images).findByText("This model doesn’t accept images. Choose another one.")).toBeVisible();
  expect(within(images).getByRole("button", { name: "Add runs" })).toHaveAttribute("aria-disabled", "true");
  await chooseModel(visit, images, "grainfield-edit", /^lumen-2/);
  await user.upload(await within(images).findByLabelText("Files for Images"), [png("one.png"), png("two.png")]);
  const prompts = within(images).getByRole("textbox", { name: "Prompts" });
  await user.click(prompts);
  await user.paste("In the rain\nIn the snow");
  expect(await within(images).findByRole("button", { name: "Add 4 runs" })).not.toHaveAttribute("aria-disabled");
  const box = within(images).getByRole("textbox", { name: "Or paste URLs" });
  await user.click(box);
  await user.paste("lamp.png");
  expect(await within(images).findByText("“lamp.png” isn’t a valid URL.")).toBeVisible();
  await rewrite(visit, box, "https://files.example.com/c.png\nhttps://files.example.com/d.png");
  await user.click(within(images).getByRole("button", { name: "Add" }));
  expect(await within(images).findByRole("button", { name: "Add 8 runs" })).not.toHaveAttribute("aria-disabled");
  await rewrite(visit, prompts, "In the rain\nIn the snow\nAt dusk\nAt noon");
  await user.click(within(images).getByRole("radio", { name: "Pair by position" }));
  await user.click(await within(images).findByRole("button", { name: "Add 4 runs" }));
  await rowCount(5);
  const [, first, second, third, fourth] = rowTexts();
  expect(first).toMatch(/^grainfield-edit \|/);
  for (const uploaded of [first, second]) expect(uploaded).toMatch(/https?:\/\/localhost/);
  expect(first).toContain("In the rain");
  expect(second).toContain("In the snow");
  expect(third).toContain("https://files.example.com/c.png");
  expect(third).toContain("At dusk");
  expect(fourth).toContain("https://files.example.com/d.png");
});

test("jobs that are chosen from History become runs with the same settings", async () => {
  const visit = await visitSources({
    makeJobs: async ({ imageJob }) => [
      await imageJob({ prompt: "A lamp", size: "768x768" }),
      await imageJob({ prompt: "A tram" }),
    ],
  });
  const history = await openSource(visit, "From History");
  await visit.user.click(within(history).getByRole("searchbox", { name: "Search jobs" }));
  await visit.user.paste("lamp");
  const lamp = await within(history).findByRole("button", { name: /^A lamp/ });
  expect(within(history).getAllByRole("listitem")).toHaveLength(1);
  await visit.user.click(lamp);
  expect(lamp).toHaveAttribute("aria-pressed", "true");
  await visit.user.click(within(history).getByRole("button", { name: "Add 1 run" }));
  await rows(["lumen-2 | A lamp | 768x768"]);
});

test("as long as no job has a result, History asks for no other words", async () => {
  const visit = await visitSources({
    makeJobs: async ({ imageJob }) => [await imageJob({ prompt: "A lamp fail:moderation" })],
  });
  const history = await openSource(visit, "From History");
  expect(await within(history).findByText("No jobs with a result yet")).toBeVisible();
  expect(within(history).queryByText("Try another search.")).toBeNull();
});

describe("templates", () => {
  const lamps = (model: string): Template => ({
    name: "Lamps",
    groups: [
      {
        name: "All combinations",
        axes: {
          models: [model],
          settings: {},
          parameters: [
            { key: "prompt", values: ["A red lamp", "A blue lamp"], text: "A {red|blue} lamp" },
            { key: "size", values: ["768x768", "1024x1024"] },
          ],
          way: "product",
        },
      },
    ],
  });
  type Visit = Awaited<ReturnType<typeof visitSources>>;
  const press = async ({ user }: Visit, within_: HTMLElement, name: string) => {
    const button = within(within_).getByRole("button", { name });
    await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
    await user.click(button);
  };

  test("a batch is saved by name, renamed, copied as a link, opened with the same rows, and deleted, which can be taken back", async () => {
    const visit = await visitSources({ stored: promptsOf("A {red|blue} lamp", "lumen-2") });
    const { user } = visit;
    const before = rowTexts();
    expect(before).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Save as template" }));
    const save = await dialog("Save as template");
    await rewrite(visit, within(save).getByRole("textbox", { name: "Template name" }), "Some lamps");
    await press(visit, save, "Save");
    expect(await screen.findByText("Template saved: Some lamps")).toBeVisible();
    await visit.router.navigate({ to: "/batch" as never });
    await screen.findByRole("button", { name: "Choose models" });
    let templates = await openSource(visit, "Templates");
    await user.click(await within(templates).findByRole("button", { name: "Rename Some lamps" }));
    await rewrite(visit, within(templates).getByRole("textbox", { name: "New name for Some lamps" }), "Two lamps");
    await user.keyboard("{Enter}");
    const copied = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(await within(templates).findByRole("button", { name: "Copy link to Two lamps" }));
    expect(await screen.findByText("Link copied")).toBeVisible();
    expect(copied.mock.lastCall?.[0]).toMatch(/\/batch\?recipe=\S+$/);
    await user.click(await within(templates).findByTitle("Open Two lamps"));
    await press(visit, await dialog("Open Two lamps"), "Open");
    await rows(before);
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Two lamps");

    templates = await openSource(visit, "Templates");
    await user.click(await within(templates).findByRole("button", { name: "Delete Two lamps" }));
    expect(await within(templates).findByText(/No templates yet/)).toBeVisible();
    const undo = within(templates).getByRole("button", { name: "Undo" });
    expect(undo).toHaveFocus();
    await user.click(undo);
    expect(await within(templates).findByTitle("Open Two lamps")).toBeVisible();
  });

  test("a file that is none is refused in words; a model that is gone is named, and another takes its place", async () => {
    const visit = await visitSources({ stored: promptsOf("A lamp", "lumen-2") });
    const templates = await openSource(visit, "Templates");
    const open = (text: string) =>
      fireEvent.change(within(templates).getByLabelText("Template file to open"), {
        target: { files: [new File([text], "x.json")] },
      });
    for (const [text, words] of [
      ["[]", /template/],
      ["{", /invalid JSON/],
      [JSON.stringify({ safelight: "recipe", version: 99, name: "x", groups: [] }), /newer/],
    ] as const) {
      open(text);
      await waitFor(() => expect(within(templates).getByRole("alert")).toHaveTextContent(words));
      expect(rowTexts()).toEqual(["lumen-2 | A lamp"]);
    }
    open(writeTemplate(lamps("lumen-0")));
    const lampsDialog = await dialog("Open Lamps");
    expect(await within(lampsDialog).findByText("Model not available: lumen-0")).toBeVisible();
    await chooseModel(visit, lampsDialog, "lumen-2-fast");
    expect(await within(lampsDialog).findByText("4 runs")).toBeVisible();
    await press(visit, lampsDialog, "Add 4 runs");
    await waitFor(() => expect(rowTexts()).toContain("lumen-2-fast | A red lamp | 768x768"));
    expect(rowTexts().filter((text) => text.startsWith("lumen-2-fast"))).toHaveLength(4);
  });

  test("a link is opened once, into a new batch, and its address is without it", async () => {
    const visit = await visitSources({ path: `/batch?recipe=${await packTemplate(lamps("lumen-2"))}` });
    await press(visit, await dialog("Open Lamps"), "Open");
    await rowCount(4);
    expect(visit.router.state.location.search).toEqual({});
    expect(visit.router.state.location.pathname).toMatch(/^\/batch\/./);
  });

  test("a link from a newer version, or cut, says so, and leads to a new batch", async () => {
    const newer = await packJson({ safelight: "recipe", version: 99, name: "x", groups: [] }, 6000);
    for (const [words, sentence] of [
      [newer, /newer/],
      ["znonsense", /Couldn’t read/],
    ] as const) {
      const visit = await visitSources({ path: `/batch?recipe=${words}` });
      const told = await dialog("Template not opened");
      expect(told).toHaveTextContent(sentence);
      await visit.user.click(within(told).getAllByRole("button", { name: "Close" })[0] as HTMLElement);
      await waitFor(() => expect(visit.router.state.location.search).toEqual({}));
      expect(screen.getByRole("button", { name: "Choose models" })).toBeVisible();
      visit.leave();
    }
  });
});
