import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { openRows } from "#storage/database.ts";
import { jobMarkKey } from "#storage/job-marks.ts";
import { givePhone } from "../setup/give-phone.ts";
import { until } from "../setup/until.ts";
import { visitCreate } from "./visit-create.tsx";

const LAMP = "A lamp in the fog";

const cell = (place: number) => screen.findByRole("button", { name: `View full size: ${LAMP}, ${place} of 4` });

it("four results are a grid; one is shown large, starred and downloaded; Escape gives the focus back", async () => {
  const { user, sandbox, jobs } = await visitCreate("/create/lumen-2", {
    makeJobs: async ({ imageJob }) => [await imageJob({ prompt: LAMP, n: 4 })],
  });
  const grid = await screen.findByRole("list", { name: "Results" });
  expect(within(grid).getAllByRole("listitem")).toHaveLength(4);

  const star = screen.getByRole("button", { name: "Star, 3 of 4" });
  await user.click(star);
  await waitFor(() => expect(star).toHaveAttribute("aria-pressed", "true"));
  expect(screen.getByRole("button", { name: "Star, 2 of 4" })).toHaveAttribute("aria-pressed", "false");
  const account = getConnection()?.accountId ?? "";
  const marks = await (await openRows()).get("marks", jobMarkKey(account, jobs[0]?.requestId ?? ""));
  expect(marks?.body).toMatchObject({ isStarred: true, starredFiles: [2] });

  await user.click(await cell(2));
  expect(screen.getByRole("figure", { name: `${LAMP}, 2 of 4` })).toHaveFocus();
  expect(screen.queryByRole("list", { name: "Results" })).not.toBeInTheDocument();
  // D downloads the one that is shown large, else all.
  const read = () => sandbox.sandbox.inspect().requests.filter(({ route }) => route === "media").length;
  const before = read();
  await user.keyboard("d");
  await until(() => expect(read()).toBe(before + 1));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: /^Download, 2 of 4/ })).not.toHaveAttribute("aria-busy", "true"),
  );
  expect(read()).toBe(before + 1);
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
  expect(screen.getByRole("figure", { name: `${LAMP}, 1 of 4` })).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(await cell(1)).toHaveFocus();
  await user.keyboard("{ArrowRight}{ArrowDown}");
  expect(await cell(4)).toHaveFocus();
  await user.keyboard("d");
  await until(() => expect(read()).toBe(before + 5));
});

it("all settings are told, and run with another seed for the price on the button, once", async () => {
  const { user, sandbox } = await visitCreate("/create/grainfield", {
    makeJobs: async ({ api }) => [await api.submit({ model: "grainfield", payload: { prompt: LAMP, seed: 7 } })],
  });
  await user.click(await screen.findByRole("button", { name: "All settings" }));
  const dialog = await screen.findByRole("dialog", { name: "All settings" });
  expect(within(dialog).getByRole("row", { name: /^Prompt A lamp in the fog/ })).not.toHaveTextContent("Default");
  // Those that were left out stand there with their defaults.
  expect(within(dialog).getByRole("row", { name: /^Output format/ })).toHaveTextContent("jpegDefault");
  await user.keyboard("{Escape}");

  const again = await screen.findByRole("button", { name: /^Run again with new seed/ });
  await waitFor(() => expect(again).toHaveTextContent(/\$\d/));
  await waitFor(() => expect(again).not.toHaveAttribute("aria-disabled"));
  // No single key spends: N leads to the button with the price, which waits for a press.
  const sent = () => sandbox.sandbox.inspect().requests.filter(({ route }) => route === "submit").length;
  const before = sent();
  await user.keyboard("nn");
  expect(again).toHaveFocus();
  expect(sent()).toBe(before);
  await user.dblClick(again);
  await waitFor(() => expect(screen.getAllByRole("button", { name: `${LAMP}, Done` })).toHaveLength(2));
  const seeds = (await sandbox.api.listJobs({ limit: 10 })).jobs.map(({ payload }) => payload?.seed);
  expect(seeds).toHaveLength(2);
  expect(new Set(seeds).size).toBe(2);
  expect(seeds).toContain(7);
});

it("a failed run says that it was refunded and what can be done, and its prompt goes along", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  await user.click(await screen.findByRole("textbox", { name: "Prompt" }));
  await user.paste("fail:moderation");
  const button = screen.getByRole("button", { name: "Run" });
  await waitFor(() => expect(button).toHaveTextContent("$"));
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
  await user.click(button);
  const notice = await screen.findByRole("alert");
  expect(notice).toHaveTextContent("The safety filter stopped this generation.");
  expect(notice).toHaveTextContent("Refunded $0.035.");
  const again = within(notice).getByRole("button", { name: /^Run again/ });
  await waitFor(() => expect(again).toHaveTextContent("$0.035"));
  expect(within(notice).getByRole("link", { name: "Edit and run again" })).toBeVisible();
  await user.click(within(notice).getByRole("button", { name: "Choose another model" }));
  const picker = await screen.findByRole("dialog", { name: "Choose model" });
  await user.click(within(picker).getByRole("searchbox"));
  await user.paste("grainfield");
  await user.keyboard("{Enter}");
  const line = await screen.findByText(/^Copied: Prompt/);
  expect(line).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("fail:moderation");
  await user.click(within(line.parentElement as HTMLElement).getByRole("button", { name: "Undo" }));
  expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("");
  expect(screen.queryByText(/^Copied:/)).not.toBeInTheDocument();
});

it("a single result on a phone has one Download, here and on its own page", async () => {
  givePhone();
  const { router } = await visitCreate("/create/lumen-2", {
    makeJobs: async ({ imageJob }) => [await imageJob({ prompt: LAMP })],
  });
  expect(await screen.findAllByRole("button", { name: "Download" })).toHaveLength(1);
  await router.navigate({ to: router.state.location.href.replace(/.*job=([^&]+).*/, "/jobs/$1") as "/" });
  await screen.findByRole("button", { name: "Delete files" });
  expect(await screen.findAllByRole("button", { name: "Download" })).toHaveLength(1);
});
