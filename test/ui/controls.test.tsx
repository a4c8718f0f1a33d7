import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef, type FormEvent, useState } from "react";
import { describe, expect, test } from "vitest";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { Checkbox, Switch } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { Field, Select, TextArea, TextInput } from "#ui/field.tsx";
import { isOfControl } from "#ui/keys.ts";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { Slider } from "#ui/slider.tsx";
import { Tabs } from "#ui/tabs.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

function Counter({ resting = false, busy = false }: { resting?: boolean; busy?: boolean }) {
  const [presses, setPresses] = useState(0);
  const [sent, setSent] = useState(0);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    setSent(sent + 1);
  }
  return (
    <form onSubmit={onSubmit}>
      <label>
        Words <input />
      </label>
      <Button
        type="submit"
        variant="primary"
        aria-disabled={resting}
        busy={busy}
        onClick={() => setPresses(presses + 1)}
      >
        Run <Kbd keys="mod+enter" />
      </Button>
      <Button>Shuffle</Button>
      <output>
        {presses} presses, {sent} sent
      </output>
    </form>
  );
}

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

function SeedField({ error }: { error?: string }) {
  return (
    <Field label="Seed" note="0 to 9" hint="The same seed gives the same picture." error={error} required changed>
      {({ id, describedBy, invalid }) => (
        <TextInput id={id} aria-describedby={describedBy} aria-invalid={invalid} aria-required />
      )}
    </Field>
  );
}

function SizeField() {
  return (
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
    </Field>
  );
}

function Sound() {
  const [isOn, setIsOn] = useState(false);
  return (
    <>
      <label htmlFor="sound">Sound</label>
      <Switch id="sound" checked={isOn} onChange={(event) => setIsOn(event.currentTarget.checked)} />
    </>
  );
}

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
  { value: "code", label: "Code" },
] as const;

function Views() {
  const [view, setView] = useState<"form" | "json" | "code">("form");
  return (
    <Tabs label="Edit as" tabs={VIEWS} value={view} onChange={setView}>
      The {view} view
    </Tabs>
  );
}

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

test("every control in every state passes axe", async () => {
  render(
    <>
      <Counter resting />
      <Counter busy />
      {(["primary", "outline", "ghost", "danger"] as const).map((variant) => (
        <IconButton key={variant} label={`More, ${variant}`} variant={variant}>
          <svg aria-hidden="true" />
        </IconButton>
      ))}
      <a href="/create" className={buttonClass({ variant: "primary" })}>
        Go to Create
      </a>
      <SeedField />
      <SeedField error="A whole number from 0 to 9." />
      <SizeField />
      <Size start="1K" />
      <Size start="1K" disabled />
      <TextInput aria-label="Locked" disabled defaultValue="x" />
      <TextArea aria-label="Prompt" aria-invalid defaultValue="A fox" />
      <Select aria-label="Format" defaultValue="png">
        <option>png</option>
      </Select>
      <Sound />
      <Checkbox aria-label="All jobs" indeterminate />
      <Slider aria-label="Guidance" min={1} max={9} value={3} onChange={() => {}} />
      <Views />
      <Voice />
    </>,
  );
  expect(screen.getByRole("button", { name: "More, ghost" })).toHaveAttribute("title", "More, ghost");
  await userEvent.click(screen.getByRole("combobox", { name: "Voice" }));
  expect(screen.getAllByRole("option", { name: /Alto|Bass|Mezzo/ })).toHaveLength(3);
  await expectNoViolations();
});

describe("Button", () => {
  test("a press acts and submits; another button of the form submits nothing", async () => {
    render(<Counter />);
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(screen.getByRole("status")).toHaveTextContent("1 presses, 1 sent");
    await userEvent.click(screen.getByRole("button", { name: "Shuffle" }));
    expect(screen.getByRole("status")).toHaveTextContent("1 presses, 1 sent");
  });

  test("aria-disabled keeps it focusable, and neither a press nor Enter in a field submits", async () => {
    render(<Counter resting />);
    const run = screen.getByRole("button", { name: "Run" });
    await userEvent.click(run);
    expect(run).toHaveFocus();
    await userEvent.type(screen.getByRole("textbox"), "fox{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("0 presses, 0 sent");
  });

  test("a busy button is announced, keeps the focus and ignores presses", async () => {
    const { rerender } = render(<Counter />);
    const run = screen.getByRole("button", { name: "Run" });
    run.focus();
    rerender(<Counter busy />);
    await userEvent.click(run);
    expect(run).toHaveFocus();
    expect(run).toHaveAttribute("aria-busy", "true");
    expect(screen.getByRole("status")).toHaveTextContent("0 presses, 0 sent");
  });
});

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
  });

  test("may start without a choice, and two of the same label are independent", async () => {
    render(
      <>
        <Size />
        <Size start="2K" />
      </>,
    );
    const [, , first, , , second] = screen.getAllByRole("radio");
    expect(screen.getAllByRole("radio", { checked: true })).toHaveLength(1);
    await userEvent.click(first as HTMLElement);
    expect(first).toBeChecked();
    expect(second).not.toBeChecked();
    expect(screen.getAllByRole("radio", { name: "2K" })[1]).toBeChecked();
  });

  test("ignores presses while disabled", async () => {
    render(<Size start="1K" disabled />);
    await userEvent.click(screen.getByRole("radio", { name: "2K" }));
    expect(screen.getByRole("radio", { name: "1K" })).toBeChecked();
  });
});

