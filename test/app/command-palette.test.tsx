import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { expectNoViolations } from "../ui/expect-no-violations.ts";
import { openStudio } from "./open-studio.tsx";

const palette = () => screen.findByRole("combobox", { name: "Search commands" });

async function openSpend() {
  const opened = await openStudio("/spend");
  await screen.findByRole("heading", { level: 1, name: "Spend" });
  return opened;
}

describe("the command palette", () => {
  test("opens with the main modifier and K, and opens the chosen screen", async () => {
    const { user, where } = await openSpend();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await palette(), "settings");
    expect(screen.getByRole("option", { name: "Go to Settings", selected: true })).toBeInTheDocument();
    await expectNoViolations();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(where()).toBe("/settings"));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("changes the theme", async () => {
    const { user } = await openSpend();
    await user.keyboard("{Meta>}k{/Meta}");
    await palette();
    await user.click(screen.getByRole("option", { name: "Light theme" }));
    await waitFor(() => expect(localStorage.getItem("safelight:theme")).toBe("light"));
  });

  test("says when nothing matches, and Escape closes it", async () => {
    const { user } = await openSpend();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await palette(), "zzz");
    expect(await screen.findByText("No command and no model matches.")).toBeVisible();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("keyboard shortcuts", () => {
  test("the question mark lists the keys of the screen", async () => {
    const { user } = await openSpend();
    await user.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(within(help).getByText("Search commands")).toBeVisible();
    await expectNoViolations();
  });

  test("do nothing while a field has the focus", async () => {
    const { user } = await openStudio("/connect");
    const field = await screen.findByLabelText("API key");
    await user.type(field, "?");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});
