import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { Field, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

const SIZES = [
  { value: "1K", label: "1K" },
  { value: "2K", label: "2K" },
];

function SeedField({ error }: { error?: string }) {
  return (
    <Field label="Seed" note="0 to 9" hint="The same seed gives the same picture." error={error} required changed>
      {({ id, describedBy, invalid }) => (
        <TextInput id={id} aria-describedby={describedBy} aria-invalid={invalid} aria-required />
      )}
    </Field>
  );
}

describe("Field", () => {
  test("the label alone names the control; note and hint describe it", async () => {
    render(<SeedField />);
    const input = screen.getByRole("textbox", { name: "Seed" });
    expect(input).toHaveAccessibleDescription("0 to 9 The same seed gives the same picture.");
    expect(input).toBeValid();
    await expectNoViolations();
  });

  test("an error takes the hint's place, marks the control and describes it", async () => {
    render(<SeedField error="A whole number from 0 to 9." />);
    const input = screen.getByRole("textbox", { name: "Seed" });
    expect(input).toBeInvalid();
    expect(input).toHaveAccessibleDescription("0 to 9 A whole number from 0 to 9.");
    expect(screen.queryByText(/The same seed/)).not.toBeInTheDocument();
    await expectNoViolations();
  });

  test("a group of controls is named by the label", async () => {
    render(
      <Field label="Size" group error="Choose one.">
        {({ labelId, describedBy, invalid }) => (
          <Segmented
            label="Size"
            labelledBy={labelId}
            describedBy={describedBy}
            invalid={invalid}
            options={SIZES}
            value={undefined}
            onChange={() => {}}
          />
        )}
      </Field>,
    );
    const group = screen.getByRole("radiogroup", { name: "Size" });
    expect(group).toHaveAccessibleDescription("Choose one.");
    expect(group).toHaveAttribute("aria-invalid", "true");
    await expectNoViolations();
  });

  test("two fields of the same label have different ids", () => {
    render(
      <>
        <SeedField />
        <SeedField error="Too large." />
      </>,
    );
    const [first, second] = screen.getAllByRole("textbox", { name: "Seed" });
    expect(first?.id).not.toBe(second?.id);
    expect(second).toHaveAccessibleDescription("0 to 9 Too large.");
  });
});
