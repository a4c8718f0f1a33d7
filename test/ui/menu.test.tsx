import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { Menu } from "#ui/menu.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

function Acts() {
  const [done, setDone] = useState("nothing");
  return (
    <>
      <Menu
        label="Download"
        items={[
          { label: "This file", onSelect: () => setDone("file") },
          { label: "All files", onSelect: () => setDone("all") },
          { label: "Zip", disabled: true, onSelect: () => setDone("zip") },
        ]}
      />
      <output>{done}</output>
    </>
  );
}

const trigger = () => screen.getByRole("button", { name: "Download" });
const item = (name: string) => screen.getByRole("menuitem", { name });

describe("Menu", () => {
  test("opens on its first item, moves by keys, acts and gives focus back", async () => {
    render(<Acts />);
    await userEvent.click(trigger());
    expect(trigger()).toHaveAttribute("aria-expanded", "true");
    expect(item("This file")).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard("{ArrowUp}");
    expect(item("Zip")).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    expect(item("This file")).toHaveFocus();
    await userEvent.keyboard("a");
    expect(item("All files")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("all");
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    expect(trigger()).toHaveFocus();
  });

  test("Escape and a press elsewhere close it", async () => {
    render(<Acts />);
    trigger().focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(screen.getByRole("menu", { name: "Download" })).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    expect(trigger()).toHaveFocus();
    await userEvent.click(trigger());
    await userEvent.click(document.body);
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
  });

  test("a disabled item stays and does nothing", async () => {
    render(<Acts />);
    await userEvent.click(trigger());
    await userEvent.click(item("Zip"));
    expect(screen.getByRole("menu")).toBeInTheDocument();
    expect(screen.getByRole("status")).toHaveTextContent("nothing");
  });
});
