import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderForm } from "./render-form.tsx";

const IMAGE_MODEL = [
  { name: "prompt", display_name: "Prompt", type: "string", required: true, description: "What to show." },
  { name: "size", display_name: "Size", type: "enum", options: ["1K", "2K", "4K"], default_value: "2K" },
  { name: "guidance", display_name: "Guidance", type: "float", min_value: 1, max_value: 10, default_value: 4.5 },
  { name: "duration", display_name: "Duration", type: "enum", options: ["5", "10"], default_value: "5" },
  { name: "seed", display_name: "Seed", type: "integer", min_value: 0, max_value: 2147483647 },
  { name: "watermark", display_name: "Watermark", type: "boolean", default_value: true },
  { name: "image", display_name: "Image", type: "image (URL)" },
  { name: "extra", display_name: "Extra", type: "JSON type" },
];

// In-the-wild 1.
describe("a form made from a parameter array", () => {
  it("names every control by the parameter's display name", async () => {
    await renderForm(IMAGE_MODEL);
    for (const name of ["Prompt", "Guidance", "Seed", "Image", "Extra"]) {
      expect(screen.getByRole("textbox", { name })).toBeVisible();
    }
    expect(screen.getByRole("radiogroup", { name: "Size" })).toBeVisible();
    expect(screen.getByRole("switch", { name: "Watermark" })).toBeChecked();
  });

  it("sends only changed fields, and leaves defaults to the service", async () => {
    const { user, payload } = await renderForm(IMAGE_MODEL);
    expect(payload()).toEqual({});
    await user.type(screen.getByLabelText("Prompt"), "a lamp");
    expect(payload()).toEqual({ prompt: "a lamp" });
    await user.clear(screen.getByLabelText("Prompt"));
    expect(payload()).toEqual({});
  });

  it("sends an option exactly as it is listed: a digit string stays a string", async () => {
    const { user, payload } = await renderForm(IMAGE_MODEL);
    await user.click(within(screen.getByRole("radiogroup", { name: "Duration" })).getByLabelText("10"));
    await user.type(screen.getByLabelText("Guidance"), "7.25");
    await user.click(screen.getByLabelText("Watermark"));
    expect(payload()).toEqual({ duration: "10", guidance: 7.25, watermark: false });
  });

  it("reports errors at once, and missing values only after Run", async () => {
    const { user } = await renderForm(IMAGE_MODEL);
    expect(screen.queryByText("Prompt is required.")).not.toBeInTheDocument();
    await user.type(screen.getByLabelText("Guidance"), "12");
    expect(screen.getByText("Guidance must be from 1 to 10.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(screen.getByText("Prompt is required.")).toBeVisible();
    expect(screen.getByLabelText("Prompt")).toHaveFocus();
  });

  it("keeps a text that is no number and reports it", async () => {
    const { user, payload } = await renderForm(IMAGE_MODEL);
    await user.type(screen.getByLabelText("Guidance"), "1e");
    expect(screen.getByLabelText("Guidance")).toHaveValue("1e");
    expect(screen.getByText("Guidance must be a number.")).toBeVisible();
    await user.type(screen.getByLabelText("Guidance"), "0");
    expect(payload()).toEqual({ guidance: 1 });
  });

  it("steps a number by its arrow keys inside its bounds", async () => {
    const { user, payload } = await renderForm(IMAGE_MODEL);
    await user.click(screen.getByLabelText("Guidance"));
    await user.keyboard("{ArrowUp}");
    expect(payload()).toEqual({ guidance: 4.6 });
    await user.keyboard("{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}");
    expect(payload()).toEqual({ guidance: 10 });
  });

  it("marks a changed field and resets it", async () => {
    const { user, payload } = await renderForm(IMAGE_MODEL);
    await user.click(within(screen.getByRole("radiogroup", { name: "Size" })).getByLabelText("4K"));
    expect(payload()).toEqual({ size: "4K" });
    await user.click(screen.getByRole("button", { name: "Reset Size" }));
    expect(payload()).toEqual({});
    expect(within(screen.getByRole("radiogroup", { name: "Size" })).getByLabelText("2K")).toBeChecked();
  });

  it("draws a seed within its range, and an unlocked one per run", async () => {
    const { user, payload, handle } = await renderForm(IMAGE_MODEL);
    await user.click(screen.getByRole("button", { name: "Shuffle" }));
    const first = payload().seed;
    expect(first).toEqual(expect.any(Number));
    act(() => handle().drawNextSeeds());
    const second = payload().seed;
    expect(second).not.toBe(first);
    await user.click(screen.getByRole("button", { name: "Lock" }));
    act(() => handle().drawNextSeeds());
    expect(payload().seed).toBe(second);
  });

  it("keeps the last value and blocks the run while JSON is broken", async () => {
    const { user, payload, handle } = await renderForm(IMAGE_MODEL, { prompt: "x", extra: [1] });
    const box = screen.getByLabelText("Extra");
    await user.type(box, "]");
    expect(payload()).toEqual({ prompt: "x", extra: [1] });
    expect(handle().getProblems()).not.toEqual([]);
    await user.clear(box);
    await user.type(box, '{{"a":null}');
    expect(payload()).toEqual({ prompt: "x", extra: { a: null } });
    expect(handle().getProblems()).toEqual([]);
  });

  it("lifts the block of broken JSON when the values are set from outside", async () => {
    const { user, handle } = await renderForm(IMAGE_MODEL, { prompt: "x", extra: [1] });
    await user.type(screen.getByLabelText("Extra"), "]");
    expect(screen.getByText(/^Extra is not valid JSON/)).toBeVisible();
    act(() => handle().setPayload({ prompt: "x", extra: [2] }));
    expect(screen.getByLabelText("Extra")).toHaveValue("[\n  2\n]");
    expect(handle().getProblems()).toEqual([]);
    for (const put of [() => handle().setPayload({ prompt: "x", extra: [2] }), () => handle().reset()]) {
      await user.type(screen.getByLabelText("Extra"), "]");
      expect(handle().getProblems()).not.toEqual([]);
      act(put);
      expect(screen.queryByText(/is not valid JSON/)).not.toBeInTheDocument();
      expect(screen.getByLabelText("Extra")).not.toHaveValue(expect.stringContaining("]]"));
    }
    expect(screen.getByLabelText("Extra")).toHaveValue("");
  });

  // In-the-wild 1, trap 3.
  it("sends a required parameter that has a default", async () => {
    const { payload } = await renderForm([
      { name: "mode", type: "string", options: ["std", "pro"], default_value: "std", required: true },
    ]);
    expect(payload()).toEqual({ mode: "std" });
  });

  it("derives a missing label from the parameter's name", async () => {
    await renderForm([
      { name: "top_image.25", type: "image" },
      { name: "personGeneration", type: "string" },
    ]);
    expect(screen.getByLabelText("Top image")).toBeVisible();
    expect(screen.getByLabelText("Person generation")).toBeVisible();
  });

  it("shows a conditional field only while it applies, and never hides what is sent", async () => {
    const { user, payload } = await renderForm({
      type: "object",
      properties: { mode: { type: "string", enum: ["simple", "custom"], default: "simple" } },
      if: { properties: { mode: { const: "custom" } }, required: ["mode"] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { properties: { strength: { type: "number", minimum: 0, maximum: 1 } } },
    });
    expect(screen.queryByRole("textbox", { name: "Strength" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("radio", { name: "custom" }));
    await user.type(screen.getByRole("textbox", { name: "Strength" }), "0.5");
    await user.click(screen.getByRole("radio", { name: "simple" }));
    expect(screen.getByRole("textbox", { name: "Strength" })).toBeVisible();
    expect(payload()).toEqual({ mode: "simple", strength: 0.5 });
    await user.clear(screen.getByRole("textbox", { name: "Strength" }));
    expect(screen.queryByRole("textbox", { name: "Strength" })).not.toBeInTheDocument();
  });

  it("opens folded groups around what is missing when Run is pressed", async () => {
    const image = { type: "string", title: "Face", contentMediaType: "image/*" };
    const inner = { type: "object", title: "Person", properties: { face: image }, required: ["face"] };
    const style = { type: "object", title: "Style", properties: { person: inner } };
    const { user } = await renderForm({ properties: { style } }, { style: { person: { face: "" } } });
    await user.click(within(screen.getByRole("group", { name: "Person" })).getByRole("button", { name: /^1 setting/ }));
    await user.click(screen.getAllByRole("button", { name: /^1 setting/ })[0] as HTMLElement);
    expect(screen.queryByRole("textbox", { name: "Face" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText("Face is required.")).toBeVisible();
    expect(screen.getByRole("textbox", { name: /^Face/ })).toHaveFocus();
  });
});
