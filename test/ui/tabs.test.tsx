import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { Tabs } from "#ui/tabs.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

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

describe("Tabs", () => {
  test("one tab stop; keys move and choose; the tab names the panel", async () => {
    render(<Views />);
    await userEvent.tab();
    expect(screen.getByRole("tab", { name: "Form", selected: true })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("tab", { name: "JSON", selected: true })).toHaveFocus();
    expect(screen.getByRole("tabpanel", { name: "JSON" })).toHaveTextContent("The json view");
    await userEvent.keyboard("{End}{ArrowRight}");
    expect(screen.getByRole("tab", { name: "Form", selected: true })).toHaveFocus();
    await expectNoViolations();
  });
});
