import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { chooseModel, dialog, openSource, rowTexts, startBatch } from "./sources-steps.ts";
import { visitSources } from "./visit-sources.tsx";

const csvFile = (text: string, name = "shots.csv") => new File([text], name, { type: "text/csv" });

describe("from a CSV", () => {
  test("columns are matched, a wrong cell is named, and the rows are added under the name of the file", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await screen.findByRole("button", { name: "Choose models" });
    const csv = await openSource(visit, "From CSV");
    const text = "Prompt;model;SIZE;seed;note\nA lamp;lumen-2;768x768;7;x\nA chair;lumen-2;1024x1024;41 27;y\n";
    await user.upload(within(csv).getByLabelText("CSV file to read"), csvFile(text));
    const match = await dialog("shots.csv");
    expect(within(match).getByRole("combobox", { name: "SIZE is" })).toHaveDisplayValue("Size");
    expect(within(match).getByRole("combobox", { name: "note is" })).toHaveDisplayValue("Left out");
    expect(await within(match).findByText("Left out: note.")).toBeVisible();
    expect(await within(match).findByText(/whole number/)).toBeVisible();
    expect(within(match).getByText("2 runs, 1 needs attention")).toBeVisible();
    await user.selectOptions(within(match).getByRole("combobox", { name: "seed is" }), "Left out");
    expect(await within(match).findByText("2 runs")).toBeVisible();
    await user.click(within(match).getByRole("button", { name: "Add 2 runs" }));
    await waitFor(() => expect(rowTexts()).toEqual(["lumen-2 | A lamp | 768x768", "lumen-2 | A chair | 1024x1024"]));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("shots");
  });

  test("rows without a model ask for one, and a pasted table is read too", async () => {
    const visit = await visitSources();
    await screen.findByRole("button", { name: "Choose models" });
    const csv = await openSource(visit, "From CSV");
    await visit.user.click(within(csv).getByRole("textbox", { name: "Or paste a table" }));
    await visit.user.paste("prompt\tseed\nA lamp\t7\nA chair\t8");
    await visit.user.click(within(csv).getByRole("button", { name: "Read" }));
    const match = await dialog("Pasted table");
    expect(within(match).getByText("Choose a model for these rows.")).toBeVisible();
    expect(within(match).getByRole("button", { name: "Add 2 runs" })).toHaveAttribute("aria-disabled", "true");
    await chooseModel(visit, match, "lumen-2");
    await waitFor(() =>
      expect(within(match).getByRole("button", { name: "Add 2 runs" })).not.toHaveAttribute("aria-disabled"),
    );
    await visit.user.click(within(match).getByRole("button", { name: "Add 2 runs" }));
    await waitFor(() => expect(rowTexts()).toEqual(["lumen-2 | A lamp | 7", "lumen-2 | A chair | 8"]));
  });

  test.each([
    ["an empty file", csvFile(""), /This file is empty/],
    ["a header alone", csvFile("prompt,size\n"), /a header, but no rows/],
    ["a picture", new File([PNG_BYTES], "lamp.csv"), /is not a CSV file|no rows/],
  ])("%s is refused in words, and the batch stays", async (_, file, words) => {
    const visit = await visitSources();
    await startBatch(visit);
    const csv = await openSource(visit, "From CSV");
    fireEvent.change(within(csv).getByLabelText("CSV file to read"), { target: { files: [file] } });
    expect(await within(csv).findByRole("alert")).toHaveTextContent(words);
    expect(rowTexts()).toEqual(["lumen-2 | A lamp"]);
  });

  test("lines that are not as they should be are named, and the rest is read", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    const csv = await openSource(visit, "From CSV");
    const text = 'prompt,seed\nA lamp,1\nA chair,2,3,4\n"A table,5';
    fireEvent.change(within(csv).getByLabelText("CSV file to read"), { target: { files: [csvFile(text)] } });
    const match = await dialog("shots.csv");
    expect(await within(match).findByText(/^Line 3: This row has 4 values for 2 columns/)).toBeVisible();
    expect(within(match).getByText(/^Line 4: A quotation mark/)).toBeVisible();
    expect(within(match).getByRole("button", { name: "Add 3 runs" })).toBeVisible();
  });

  test("more rows than fit are told, and not added", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    const csv = await openSource(visit, "From CSV");
    const lines = Array.from({ length: 2000 }, (_, at) => `lamp ${at}`);
    fireEvent.change(within(csv).getByLabelText("CSV file to read"), {
      target: { files: [csvFile(["prompt", ...lines].join("\n"))] },
    });
    const match = await dialog("shots.csv");
    expect(await within(match).findByText(/2,000 runs beside 1 others/)).toBeVisible();
    expect(within(match).getByRole("button", { name: "Add 2,000 runs" })).toHaveAttribute("aria-disabled", "true");
  });
});

