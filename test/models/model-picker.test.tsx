import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { ModelCard } from "#models/model-card.tsx";
import { ModelPicker } from "#models/model-picker.tsx";
import { giveLayout } from "../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";

let server: SandboxServer;
let removeLayout: () => void;
beforeEach(async () => {
  removeLayout = giveLayout({ height: 480 });
  localStorage.clear();
  server = startSandboxServer();
  await openSandbox();
});
afterEach(() => {
  removeLayout();
  disconnect();
  server.close();
});

function Choice() {
  const [isOpen, setIsOpen] = useState(false);
  const [id, setId] = useState<string>();
  return (
    <ConnectionProvider>
      <ModelCard id={id} onClick={() => setIsOpen(true)} />
      <ModelPicker
        open={isOpen}
        onOpenChange={setIsOpen}
        selected={id === undefined ? [] : [id]}
        withTextModels
        onSelect={setId}
      />
    </ConnectionProvider>
  );
}

async function openPicker() {
  const user = userEvent.setup();
  render(<Choice />);
  await user.click(screen.getByRole("button", { name: /choose model/i }));
  await screen.findByText(/^\d+ models$/);
  return user;
}

const rows = () => within(screen.getByRole("list", { name: "Models" })).getAllByRole("listitem");
const details = () => server.sandbox.inspect().requests.filter(({ path }) => /\/apikey\/models\/./.test(path));

describe("choosing a model", () => {
  it("shows name, kind and price, and the choice on the card", async () => {
    const user = await openPicker();
    const row = await screen.findByRole("button", { name: /^lumen-2 Image · \$/ });
    await user.click(row);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(await screen.findByRole("button", { name: /Model: lumen-2\s*Image · \$/ })).toHaveFocus();
  });

  it("asks for the details of rows in view only, and once", async () => {
    const user = await openPicker();
    const seen = rows().length;
    await waitFor(() => expect(details().length).toBe(seen));
    const total = Number.parseInt(screen.getByText(/^\d+ models$/).textContent ?? "", 10);
    expect(seen).toBeLessThan(total);
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: /choose model/i }));
    await screen.findByText(/^\d+ models$/);
    expect(details().length).toBe(seen);
  });

  it("works by keyboard alone: search, arrows, Enter", async () => {
    const user = await openPicker();
    expect(screen.getByRole("searchbox", { name: "Search models" })).toHaveFocus();
    await user.keyboard("{ArrowDown}{ArrowDown}");
    const [, second] = rows();
    expect(within(second as HTMLElement).getAllByRole("button")[0]).toHaveFocus();
    await user.keyboard("{ArrowUp}{ArrowUp}");
    expect(screen.getByRole("searchbox", { name: "Search models" })).toHaveFocus();
    await user.keyboard("lumen-2{Enter}");
    expect(await screen.findByRole("button", { name: /Model: lumen-2/ })).toBeVisible();
  });

  it("reaches the last row with End, though only rows in view are rendered", async () => {
    const user = await openPicker();
    await user.keyboard("{ArrowDown}{End}");
    const last = screen.getAllByRole("listitem").at(-1) as HTMLElement;
    expect(last).toHaveAttribute("aria-posinset", last.getAttribute("aria-setsize"));
    expect(within(last).getAllByRole("button")[0]).toHaveFocus();
  });

  it("filters by type as details arrive", async () => {
    const user = await openPicker();
    await user.click(screen.getByRole("radio", { name: "Audio" }));
    await waitFor(() => {
      const names = rows().map((row) => within(row).getAllByRole("button")[0]?.textContent);
      for (const name of names) expect(name).toContain("Audio");
    });
    expect(screen.getByText(/^\d+ of \d+ models$/)).toBeInTheDocument();
  });

  it("says when nothing matches and offers to clear the filter", async () => {
    const user = await openPicker();
    await user.paste("no such model");
    expect(screen.getByText("No matching models")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Show all models" }));
    expect(rows().length).toBeGreaterThan(5);
  });

  it("shows starred models first and stores them on this device", async () => {
    const user = await openPicker();
    await user.paste("overture");
    const star = (await screen.findAllByRole("button", { name: /^Star overture/ }))[0] as HTMLElement;
    await user.click(star);
    await user.clear(screen.getByRole("searchbox"));
    expect(rows()[0]).toHaveTextContent(/overture/);
    expect(localStorage.getItem("safelight.favourites")).toContain("overture");
    await user.click(screen.getByRole("button", { name: "Starred" }));
    expect(rows()).toHaveLength(1);
  });

  it("explains a catalogue that does not load and loads it on request", async () => {
    server.sandbox.configure({ faults: [{ endpoint: "models", status: 404, times: 1 }] });
    const user = userEvent.setup();
    render(<Choice />);
    await user.click(screen.getByRole("button", { name: /choose model/i }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(/This model is not available/);
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/^\d+ models$/)).toBeInTheDocument();
  });
});
