import { act, render, screen, within } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { SafeMarkdown } from "#schema-form/form/field-row.tsx";
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
    expect(screen.getByText(/^Extra isn’t valid JSON/)).toBeVisible();
    act(() => handle().setPayload({ prompt: "x", extra: [2] }));
    expect(screen.getByLabelText("Extra")).toHaveValue("[\n  2\n]");
    expect(handle().getProblems()).toEqual([]);
    for (const put of [() => handle().setPayload({ prompt: "x", extra: [2] }), () => handle().reset()]) {
      await user.type(screen.getByLabelText("Extra"), "]");
      expect(handle().getProblems()).not.toEqual([]);
      act(put);
      expect(screen.queryByText(/isn’t valid JSON/)).not.toBeInTheDocument();
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

const LORA = {
  type: "object",
  required: ["path"],
  properties: { path: { type: "string" }, scale: { type: "number", minimum: 0, maximum: 4, default: 1 } },
};
const COMPOSITE = {
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
const only = (...names: (keyof typeof COMPOSITE)[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, COMPOSITE[name]])),
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
    await user.type(screen.getByLabelText("New Weights name"), "__proto__{Enter}");
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
      { type: "object", properties: COMPOSITE, required: ["tags"] },
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

// H3, H5, H17
describe("what a help text shows", () => {
  const draw = (text: string) => render(<SafeMarkdown text={text} />).container;

  it("is paragraphs, items, code, strong words, emphasis and links", () => {
    const container = draw("One `code` and **strong** and *soft*.\n\n- first\n- [docs](https://ok.example/a)\n\nLast");
    expect(container.querySelector("code")).toHaveTextContent("code");
    expect(container.querySelector("strong")).toHaveTextContent("strong");
    expect(container.querySelector("em")).toHaveTextContent("soft");
    expect(screen.getByRole("link")).toHaveTextContent("docs (ok.example)");
    expect(container).toHaveTextContent("One code and strong and soft.• first• docs (ok.example)Last");
  });

  it.each([
    ["[bank.example](https://evil.example/x)", "bank.example (evil.example)"],
    ["[x](https://bank.example@evil.example/)", "x (evil.example)"],
    ["[x](https://bank.example:pw@evil.example/)", "x (evil.example)"],
    ["[\u0430pple.com](https://\u0430pple.com/)", "\u0430pple.com (xn--pple-43d.com)"],
    ["[ok.example is safe](https://ok.example/)", "ok.example is safe (ok.example)"],
    ["[ok.example/a b](https://ok.example/)", "ok.example/a b (ok.example)"],
    ["[ok.example](https://ok.example/)", "ok.example"],
  ])("leads where it says: %s", (text, shown) => {
    const link = draw(text).querySelector("a");
    expect(link?.textContent).toBe(shown);
    expect(link?.getAttribute("href")).not.toContain("@");
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](data:text/html,a)",
    "[x](//evil.example)",
    "![x](https://evil.example/a.png?q=1)",
    "<img src=https://evil.example/a.png>",
    "<script>window.__hit = 1</script>",
  ])("has no element but a link at most: %s", (text) => {
    const container = draw(text);
    expect(container.querySelectorAll("img, script, iframe, style, link, form, object")).toHaveLength(0);
    for (const link of container.querySelectorAll("a")) expect(link.href).toMatch(/^https:/);
  });

  it("names hidden characters, and says that a very long text is shortened", () => {
    expect(draw("safe\u202etxt.exe")).toHaveTextContent("safe⟨U+202E⟩txt.exe");
    draw("[".repeat(100_000));
    expect(screen.getByText("Shortened: 6,000 of 100,000 characters.")).toBeVisible();
  });
});
