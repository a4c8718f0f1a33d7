import { act, waitFor } from "@testing-library/react";
import { afterAll, describe, expect, it } from "vitest";
import { makeSchema } from "../../.bench/forms/make-schema.mjs";
import { renderForm } from "./render-form.tsx";
import { watchRenderedRows } from "./rendered-rows.ts";

const rendered = watchRenderedRows();
afterAll(rendered.stop);

/** Three fields of each kind that a row can be, in a form of thirty; all required, so that none is folded away. */
const { type, properties } = makeSchema(30);
const SCHEMA = { type, properties, required: Object.keys(properties) };

describe("a keystroke renders the components of one field, and of none where the box keeps its own text", () => {
  it.each([
    ["a required text", "Parameter 0", "fox", 0],
    ["a text", "Parameter 5", "fox", 0],
    ["a number with a slider", "Parameter 1", "12", 1],
    ["an address", "Parameter 7", "https", 1],
    ["a number that goes out of its bounds", "Parameter 8", "1234", 1],
  ])("%s", async (_, label, text, renders) => {
    const { user, screen, payload } = await renderForm(SCHEMA);
    const box = await screen.findByRole("textbox", { name: label });
    await user.click(box);
    await waitFor(() => expect(document.querySelectorAll("[data-field]")).toHaveLength(30));
    rendered.take();
    for (const key of text) {
      await user.keyboard(key);
      expect(rendered.take(), `after "${key}"`).toEqual(renders === 0 ? [] : [box.closest("[data-field]")]);
    }
    expect(Object.values(payload()).map(String)).toContainEqual(expect.stringContaining(text));
  });

  it("sees every row that renders", async () => {
    const { handle, payload } = await renderForm(SCHEMA);
    await waitFor(() => expect(document.querySelectorAll("[data-field]")).toHaveLength(30));
    rendered.take();
    act(() => handle().setPayload({ ...payload(), field_0: "one", field_5: "two" }));
    expect(rendered.take()).toHaveLength(2);
  });
});
