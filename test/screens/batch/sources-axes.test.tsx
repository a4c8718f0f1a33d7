import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { chooseModels, dialog, rowTexts, startBatch } from "./sources-steps.ts";
import { visitSources } from "./visit-sources.tsx";

describe("a batch from nothing", () => {
  test("3 prompts × 3 sizes × 2 models are 18 rows", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await chooseModels(visit, "lumen-2", "lumen-2-fast");
    await user.click(screen.getByRole("textbox", { name: "Prompts" }));
    await user.paste("The {lighthouse|harbour town} at dusk\nThe observatory at dusk");
    expect(await screen.findByText("3 prompts")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Add axis" }));
    await user.click(await within(await dialog("Add axis")).findByRole("button", { name: /^Size/ }));
    const size = await dialog("Size");
    for (const name of ["512x512", "768x768", "1024x1024"]) {
      await user.click(within(size).getByRole("checkbox", { name }));
    }
    expect(await within(size).findByText("3 × 3 × 2 = 18 runs")).toBeVisible();
    await user.click(within(size).getByRole("button", { name: "Done" }));
    expect(await screen.findByRole("list", { name: "The first runs" })).toHaveTextContent("13 more");
    await user.click(await screen.findByRole("button", { name: "Add 18 runs" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(18));
    expect(rowTexts()[0]).toBe("lumen-2 | The lighthouse at dusk | 512x512");
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("The {lighthouse|harbour town} at dusk");
  });

  test("the button says what is missing, and an example can be inserted", async () => {
    const visit = await visitSources();
    const add = await screen.findByRole("button", { name: "Add runs" });
    expect(add).toHaveAttribute("title", "Choose a model first.");
    await visit.user.click(screen.getByRole("button", { name: "Insert an example" }));
    expect(await screen.findByText("4 prompts")).toBeVisible();
    await chooseModels(visit, "lumen-2");
    expect(await screen.findByRole("button", { name: "Add 4 runs" })).not.toHaveAttribute("aria-disabled");
  });

  test("values that a model does not offer are named before they are added", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await chooseModels(visit, "lumen-2", "lumen-2-pro");
    await user.type(screen.getByRole("textbox", { name: "Prompts" }), "A lamp");
    await user.click(screen.getByRole("button", { name: "Add axis" }));
    await user.click(await within(await dialog("Add axis")).findByRole("button", { name: /^Size/ }));
    const size = await dialog("Size");
    await user.click(within(size).getByRole("checkbox", { name: "768x768" }));
    await user.click(within(size).getByRole("button", { name: "Done" }));
    expect(await screen.findByText(/1 run needs attention\. lumen-2-pro does not offer Size 768x768\./)).toBeVisible();
  });

  test("what was entered is there again after looking elsewhere", async () => {
    const visit = await visitSources();
    await chooseModels(visit, "lumen-2");
    await visit.user.type(screen.getByRole("textbox", { name: "Prompts" }), "A lamp");
    await visit.router.navigate({ to: "/elsewhere" as never });
    await visit.router.navigate({ to: "/batch" as never });
    expect(await screen.findByRole("textbox", { name: "Prompts" })).toHaveValue("A lamp");
    expect(screen.getByRole("list", { name: "Chosen models" })).toHaveTextContent("lumen-2");
  });
});

describe("the axes of a batch", () => {
  test("a prompt that is written anew changes the rows; each can be repeated", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    await visit.user.click(screen.getByRole("button", { name: "Prompt × 1" }));
    const prompt = await dialog("Prompt");
    await visit.user.type(within(prompt).getByRole("textbox", { name: "Prompt" }), "{{ on | off}{Enter}A chair");
    expect(await within(prompt).findByText("3 prompts")).toBeVisible();
    await waitFor(() => expect(rowTexts()).toHaveLength(3));
    const times = within(prompt).getByRole("textbox", { name: "Repeat each" });
    await visit.user.clear(times);
    await visit.user.type(times, "2");
    await waitFor(() => expect(rowTexts()).toHaveLength(6));
    expect(rowTexts().filter((text) => text === "lumen-2 | A chair")).toHaveLength(2);
    await visit.user.click(within(prompt).getByRole("button", { name: "Done" }));
    await visit.user.click(screen.getByRole("button", { name: /^Prompt × 6/ }));
    expect(within(await dialog("Prompt")).getByRole("textbox", { name: "Repeat each" })).toHaveValue("2");
  });

  test("a prompt of several lines stays one, in a box of its own", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    await visit.user.click(screen.getByRole("button", { name: "Prompt × 1" }));
    const prompt = await dialog("Prompt");
    await visit.user.click(within(prompt).getByRole("radio", { name: "One prompt per box" }));
    await visit.user.type(within(prompt).getByRole("textbox", { name: "Prompt 1" }), "{Enter}in two lines");
    await waitFor(() => expect(rowTexts()).toEqual(["lumen-2 | A lamp\nin two lines"]));
  });

  test("one press gives four seeds, which can be shuffled, counted and written", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    await visit.user.click(await screen.findByRole("button", { name: "4 random seeds" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(4));
    const before = rowTexts();
    await visit.user.click(screen.getByRole("button", { name: "Seed × 4" }));
    const seeds = await dialog("Seed");
    await visit.user.click(within(seeds).getByRole("button", { name: "Shuffle" }));
    await waitFor(() => expect(rowTexts()).not.toEqual(before));
    const list = within(seeds).getByRole("textbox", { name: "Seed" });
    await visit.user.clear(list);
    await visit.user.type(list, "7..9");
    await waitFor(() => expect(rowTexts()).toEqual(["7", "8", "9"].map((seed) => `lumen-2 | A lamp | ${seed}`)));
    await visit.user.clear(list);
    await visit.user.type(list, "seven");
    expect(await within(seeds).findByText(/“seven” is not a number/)).toBeVisible();
  });

  test("pairs need lists of one length, and the rows stay until they are", async () => {
    const visit = await visitSources();
    await startBatch(visit, "A lamp\nA chair");
    await visit.user.click(await screen.findByRole("button", { name: "4 random seeds" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(8));
    await visit.user.click(screen.getByRole("button", { name: /^Every combination: 2 × 4 = 8 runs/ }));
    const combine = await dialog("Combine");
    await visit.user.click(within(combine).getByRole("radio", { name: "Pair by position" }));
    expect((await within(combine).findAllByText(/Pairs need lists of one length/))[0]).toBeVisible();
    expect(rowTexts()).toHaveLength(8);
    await visit.user.click(within(combine).getByRole("button", { name: "Done" }));
    await visit.user.click(screen.getByRole("button", { name: "Seed × 4" }));
    const seeds = await dialog("Seed");
    const count = within(seeds).getByRole("textbox", { name: "Random seeds" });
    await visit.user.clear(count);
    await visit.user.type(count, "2");
    await waitFor(() => expect(rowTexts()).toHaveLength(2));
  });

  test("a model has settings of its own, without what the axes vary", async () => {
    const visit = await visitSources();
    await startBatch(visit, "A lamp", "lumen-2", "lumen-2-pro");
    await visit.user.click(screen.getByRole("button", { name: "Model × 2" }));
    await visit.user.click(within(await dialog("Models")).getByRole("button", { name: "Settings of lumen-2-pro" }));
    const settings = await dialog("Settings of lumen-2-pro");
    expect(await within(settings).findByText("Varied by axes: Prompt")).toBeVisible();
    expect(within(settings).queryByRole("textbox", { name: "Prompt" })).toBeNull();
    await visit.user.click(await within(settings).findByRole("radio", { name: "2K" }));
    await waitFor(() => expect(rowTexts()).toContain("lumen-2-pro | 2K | A lamp"));
    expect(rowTexts()).toContain("lumen-2 | A lamp");
  });

  test("more rows than a batch takes are refused in words, and nothing is lost", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    await visit.user.click(screen.getByRole("button", { name: "Prompt × 1" }));
    const box = within(await dialog("Prompt")).getByRole("textbox", { name: "Prompt" });
    await visit.user.click(box);
    await visit.user.paste(" {1..3000}");
    expect((await screen.findAllByText(/at most 2,000 runs/))[0]).toBeVisible();
    expect(rowTexts()).toEqual(["lumen-2 | A lamp"]);
    expect(box).toHaveValue("A lamp {1..3000}");
  });

  test("a key in a prompt is not stored", async () => {
    const visit = await visitSources();
    await startBatch(visit);
    await visit.user.click(screen.getByRole("button", { name: "Prompt × 1" }));
    await visit.user.click(within(await dialog("Prompt")).getByRole("textbox", { name: "Prompt" }));
    await visit.user.paste(` ${visit.key}`);
    expect((await screen.findAllByText(/contains your API key/))[0]).toBeVisible();
    expect(rowTexts()).toEqual(["lumen-2 | A lamp"]);
  });
});
