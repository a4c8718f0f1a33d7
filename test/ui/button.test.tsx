import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type FormEvent, useState } from "react";
import { describe, expect, test } from "vitest";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
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
        Prompt <input />
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
      <output>
        {presses} presses, {sent} sent
      </output>
    </form>
  );
}

describe("Button", () => {
  test("a press acts and submits; the shown key is not in the name", async () => {
    render(<Counter />);
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(screen.getByRole("status")).toHaveTextContent("1 presses, 1 sent");
  });

  test("aria-disabled keeps it focusable, and neither a press nor Enter in a field submits", async () => {
    render(<Counter resting />);
    const run = screen.getByRole("button", { name: "Run" });
    await userEvent.click(run);
    expect(run).toHaveFocus();
    await userEvent.type(screen.getByRole("textbox"), "fox{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("0 presses, 0 sent");
    await expectNoViolations();
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
    await expectNoViolations();
  });

  test("submits no form by default", async () => {
    let sent = 0;
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sent += 1;
        }}
      >
        <Button>Shuffle</Button>
      </form>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Shuffle" }));
    expect(sent).toBe(0);
  });

  test("an icon button is named and passes axe in every variant", async () => {
    render(
      <>
        {(["primary", "outline", "ghost", "danger"] as const).map((variant) => (
          <IconButton key={variant} label={`More, ${variant}`} variant={variant}>
            <svg aria-hidden="true" />
          </IconButton>
        ))}
        <a href="/create" className={buttonClass({ variant: "primary" })}>
          Go to Create
        </a>
      </>,
    );
    expect(screen.getByRole("button", { name: "More, ghost" })).toHaveAttribute("title", "More, ghost");
    await expectNoViolations();
  });
});
