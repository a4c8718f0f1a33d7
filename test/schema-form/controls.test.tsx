import { screen, within } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { renderForm } from "./render-form.tsx";

const LORA = {
  type: "object",
  required: ["path"],
  properties: { path: { type: "string" }, scale: { type: "number", minimum: 0, maximum: 4, default: 1 } },
};
const properties = {
  image_size: {
    title: "Image size",
    anyOf: [
      { enum: ["square_hd", "portrait_4_3"], type: "string" },
      {
        type: "object",
        required: ["width", "height"],
        properties: { width: { type: "integer", minimum: 256 }, height: { type: "integer", minimum: 256 } },
      },
    ],
    default: "square_hd",
  },
  loras: { type: "array", title: "LoRAs", items: LORA, maxItems: 2 },
  tags: { type: "array", items: { type: "string" } },
  styles: { type: "array", items: { enum: ["film", "oil"] } },
  tint: { type: "string", format: "color" },
  rgb: {
    type: "object",
    title: "Light",
    properties: { r: { type: "integer" }, g: { type: "integer" }, b: { type: "integer" } },
  },
  box: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
  weights: { type: "object", additionalProperties: { type: "number" } },
  bpm: { title: "BPM", anyOf: [{ type: "number" }, { const: "auto" }] },
  maybe: { type: ["string", "null"], title: "Maybe" },
  camera: {
    type: "object",
    properties: {
      pan: { type: "number" },
      tilt: { type: "number" },
      roll: { type: "number" },
      zoom: { type: "number" },
    },
  },
};
const only = (...names: (keyof typeof properties)[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
});

