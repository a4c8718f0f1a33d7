import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import fc from "fast-check";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { Combobox, filterOptions } from "#ui/combobox.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

const VOICES = [
  { value: "alto-1", label: "Alto" },
  { value: "bass-1", label: "Bass", detail: "$0.02" },
  { value: "mezzo-1", label: "Mezzo Élan" },
];

function Voice({ allowCustom = false, start = "bass-1" }: { allowCustom?: boolean; start?: string }) {
  const [value, setValue] = useState<string | undefined>(start);
  return (
    <>
      <Combobox label="Voice" options={VOICES} value={value} onChange={setValue} allowCustom={allowCustom} />
      <output>{value ?? "none"}</output>
    </>
  );
}

const input = () => screen.getByRole("combobox", { name: "Voice" });

describe("Combobox", () => {
  test("shows the chosen label and opens with every option", async () => {
    render(<Voice />);
    expect(input()).toHaveValue("Bass");
    await expectNoViolations();
    await userEvent.click(input());
    expect(screen.getAllByRole("option")).toHaveLength(3);
    expect(screen.getByRole("option", { name: /Bass/ })).toHaveAttribute("aria-selected", "true");
    await expectNoViolations();
  });

  test("typing filters without accents, and Enter chooses the active option", async () => {
    render(<Voice />);
    await userEvent.clear(input());
    await userEvent.type(input(), "elan");
    const option = screen.getByRole("option", { name: "Mezzo Élan" });
    expect(input()).toHaveAttribute("aria-activedescendant", option.id);
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("mezzo-1");
    expect(screen.queryByRole("listbox")).not.toBeInTheDocument();
    expect(input()).toHaveFocus();
  });

  test("arrows open and move, and a press chooses", async () => {
    render(<Voice />);
    input().focus();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    expect(input()).toHaveAttribute("aria-activedescendant", screen.getByRole("option", { name: "Mezzo Élan" }).id);
    await userEvent.click(screen.getByRole("option", { name: "Alto" }));
    expect(screen.getByRole("status")).toHaveTextContent("alto-1");
  });

  test("Escape restores the earlier value", async () => {
    render(<Voice />);
    await userEvent.type(input(), "zzz{Escape}");
    expect(input()).toHaveValue("Bass");
    expect(screen.getByRole("status")).toHaveTextContent("bass-1");
  });

  test("a text that is no option is dropped on blur", async () => {
    render(<Voice />);
    await userEvent.clear(input());
    await userEvent.type(input(), "zzz");
    expect(screen.getByText("Nothing matches.")).toBeVisible();
    await userEvent.tab();
    expect(input()).toHaveValue("Bass");
  });

  test("with allowCustom the typed text is the value", async () => {
    render(<Voice allowCustom />);
    await userEvent.clear(input());
    await userEvent.type(input(), "my-own-voice");
    await userEvent.tab();
    expect(screen.getByRole("status")).toHaveTextContent("my-own-voice");
  });

  test("an empty text on blur clears the value", async () => {
    render(<Voice />);
    await userEvent.clear(input());
    await userEvent.tab();
    expect(screen.getByRole("status")).toHaveTextContent("none");
  });
});

const OPTIONS = [
  { value: "lumen-2", label: "Lumen 2", detail: "image" },
  { value: "halide-clip", label: "Halide clip", detail: "video" },
  { value: "elan", label: "Élan", detail: "audio" },
];

describe("filterOptions", () => {
  test("every word must be found, in label, value or detail, accents and case aside", () => {
    const values = (query: string) => filterOptions(OPTIONS, query).map(({ value }) => value);
    expect(values("LUMEN image")).toEqual(["lumen-2"]);
    expect(values("elan")).toEqual(["elan"]);
    expect(values("lumen video")).toEqual([]);
    expect(values("  ")).toEqual(["lumen-2", "halide-clip", "elan"]);
  });

  test("an option is always found by its own label, whatever the label is", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (labels) => {
        const options = labels.map((label, index) => ({ value: `${index}`, label }));
        for (const option of options) expect(filterOptions(options, option.label)).toContain(option);
      }),
    );
  });
});
