import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { Combobox } from "#ui/combobox.tsx";
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

function Picker() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Choose a model
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Models" description="Search the catalogue.">
        <label>
          Search <input />
        </label>
        <Combobox label="Type" options={[{ value: "image", label: "Image" }]} value="image" onChange={() => {}} />
      </Dialog>
    </>
  );
}

function Delete() {
  const [open, setOpen] = useState(false);
  const [count, setCount] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Delete files
      </button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete the media?"
        description="It cannot be taken back."
        confirmLabel="Delete"
        danger
        onConfirm={() => {
          setCount(count + 1);
          setOpen(false);
        }}
      />
      <output>{count} deleted</output>
    </>
  );
}

describe("Dialog", () => {
  test("is named and described, takes the focus into its content and gives it back", async () => {
    render(<Picker />);
    const opener = screen.getByRole("button", { name: "Choose a model" });
    await userEvent.click(opener);
    const dialog = screen.getByRole("dialog", { name: "Models" });
    expect(dialog).toHaveAccessibleDescription("Search the catalogue.");
    expect(screen.getByRole("textbox", { name: "Search" })).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
  });

  test("Escape closes an open list first, then the dialog", async () => {
    render(<Picker />);
    await userEvent.click(screen.getByRole("button", { name: "Choose a model" }));
    await userEvent.click(screen.getByRole("combobox", { name: "Type" }));
    expect(screen.getByRole("listbox")).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).not.toBeInTheDocument();
    expect(screen.getByRole("dialog", { name: "Models" })).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("Tab stays inside", async () => {
    render(<Picker />);
    await userEvent.click(screen.getByRole("button", { name: "Choose a model" }));
    const dialog = screen.getByRole("dialog");
    for (let press = 0; press < 5; press += 1) {
      await userEvent.tab();
      expect(dialog).toContainElement(document.activeElement as HTMLElement);
    }
  });
});

describe("ConfirmDialog", () => {
  test("is an alert dialog that starts on Cancel", async () => {
    render(<Delete />);
    await userEvent.click(screen.getByRole("button", { name: "Delete files" }));
    expect(screen.getByRole("alertdialog", { name: "Delete the media?" })).toHaveAccessibleDescription(
      "It cannot be taken back.",
    );
    expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("0 deleted");
    expect(screen.getByRole("button", { name: "Delete files" })).toHaveFocus();
  });

  test("acts once it is confirmed", async () => {
    render(<Delete />);
    await userEvent.click(screen.getByRole("button", { name: "Delete files" }));
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect(screen.getByRole("status")).toHaveTextContent("1 deleted");
  });

  test("while busy the action cannot be pressed again", async () => {
    let acts = 0;
    render(
      <ConfirmDialog
        open
        onOpenChange={() => {}}
        title="Delete the media?"
        confirmLabel="Delete"
        busy
        onConfirm={() => {
          acts += 1;
        }}
      />,
    );
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect(acts).toBe(0);
    await expectNoViolations();
  });
});
