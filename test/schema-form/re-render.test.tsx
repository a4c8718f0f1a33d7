import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useFormPayload, useFormProblems, useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { makeSchema } from "../../.bench/forms/make-schema.mjs";
import { renderForm } from "./render-form.tsx";
import { watchRenderedRows } from "./rendered-rows.ts";

vi.mock("#schema-form/check/check-payload.ts", { spy: true });

const rendered = watchRenderedRows();
afterAll(rendered.stop);

/** Three fields of each kind that a row can be, in a form of thirty; all required, so that none is folded away. */
const { type, properties } = makeSchema(30);
const SCHEMA = { type, properties, required: Object.keys(properties) };

describe("a keystroke renders at most one field", () => {
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

  it("detects every row that renders", async () => {
    const { handle, payload } = await renderForm(SCHEMA);
    await waitFor(() => expect(document.querySelectorAll("[data-field]")).toHaveLength(30));
    rendered.take();
    act(() => handle().setPayload({ ...payload(), field_0: "one", field_5: "two" }));
    expect(rendered.take()).toHaveLength(2);
  });

  it("checks the payload once for each key, however many parts of a screen ask", async () => {
    const schema = readSchema(SCHEMA);
    const checks = vi.mocked(checkPayload);
    function Screen() {
      const form = useSchemaForm({ modelId: "model", schema });
      return (
        <>
          <SchemaForm form={form} />
          <output>{`${JSON.stringify(useFormPayload(form)).length} ${useFormProblems(form).length}`}</output>
        </>
      );
    }
    render(<Screen />);
    const user = userEvent.setup();
    for (const label of ["Parameter 0", "Parameter 1"]) {
      await user.click(screen.getByRole("textbox", { name: label }));
      checks.mockClear();
      await user.keyboard("123");
      expect(checks).toHaveBeenCalledTimes(3);
    }
  });
});

/** A window of which nothing comes into sight until `scrollTo` says so: jsdom lays nothing out. */
class Sight implements IntersectionObserver {
  static all = new Set<Sight>();
  readonly root = null;
  readonly rootMargin = "";
  readonly scrollMargin = "";
  readonly thresholds = [];
  readonly #tell: IntersectionObserverCallback;
  #target: Element | undefined;

  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element) {
    this.#target = target;
    Sight.all.add(this);
  }
  unobserve() {}
  disconnect() {
    Sight.all.delete(this);
  }
  takeRecords() {
    return [];
  }
  static scrollTo(label: string) {
    for (const sight of [...Sight.all]) {
      const isIntersecting = sight.#target?.textContent?.includes(label) ?? false;
      sight.#tell([{ isIntersecting } as IntersectionObserverEntry], sight);
    }
  }
}

const sixty = makeSchema(60);
const SIXTY = { ...sixty, required: Object.keys(sixty.properties) };
const rows = () => document.querySelectorAll("[data-field]").length;

describe("a form of sixty fields", () => {
  beforeEach(() => {
    globalThis.IntersectionObserver = Sight;
  });
  afterEach(() => {
    Sight.all.clear();
    Reflect.deleteProperty(globalThis, "IntersectionObserver");
  });

  it("renders all labels, and controls near the view", async () => {
    await renderForm(SIXTY);
    expect(rows()).toBe(12);
    expect(screen.getByText(/Parameter 59$/)).toBeInTheDocument();
    act(() => Sight.scrollTo("Parameter 31"));
    expect(rows()).toBe(18);
    expect(screen.getByRole("textbox", { name: "Parameter 30" })).toBeInTheDocument();
  });

  it("is walked by Tab in both directions", async () => {
    const { user } = await renderForm(SIXTY);
    screen.getByRole("textbox", { name: "Parameter 9" }).focus();
    await user.tab();
    expect(screen.getByRole("button", { name: "About Parameter 10" })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole("textbox", { name: "Parameter 10" })).toHaveFocus();

    screen.getByRole("button", { name: "Run" }).focus();
    await user.tab({ shift: true });
    expect(screen.getByRole("button", { name: "About Parameter 59" }).closest("[data-field]")).toContainElement(
      document.activeElement as HTMLElement,
    );
  });

  it("renders all fields after Run, and focuses the first problem", async () => {
    const { user } = await renderForm({ ...SIXTY, required: ["field_55"] });
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByRole("textbox", { name: "Parameter 55" })).toHaveFocus();
  });
});
