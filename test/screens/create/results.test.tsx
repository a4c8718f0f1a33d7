import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { openRows } from "#storage/database.ts";
import { jobMarkKey } from "#storage/job-marks.ts";
import { givePhone } from "../../setup/give-phone.ts";
import { visitCreate } from "./visit-create.tsx";

const LAMP = "A lamp in the fog";

async function run(user: UserEvent, words = LAMP, count?: string) {
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await user.clear(prompt);
  await user.type(prompt, words);
  if (count !== undefined) await user.click(screen.getByRole("radio", { name: count }));
  const button = screen.getByRole("button", { name: "Run" });
  await waitFor(() => expect(button).toHaveTextContent("$"));
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
  await user.click(button);
}

const cell = (place: number) => screen.findByRole("button", { name: `Show large: ${LAMP}, ${place} of 4` });

it("four results are a grid; one is shown large, and Escape gives the focus back", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  await run(user, LAMP, "4");
  const grid = await screen.findByRole("list", { name: "Results" });
  expect(within(grid).getAllByRole("listitem")).toHaveLength(4);
  await user.click(await cell(2));
  expect(screen.getByRole("figure", { name: `${LAMP}, 2 of 4` })).toHaveFocus();
  expect(screen.queryByRole("list", { name: "Results" })).not.toBeInTheDocument();
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
  expect(screen.getByRole("figure", { name: `${LAMP}, 1 of 4` })).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(await cell(1)).toHaveFocus();
  await user.keyboard("{ArrowRight}{ArrowDown}");
  expect(await cell(4)).toHaveFocus();
});

it("D downloads all of four, and only the one that is shown large", async () => {
  const { user, sandbox } = await visitCreate("/create/lumen-2");
  const read = () => sandbox.sandbox.inspect().requests.filter(({ route }) => route === "media").length;
  const isOver = (name: RegExp) =>
    waitFor(() => expect(screen.getByRole("button", { name })).not.toHaveAttribute("aria-busy", "true"));
  await run(user, LAMP, "4");
  await user.click(await cell(2));
  const before = read();
  await user.keyboard("d");
  await waitFor(() => expect(read()).toBe(before + 1));
  await isOver(/^Download, 2 of 4/);
  expect(read()).toBe(before + 1);
  await user.keyboard("{Escape}d");
  await waitFor(() => expect(read()).toBe(before + 5));
});

it("one of four is starred, and its job with it", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  await run(user, LAMP, "4");
  const star = await screen.findByRole("button", { name: "Star, 3 of 4" });
  await user.click(star);
  await waitFor(() => expect(star).toHaveAttribute("aria-pressed", "true"));
  expect(screen.getByRole("button", { name: "Star, 2 of 4" })).toHaveAttribute("aria-pressed", "false");
  const account = getConnection()?.accountId ?? "";
  const [job] = (await (await openRows()).all("jobs", account)).map(
    (row) => (row.body as { requestId: string }).requestId,
  );
  const marks = await (await openRows()).get("marks", jobMarkKey(account, job ?? ""));
  expect(marks?.body).toMatchObject({ isStarred: true, starredFiles: [2] });
});

it("the same settings are run with another seed for the price on the button, once", async () => {
  const { user, sandbox } = await visitCreate("/create/grainfield");
  const seed = await screen.findByRole("textbox", { name: "Seed" });
  await user.type(seed, "7");
  await run(user);
  const again = await screen.findByRole("button", { name: /^Same settings, new seed/ });
  await waitFor(() => expect(again).toHaveTextContent(/\$\d/));
  await waitFor(() => expect(again).not.toHaveAttribute("aria-disabled"));
  await user.dblClick(again);
  await waitFor(() => expect(sandbox.sandbox.inspect().jobs).toHaveLength(2));
  await waitFor(() => expect(screen.getAllByRole("button", { name: `${LAMP}, Done` })).toHaveLength(2));
  const seeds = (await sandbox.api.listJobs({ limit: 10 })).jobs.map(({ payload }) => payload?.seed);
  expect(seeds).toHaveLength(2);
  expect(new Set(seeds).size).toBe(2);
  expect(seeds).toContain(7);
});

it("a failed run says that it was refunded and what can be done, and its prompt goes along", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  await run(user, "fail:moderation");
  const notice = await screen.findByRole("alert");
  expect(notice).toHaveTextContent("The safety filter stopped this generation.");
  expect(notice).toHaveTextContent("The charge of $0.035 is refunded in full.");
  const again = within(notice).getByRole("button", { name: /^Run again/ });
  await waitFor(() => expect(again).toHaveTextContent("$0.035"));
  expect(within(notice).getByRole("link", { name: "Edit and run again" })).toBeVisible();
  await user.click(within(notice).getByRole("button", { name: "Choose another model" }));
  const picker = await screen.findByRole("dialog", { name: "Choose a model" });
  await user.type(within(picker).getByRole("searchbox"), "grainfield{Enter}");
  expect(await screen.findByText(/^Kept: Prompt/)).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("fail:moderation");
});

it("all settings are told, those that were left out as defaults", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  await run(user);
  await user.click(await screen.findByRole("button", { name: "All settings" }));
  const dialog = await screen.findByRole("dialog", { name: "All settings" });
  expect(within(dialog).getByRole("row", { name: /^Prompt/ })).toHaveTextContent(LAMP);
  expect(within(dialog).getByRole("row", { name: /^Prompt/ })).not.toHaveTextContent("Default");
  expect(within(dialog).getByRole("row", { name: /^Quality/ })).toHaveTextContent("mediumDefault");
});

it("a single result on a phone has one Download, here and on its own page", async () => {
  givePhone();
  const { user, router } = await visitCreate("/create/lumen-2");
  await run(user);
  expect(await screen.findAllByRole("button", { name: "Download" })).toHaveLength(1);
  await router.navigate({ to: router.state.location.href.replace(/.*job=([^&]+).*/, "/jobs/$1") as "/" });
  await screen.findByRole("button", { name: "Delete files" });
  expect(await screen.findAllByRole("button", { name: "Download" })).toHaveLength(1);
});
