import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { NO_CHOICES, useKeyChoices } from "#ui/keys.ts";
import { openSandboxPage } from "../../media/sandbox-page.ts";
import { visitPlayground } from "../../playground/visit-playground.tsx";
import { givePhone } from "../../setup/give-phone.ts";
import { visitStudio } from "../../visit-studio.tsx";
import { everyActIsKnown, openEachMenu } from "../acts-on-screen.ts";
import { openStudio } from "../open-studio.tsx";
import { playgroundStates, storeStates } from "../playground-states.ts";
import { isOnPhones, makeJobs, type ScreenState, screenStates } from "../screen-states.ts";

const palette = () => screen.findByRole("combobox", { name: "Search commands" });
const option = (name: RegExp | string) => screen.findByRole("option", { name });

afterEach(() => useKeyChoices.setState(NO_CHOICES));

async function openSpend() {
  const opened = await openStudio("/spend");
  await screen.findByRole("heading", { level: 1, name: "Spend" });
  return opened;
}

async function openPalette() {
  const opened = await openSpend();
  await opened.user.keyboard("{Control>}k{/Control}");
  await palette();
  return opened;
}

describe("the command palette", () => {
  test("opens with the main modifier and K, and opens the chosen screen", async () => {
    const { user, where } = await openPalette();
    await user.type(await palette(), "go settings");
    expect(await screen.findByRole("option", { name: /^Go to Settings/, selected: true })).toBeInTheDocument();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(where()).toBe("/settings"));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("with nothing typed nothing is chosen, so that Enter runs nothing", async () => {
    const { user, where } = await openPalette();
    expect(screen.queryByRole("option", { selected: true })).not.toBeInTheDocument();
    await user.keyboard("{Enter}");
    expect(await palette()).toBeVisible();
    expect(where()).toBe("/spend");
  });

  test("arrows, Home and End move, and the active line is named", async () => {
    const { user } = await openPalette();
    await user.paste("theme");
    const named = () => document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "");
    await user.keyboard("{End}");
    expect(named()).toBe(screen.getAllByRole("option").at(-1));
    await user.keyboard("{ArrowDown}");
    expect(named()).toBe(screen.getAllByRole("option")[0]);
    await user.keyboard("{ArrowUp}{Home}");
    expect(named()).toBe(screen.getAllByRole("option")[0]);
  });

  test("a setting changes at once and shows how it is now", async () => {
    const { user } = await openPalette();
    await user.paste("light");
    await user.click(await option(/^Light theme/));
    await waitFor(() => expect(localStorage.getItem("safelight:theme")).toBe("light"));
    expect(await option(/^Light theme.*On$/)).toBeVisible();
  });

  test("a limit shows its amount and leads to its place", async () => {
    const { user, where } = await openPalette();
    await user.paste("limit per day");
    expect(await option(/^Limit per day.*No limit$/)).toBeVisible();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(where()).toMatch(/^\/spend#/));
  });

  test("finds models of both catalogues, by one wrong letter too", async () => {
    const { user, where } = await openPalette();
    await user.paste("lumne-2");
    await user.click((await screen.findAllByRole("option", { name: /^lumen-2/ }))[0] as HTMLElement);
    await waitFor(() => expect(where()).toMatch(/^\/create\/lumen-2/));
  });

  test("an ID that is typed or pasted with its address opens that job", async () => {
    const { user, where } = await openPalette();
    await user.paste("https://studio.example/jobs/3f2a9c1e-77aa");
    await user.click(await option("Open job 3f2a9c1e-77aa"));
    await waitFor(() => expect(where()).toBe("/jobs/3f2a9c1e-77aa"));
  });

  test("says when nothing matches, and Escape closes it", async () => {
    const { user } = await openPalette();
    await user.paste("zzz");
    expect(await screen.findByText(/No matching commands, jobs, models or settings/)).toBeVisible();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("the list of keys", () => {
  async function openSheet() {
    const opened = await openSpend();
    await opened.user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    return { ...opened, sheet: within(sheet) };
  }
  const row = (sheet: ReturnType<typeof within>, name: string) =>
    within(sheet.getByText(name).closest("li") as HTMLElement);

  test("the question mark opens it", async () => {
    const { sheet } = await openSheet();
    expect(sheet.getByText("Go to Create")).toBeVisible();
    expect(row(sheet, "Go to Create").getByText("G then C")).toBeInTheDocument();
  });

  test("two keys one after the other open a place", async () => {
    const { user, where } = await openSpend();
    await user.keyboard("gh");
    await waitFor(() => expect(where()).toBe("/history"));
  });

  test("a changed key acts at once, is stored, and can be set back", async () => {
    const { user, sheet } = await openSheet();
    await user.click(sheet.getByRole("button", { name: "Change Commands" }));
    await user.keyboard("{Alt>}c{/Alt}");
    expect(await sheet.findByText(/^Default: Ctrl\+K/)).toBeVisible();
    expect(sheet.getByText("1 changed")).toBeVisible();
    expect(localStorage.getItem("safelight.shortcuts")).toContain("alt+c");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    await user.keyboard("{Alt>}c{/Alt}");
    await palette();
    await user.keyboard("{Escape}?");
    await user.click(await screen.findByRole("button", { name: "Reset Commands" }));
    expect(localStorage.getItem("safelight.shortcuts")).toBeNull();
  });

  test("keys of another command are refused by its name, and can change places", async () => {
    const { user, sheet } = await openSheet();
    await user.click(sheet.getByRole("button", { name: "Change Go to Spend" }));
    await user.keyboard("gc");
    expect(await sheet.findByText("G C is used by “Go to Create”.")).toBeVisible();
    await user.click(sheet.getByRole("button", { name: "Swap with “Go to Create”" }));
    expect(row(sheet, "Go to Spend").getByText("G then C")).toBeInTheDocument();
    expect(row(sheet, "Go to Create").getByText("G then S")).toBeInTheDocument();
    await user.click(sheet.getByRole("button", { name: "Reset all" }));
    expect(row(sheet, "Go to Create").getByText("G then C")).toBeInTheDocument();
  });

  test("keys that belong to the browser are refused; Escape keeps the old ones", async () => {
    const { user, sheet } = await openSheet();
    await user.click(sheet.getByRole("button", { name: "Change Commands" }));
    await user.keyboard("{Control>}t{/Control}");
    expect(await sheet.findByText("Ctrl+T belongs to the browser.")).toBeVisible();
    await user.keyboard("{Enter}");
    expect(await sheet.findByText(/^Enter is needed for buttons/)).toBeVisible();
    await user.keyboard("{Escape}");
    expect(row(sheet, "Commands").getByText("Ctrl+K", { selector: ".sr-only" })).toBeInTheDocument();
    expect(sheet.getByText("No shortcuts changed")).toBeVisible();
  });

  test("what spends takes no single key, also not in exchange", async () => {
    const { user, sheet } = await openSheet();
    await user.click(sheet.getByRole("radio", { name: "All" }));
    const [run] = sheet.getAllByRole("button", { name: "Change Run" });
    await user.click(run as HTMLElement);
    await user.keyboard("q");
    expect(await sheet.findByText("This command spends money. Use a shortcut with Ctrl, ⌘ or Alt.")).toBeVisible();
    await user.keyboard("{Escape}");
    await user.click(sheet.getByRole("button", { name: "Change Presets" }));
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await sheet.findByText("Ctrl+Enter is used by “Run”.")).toBeVisible();
    expect(sheet.queryByRole("button", { name: /^Swap with/ })).not.toBeInTheDocument();
  });

  test("without single keys no letter acts, and the keys with Ctrl still do", async () => {
    const { user, sheet, where } = await openSheet();
    await user.click(sheet.getByRole("switch", { name: "Single-key shortcuts" }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await user.keyboard("?gh");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(where()).toBe("/spend");
    await user.keyboard("{Control>}k{/Control}");
    await palette();
  });

  test("nothing acts while a field has the focus, or behind a dialog", async () => {
    const { user, where } = await openPalette();
    await user.keyboard("{Escape}");
    const [field] = await screen.findAllByRole("textbox");
    await user.type(field as HTMLElement, "gh?");
    expect(where()).toBe("/spend");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("choices that another tab stores are taken over, and nonsense is not", async () => {
    const { user, where } = await openSpend();
    // Each place had its own key for the same act once.
    const older = {
      "viewer.star": "t",
      "sheet.star": "q",
      "compare.play": "z",
      "sheet.next": "alt+n",
      "answer.compare": "alt+m",
    };
    const changed = { "go.history": "x", "go.create": "enter", palette: 7, "Not an ID": "y", ...older };
    localStorage.setItem("safelight.shortcuts", JSON.stringify({ changed, singleKeys: true }));
    window.dispatchEvent(new StorageEvent("storage", { key: "safelight.shortcuts" }));
    expect(useKeyChoices.getState().changed).toEqual({
      "go.history": "x",
      "result.star": "t",
      "player.play": "z",
      "sheet.next": "alt+n",
      "playground.metrics": "alt+m",
    });
    await user.keyboard("x");
    await waitFor(() => expect(where()).toBe("/history"));
  });
});

// One visit for all states, each reached by its address: what a command is missing from is named.
describe("palette and list of keys know every act", () => {
  const sandbox = openSandboxPage(makeJobs);

  async function walkThrough(states: readonly ScreenState[], { isPhone = false } = {}) {
    const { user, router } = visitStudio("/connect");
    for (const { name, open, isThere } of states) {
      const address = await open(sandbox());
      await act(async () => router.history.push(address));
      await isThere(user);
      await everyActIsKnown(name);
      if (!isPhone) await openEachMenu(user, () => everyActIsKnown(`a menu of ${name}`));
    }
  }
  const isOfJobs = ({ name }: ScreenState) => /Create|job|History|viewer|comparison/.test(name);

  test("of Create, History and a job, in each state and menu", () => walkThrough(screenStates.filter(isOfJobs)));

  test("of the other screens, in each state and menu", () =>
    walkThrough(screenStates.filter((state) => !isOfJobs(state))));

  test("of each screen on a phone", () => {
    givePhone();
    return walkThrough(screenStates.filter(isOnPhones), { isPhone: true });
  });

  test("of a conversation, however its answers ended, and of a document", async () => {
    const states = playgroundStates();
    await storeStates(states);
    const { user, router } = visitPlayground();
    for (const { name, conversation, isThere } of states) {
      await act(async () => router.history.push(`/playground/${conversation.id}`));
      await screen.findByRole("heading", { level: 1, name });
      await isThere(user);
      await everyActIsKnown(name);
    }
    await openEachMenu(user, () => everyActIsKnown("a menu"));
  });
});