describe("Field", () => {
  test("the label alone names the control; note and hint describe it, an error takes the hint's place", () => {
    render(
      <>
        <SeedField />
        <SeedField error="A whole number from 0 to 9." />
      </>,
    );
    const [first, second] = screen.getAllByRole("textbox", { name: "Seed" });
    expect(first).toHaveAccessibleDescription("0 to 9 The same seed gives the same picture.");
    expect(first).toBeValid();
    expect(second).toBeInvalid();
    expect(second).toHaveAccessibleDescription("0 to 9 A whole number from 0 to 9.");
    expect(screen.getAllByText(/The same seed/)).toHaveLength(1);
    // Two fields of the same label have different ids.
    expect(first?.id).not.toBe(second?.id);
  });

  test("a group of controls is named by the label", () => {
    render(<SizeField />);
    const group = screen.getByRole("radiogroup", { name: "Size" });
    expect(group).toHaveAccessibleDescription("Choose one.");
    expect(group).toHaveAttribute("aria-invalid", "true");
  });
});

describe("inputs", () => {
  test("text, text area and select pass native props and refs on", async () => {
    const area = createRef<HTMLTextAreaElement>();
    const box = createRef<HTMLInputElement>();
    render(
      <>
        <TextInput aria-label="Key" autoComplete="off" maxLength={3} />
        <TextArea aria-label="Prompt" aria-invalid defaultValue="A fox" ref={area} />
        <Select aria-label="Format" defaultValue="png">
          <option>png</option>
          <option>jpeg</option>
        </Select>
        <Checkbox aria-label="All" ref={box} />
      </>,
    );
    await userEvent.type(screen.getByRole("textbox", { name: "Key" }), "abcdef");
    expect(screen.getByRole("textbox", { name: "Key" })).toHaveValue("abc");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Format" }), "jpeg");
    expect(screen.getByRole("combobox", { name: "Format" })).toHaveValue("jpeg");
    expect(screen.getByRole("textbox", { name: "Prompt" })).toBeInvalid();
    expect(area.current).toBe(screen.getByRole("textbox", { name: "Prompt" }));
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
  });

  test("a checkbox for some but not all is mixed", () => {
    const { rerender } = render(<Checkbox aria-label="All jobs" indeterminate />);
    expect(screen.getByRole("checkbox", { name: "All jobs" })).toBePartiallyChecked();
    rerender(<Checkbox aria-label="All jobs" />);
    expect(screen.getByRole("checkbox", { name: "All jobs" })).not.toBePartiallyChecked();
  });

  test("a slider fills the part up to its value, at most the whole", () => {
    const { rerender } = render(<Slider aria-label="Guidance" min={1} max={9} value={3} onChange={() => {}} />);
    const slider = screen.getByRole("slider", { name: "Guidance" });
    expect(slider.style.getPropertyValue("--filled")).toBe("25%");
    rerender(<Slider aria-label="Guidance" min={1} max={9} value={20} onChange={() => {}} />);
    expect(slider.style.getPropertyValue("--filled")).toBe("100%");
    rerender(<Slider aria-label="Guidance" min={1} max={1} value={1} onChange={() => {}} />);
    expect(slider.style.getPropertyValue("--filled")).toBe("0%");
  });
});

test("tabs are one stop; keys move and choose; the tab names the panel", async () => {
  render(<Views />);
  await userEvent.tab();
  expect(screen.getByRole("tab", { name: "Form", selected: true })).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tab", { name: "JSON", selected: true })).toHaveFocus();
  expect(screen.getByRole("tabpanel", { name: "JSON" })).toHaveTextContent("The json view");
  await userEvent.keyboard("{End}{ArrowRight}");
  expect(screen.getByRole("tab", { name: "Form", selected: true })).toHaveFocus();
});

describe("Combobox", () => {
  const input = () => screen.getByRole("combobox", { name: "Voice" });

  test("shows the chosen label and opens with every option", async () => {
    render(<Voice />);
    expect(input()).toHaveValue("Bass");
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

  test("Escape restores the earlier value, and so does leaving a text that is no option", async () => {
    render(<Voice />);
    await userEvent.type(input(), "zzz{Escape}");
    expect(input()).toHaveValue("Bass");
    expect(screen.getByRole("status")).toHaveTextContent("bass-1");
    await userEvent.clear(input());
    await userEvent.type(input(), "zzz");
    expect(screen.getByText("No matches")).toBeVisible();
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

test("a control keeps the keys that it needs itself", () => {
  document.body.innerHTML = "<div role=radiogroup><input type=radio></div><button></button><p></p>";
  const [radio, button, text] = ["input", "button", "p"].map((name) => document.querySelector(name));
  expect(isOfControl("arrowleft", radio ?? null)).toBe(true);
  expect(isOfControl("space", button ?? null)).toBe(true);
  expect(isOfControl("arrowleft", button ?? null)).toBe(false);
  expect(isOfControl("arrowleft", text ?? null)).toBe(false);
});