describe("controls of composite fields", () => {
  // In-the-wild 5.
  it("shows a default as its option, and sends options as they are listed", async () => {
    const { user, payload } = await renderForm([
      { name: "model_size", type: "integer", options: ["512", "256"], default_value: 512 },
    ]);
    expect(screen.getByRole("radio", { name: "512" })).toBeChecked();
    expect(payload()).toEqual({});
    await user.click(screen.getByRole("radio", { name: "256" }));
    expect(payload()).toEqual({ model_size: "256" });
  });

  it("a size is a preset or a custom width and height", async () => {
    const { user, payload } = await renderForm(only("image_size"));
    await user.click(screen.getByLabelText("Custom"));
    expect(payload()).toEqual({ image_size: { width: 1024, height: 1024 } });
    await user.clear(screen.getByLabelText("Width"));
    await user.type(screen.getByLabelText("Width"), "100");
    expect(screen.getAllByText(/Width must be at least 256/)[0]).toBeVisible();
    await user.type(screen.getByLabelText("Width"), "0");
    expect(payload()).toEqual({ image_size: { height: 1024, width: 1000 } });
    await user.click(screen.getByLabelText("Preset"));
    expect(payload()).toEqual({});
    await user.click(screen.getByLabelText("portrait_4_3"));
    expect(payload()).toEqual({ image_size: "portrait_4_3" });
  });

  it("repeated objects are cards that are added, removed and put in order", async () => {
    const { user, payload } = await renderForm(only("loras"));
    await user.click(screen.getByRole("button", { name: "Add LoRA" }));
    await user.type(within(screen.getByRole("group", { name: "LoRA 1" })).getByLabelText("Path"), "one");
    await user.click(screen.getByRole("button", { name: "Add LoRA" }));
    await user.type(within(screen.getByRole("group", { name: "LoRA 2" })).getByLabelText("Path"), "two");
    expect(payload()).toEqual({ loras: [{ path: "one" }, { path: "two" }] });
    expect(screen.getByRole("button", { name: "Add LoRA" })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByRole("button", { name: "Move LoRA 2 up" }));
    expect(payload()).toEqual({ loras: [{ path: "two" }, { path: "one" }] });
    expect(within(screen.getByRole("group", { name: "LoRA 1" })).getByLabelText("Path")).toHaveValue("two");
    await user.click(screen.getByRole("button", { name: "Remove LoRA 1" }));
    expect(payload()).toEqual({ loras: [{ path: "one" }] });
    expect(screen.getByLabelText("Path")).toHaveValue("one");
  });

  it("repeated texts are rows", async () => {
    const { user, payload } = await renderForm(only("tags"));
    await user.click(screen.getByRole("button", { name: "Add Tag" }));
    await user.type(screen.getByLabelText("Tag 1"), "a.b");
    expect(payload()).toEqual({ tags: ["a.b"] });
    await user.click(screen.getByRole("button", { name: "Remove Tag 1" }));
    expect(payload()).toEqual({});
  });

  it("several of a few options are check boxes", async () => {
    const { user, payload } = await renderForm(only("styles"));
    await user.click(screen.getByLabelText("oil"));
    await user.click(screen.getByLabelText("film"));
    expect(payload()).toEqual({ styles: ["oil", "film"] });
    await user.click(screen.getByLabelText("oil"));
    expect(payload()).toEqual({ styles: ["film"] });
  });

  it("a colour is sent in the form that the listing asks for", async () => {
    const { user, payload } = await renderForm(only("tint", "rgb"));
    await user.type(screen.getByRole("textbox", { name: "Tint" }), "#ff8800");
    await user.type(screen.getByRole("textbox", { name: "Light" }), "#0a0b0c");
    expect(payload()).toEqual({ tint: "#ff8800", rgb: { r: 10, g: 11, b: 12 } });
  });

  it("a tuple is sent only when all of it is filled", async () => {
    const { user, payload } = await renderForm(only("box"));
    await user.type(screen.getByLabelText("Value 2"), "7");
    expect(payload()).toEqual({ box: [0, 7] });
  });

  it("a map accepts any name as key", async () => {
    const { user, payload } = await renderForm(only("weights"));
    await user.type(screen.getByLabelText("New name in Weights"), "__proto__{Enter}");
    await user.type(screen.getByLabelText("__proto__"), "2");
    expect(JSON.stringify(payload())).toBe('{"weights":{"__proto__":2}}');
    expect(({} as Record<string, unknown>).weights).toBeUndefined();
  });

  it("a number is typed, or a word is chosen as preset", async () => {
    const { user, payload } = await renderForm(only("bpm"));
    await user.type(screen.getByRole("textbox", { name: "BPM" }), "120");
    expect(payload()).toEqual({ bpm: 120 });
    await user.click(screen.getByLabelText("Preset"));
    expect(payload()).toEqual({ bpm: "auto" });
  });

  it("null can be chosen where it is allowed, and undone", async () => {
    const { user, payload } = await renderForm(only("maybe"));
    await user.click(screen.getByRole("button", { name: "About Maybe" }));
    await user.click(screen.getByRole("button", { name: "Send null" }));
    expect(payload()).toEqual({ maybe: null });
    await user.click(screen.getByRole("button", { name: "Remove null from Maybe" }));
    expect(payload()).toEqual({});
  });

  it("a group folds, and keeps keys that the listing does not know", async () => {
    const { user, payload } = await renderForm(only("camera"), { camera: { extra: [1], pan: 2 } });
    await user.clear(screen.getByLabelText("Tilt"));
    await user.type(screen.getByLabelText("Tilt"), "1.5");
    expect(payload()).toEqual({ camera: { extra: [1], pan: 2, tilt: 1.5 } });
    await user.click(screen.getByRole("button", { name: /4 settings/ }));
    expect(screen.queryByLabelText("Tilt")).not.toBeInTheDocument();
  });

  it("a value that a control cannot show is written as JSON, not lost", async () => {
    const { payload } = await renderForm(only("tags", "loras"), { tags: "one", loras: { a: 1 } });
    expect(screen.getByRole("textbox", { name: "Tags" })).toHaveValue('"one"');
    expect(payload()).toEqual({ tags: "one", loras: { a: 1 } });
  });

  it("proportions are tiles; more than five options are searched", async () => {
    const { user, payload } = await renderForm([
      {
        name: "aspect_ratio",
        display_name: "Aspect ratio",
        type: "enum",
        options: ["1:1", "16:9", "9:16"],
        default_value: "1:1",
      },
      {
        name: "voice",
        display_name: "Voice",
        type: "enum",
        options: Array.from({ length: 1000 }, (_, at) => `Voice ${at}`),
      },
    ]);
    await user.click(within(screen.getByRole("radiogroup", { name: "Aspect ratio" })).getByLabelText("16:9"));
    await user.click(screen.getByRole("combobox", { name: "Voice" }));
    await user.keyboard("Voice 777{Enter}");
    expect(payload()).toEqual({ aspect_ratio: "16:9", voice: "Voice 777" });
  });

  it("advanced is folded with a count of changes, and opens for a problem", async () => {
    const listing = [
      ...Array.from({ length: 8 }, (_, at) => ({ name: `option_${at}`, type: "integer", max_value: 10 })),
      { name: "webhook", type: "string", display_name: "Webhook" },
      { name: "safety_tolerance", type: "integer", min_value: 0, max_value: 100, display_name: "Safety" },
    ];
    const { user } = await renderForm(listing, { webhook: "x", safety_tolerance: 900 });
    expect(screen.getByRole("button", { name: /Advanced \(4\)/ })).toHaveTextContent("2 changed");
    expect(screen.queryByLabelText("Safety")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(screen.getByLabelText("Safety")).toHaveFocus();
  });

  it("has no axe violations, with problems shown", async () => {
    const { container, user } = await renderForm(
      { type: "object", properties, required: ["tags"] },
      { loras: [{ path: "" }], tags: ["a"], weights: { a: 1 }, image_size: { width: 1, height: 2 } },
    );
    await user.click(screen.getByRole("button", { name: "Run" }));
    const { violations } = await axe.run(container, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    expect(
      violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join("\n")}`),
    ).toEqual([]);
  });
});
