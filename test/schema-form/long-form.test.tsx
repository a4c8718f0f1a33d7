import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSchema } from "../../.bench/forms/make-schema.mjs";
import { renderForm } from "./render-form.tsx";

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

const { type, properties } = makeSchema(60);
const SCHEMA = { type, properties, required: Object.keys(properties) };
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
    await renderForm(SCHEMA);
    expect(rows()).toBe(12);
    expect(screen.getByText(/Parameter 59$/)).toBeInTheDocument();
    act(() => Sight.scrollTo("Parameter 31"));
    expect(rows()).toBe(18);
    expect(screen.getByRole("textbox", { name: "Parameter 30" })).toBeInTheDocument();
  });

  it("is walked by Tab in both directions", async () => {
    const { user } = await renderForm(SCHEMA);
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
    const { user } = await renderForm({ ...SCHEMA, required: ["field_55"] });
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByRole("textbox", { name: "Parameter 55" })).toHaveFocus();
  });
});
