import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { Segmented } from "#ui/segmented.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

const SIZES = ["1K", "2K", "4K"].map((value) => ({ value, label: value }));

function Size({ start, disabled }: { start?: string; disabled?: boolean }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <button type="button">Before</button>
      <Segmented label="Size" options={SIZES} value={value} onChange={setValue} disabled={disabled} />
      <button type="button">After</button>
    </>
  );
}

describe("Segmented", () => {
  test("is one tab stop on the chosen option; arrows move and choose, and wrap", async () => {
    render(<Size start="2K" />);
    await userEvent.tab();
    await userEvent.tab();
    expect(screen.getByRole("radio", { name: "2K" })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("radio", { name: "4K" })).toBeChecked();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("radio", { name: "1K" })).toBeChecked();
    await userEvent.tab();
    expect(screen.getByRole("button", { name: "After" })).toHaveFocus();
    await expectNoViolations();
  });

  test("may start without a choice", async () => {
    render(<Size />);
    for (const radio of screen.getAllByRole("radio")) expect(radio).not.toBeChecked();
    await userEvent.click(screen.getByRole("radio", { name: "4K" }));
    expect(screen.getByRole("radio", { name: "4K" })).toBeChecked();
  });

  test("two groups of the same label are independent", async () => {
    render(
      <>
        <Size start="1K" />
        <Size start="2K" />
      </>,
    );
    const [first, second] = screen.getAllByRole("radio", { name: "4K" });
    if (first) await userEvent.click(first);
    expect(first).toBeChecked();
    expect(second).not.toBeChecked();
  });

  test("ignores presses while disabled", async () => {
    render(<Size start="1K" disabled />);
    await userEvent.click(screen.getByRole("radio", { name: "2K" }));
    expect(screen.getByRole("radio", { name: "1K" })).toBeChecked();
    await expectNoViolations();
  });
});