describe("from images", () => {
  test("uploads, then each image with each prompt, or in pairs", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await screen.findByRole("button", { name: "Choose models" });
    const images = await openSource(visit, "From images");
    await chooseModel(visit, images, "grainfield-edit");
    await user.upload(within(images).getByLabelText("Files for Images"), [
      new File([PNG_BYTES], "one.png", { type: "image/png" }),
      new File([PNG_BYTES], "two.png", { type: "image/png" }),
    ]);
    await user.click(within(images).getByRole("textbox", { name: "Prompts" }));
    await user.paste("In the rain\nIn the snow");
    expect(await within(images).findByRole("button", { name: "Add 4 runs" })).not.toHaveAttribute("aria-disabled");
    await user.click(within(images).getByRole("radio", { name: "Paired" }));
    await user.click(await within(images).findByRole("button", { name: "Add 2 runs" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(2));
    expect(rowTexts()[0]).toMatch(/^grainfield-edit \| .*https?:\/\/.* \| In the rain|In the rain/);
    expect(rowTexts()[1]).toMatch(/In the snow/);
  });

  test("addresses are taken as they are, and what is none is named", async () => {
    const visit = await visitSources();
    await screen.findByRole("button", { name: "Choose models" });
    const images = await openSource(visit, "From images");
    await chooseModel(visit, images, "lumen-2-pro");
    const box = within(images).getByRole("textbox", { name: "Or paste addresses" });
    await visit.user.click(box);
    await visit.user.paste("lamp.png");
    expect(await within(images).findByText("“lamp.png” is not a web address.")).toBeVisible();
    await visit.user.clear(box);
    await visit.user.paste("https://files.example.com/a.png\nhttps://files.example.com/b.png");
    await visit.user.click(within(images).getByRole("button", { name: "Add" }));
    await visit.user.click(await within(images).findByRole("button", { name: "Add 2 runs" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(2));
    expect(rowTexts()[1]).toContain("https://files.example.com/b.png");
  });

  test("a model that takes no image is named", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    const images = await openSource(visit, "From images");
    expect(await within(images).findByText("This model accepts no image. Choose another one.")).toBeVisible();
    expect(within(images).getByRole("button", { name: "Add runs" })).toHaveAttribute("aria-disabled", "true");
  });
});

describe("from History", () => {
  test("chosen jobs become runs with the same settings", async () => {
    const visit = await visitSources("/batch", {}, async ({ imageJob }) => [
      await imageJob({ prompt: "A lamp", size: "768x768" }),
      await imageJob({ prompt: "A tram" }),
    ]);
    await screen.findByRole("button", { name: "Choose models" });
    const history = await openSource(visit, "From History");
    await visit.user.type(within(history).getByRole("searchbox", { name: "Search jobs" }), "lamp");
    const boxes = await within(history).findAllByRole("checkbox");
    expect(boxes).toHaveLength(1);
    await visit.user.click(boxes[0] as HTMLElement);
    await visit.user.click(within(history).getByRole("button", { name: "Add 1 run" }));
    await waitFor(() => expect(rowTexts()).toEqual(["lumen-2 | A lamp | 768x768"]));
  });
});
