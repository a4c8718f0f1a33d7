import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef, useState } from "react";
import { describe, expect, test } from "vitest";
import { Checkbox, Switch } from "#ui/checkbox.tsx";
import { Select, TextArea, TextInput } from "#ui/field.tsx";
import { Slider } from "#ui/slider.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

function Sound() {
  const [isOn, setIsOn] = useState(false);
  return (
    <>
      <label htmlFor="sound">Sound</label>
      <Switch id="sound" checked={isOn} onChange={(event) => setIsOn(event.currentTarget.checked)} />
    </>
  );
}

describe("inputs", () => {
  test("text, text area and select pass native props on and pass axe", async () => {
    render(
      <>
        <TextInput aria-label="Key" autoComplete="off" maxLength={3} />
        <TextInput aria-label="Locked" disabled defaultValue="x" />
        <TextArea aria-label="Prompt" aria-invalid defaultValue="A fox" />
        <Select aria-label="Format" defaultValue="png">
          <option>png</option>
          <option>jpeg</option>
        </Select>
      </>,
    );
    await userEvent.type(screen.getByRole("textbox", { name: "Key" }), "abcdef");
    expect(screen.getByRole("textbox", { name: "Key" })).toHaveValue("abc");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Format" }), "jpeg");
    expect(screen.getByRole("combobox", { name: "Format" })).toHaveValue("jpeg");
    expect(screen.getByRole("textbox", { name: "Prompt" })).toBeInvalid();
    await expectNoViolations();
  });

  test("refs reach the native elements", () => {
    const area = createRef<HTMLTextAreaElement>();
    const box = createRef<HTMLInputElement>();
    render(
      <>
        <TextArea aria-label="Prompt" ref={area} />
        <Checkbox aria-label="All" ref={box} />
      </>,
    );
    expect(area.current).toBe(screen.getByRole("textbox"));
    expect(box.current).toBe(screen.getByRole("checkbox"));
  });

  test("a switch toggles by press and Space, and has its state", async () => {
    render(<Sound />);
    const sound = screen.getByRole("switch", { name: "Sound" });
    expect(sound).not.toBeChecked();
    await userEvent.click(sound);
    expect(sound).toBeChecked();
    await userEvent.keyboard(" ");
    expect(sound).not.toBeChecked();
    await expectNoViolations();
  });

  test("a checkbox for some but not all is mixed", async () => {
    const { rerender } = render(<Checkbox aria-label="All jobs" indeterminate />);
    expect(screen.getByRole("checkbox", { name: "All jobs" })).toBePartiallyChecked();
    await expectNoViolations();
    rerender(<Checkbox aria-label="All jobs" />);
    expect(screen.getByRole("checkbox", { name: "All jobs" })).not.toBePartiallyChecked();
  });

  test("a slider fills the part up to its value, at most the whole", async () => {
    const { rerender } = render(<Slider aria-label="Guidance" min={1} max={9} value={3} onChange={() => {}} />);
    const slider = screen.getByRole("slider", { name: "Guidance" });
    expect(slider.style.getPropertyValue("--filled")).toBe("25%");
    rerender(<Slider aria-label="Guidance" min={1} max={9} value={20} onChange={() => {}} />);
    expect(slider.style.getPropertyValue("--filled")).toBe("100%");
    rerender(<Slider aria-label="Guidance" min={1} max={1} value={1} onChange={() => {}} />);
    expect(slider.style.getPropertyValue("--filled")).toBe("0%");
    await expectNoViolations();
  });
});
