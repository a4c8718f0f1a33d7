import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { browserRows } from "#storage/database.ts";
import { saveDraft } from "#storage/drafts.ts";
import { batchRows } from "#storage/stored-batches.ts";
import { readAll } from "#storage/typed-rows.ts";
import { strayCommands, unknownActs } from "../../app/acts-on-screen.ts";
import { openSandboxPage } from "../../media/sandbox-page.ts";
import { until } from "../../setup/until.ts";
import { visitStudio } from "../../visit-studio.tsx";

// Prices are asked for two a second, which is a rule of its own: here nobody waits for it.
vi.mock("#runs/poll/poll-control.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("#runs/poll/poll-control.ts")>();
  const sendPaced = <T,>(ask: () => Promise<T>) => ask();
  const getPollControl: typeof real.getPollControl = (api) => Object.assign(real.getPollControl(api), { sendPaced });
  return { ...real, getPollControl };
});

const sandbox = openSandboxPage();
const accountId = () => getConnection()?.accountId ?? "";
const requests = (route: string) =>
  sandbox()
    .sandbox.inspect()
    .requests.filter((entry) => entry.route === route);
const table = () => screen.findByRole("table", { name: /^Price of/ });
const cell = (name: RegExp) => screen.findByRole("button", { name });

test("shows the exact price of each combination, nothing is run; the table is copied as CSV, a price becomes a draft", async () => {
  await saveDraft(accountId(), "halide-video", { prompt: "A red fox", resolution: "1080P" });
  const { user, path } = visitStudio("/prices/halide-video");
  expect(await cell(/^5 s at 1080P: \$0\.35 \$0\.07 per second Your settings/)).toHaveAttribute("aria-pressed", "true");
  expect(await cell(/^5 s at 720P: \$0\.21 .* Lowest/)).toBeVisible();
  expect(await cell(/^10 s at 1080P: \$0\.70 .* Highest, 3\.3×/)).toBeVisible();
  const headers = within(await table()).getAllByRole("columnheader");
  expect(headers.map(({ textContent }) => textContent)).toEqual(["Duration", "720P", "1080P"]);
  expect(within(await table()).getByRole("rowheader", { name: "10 s" })).toBeVisible();
  const line = (await screen.findByText(/^Updated \d+ s ago\.$/)).closest("[role=status]");
  expect(line).toHaveTextContent(/^Estimates are free\. Updated \d+ s ago\.$/);
  expect(screen.getByText("Same for all: 16:9, CFG scale 0.5, no audio")).toBeVisible();
  expect(requests("submit")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Copy CSV" }));
  expect(await screen.findByText("CSV copied")).toBeVisible();
  await until(async () =>
    expect(await navigator.clipboard.readText()).toBe(
      "Duration by Resolution (USD),720P,1080P\r\n5 s,0.21,0.35\r\n10 s,0.42,0.70\r\n",
    ),
  );
  await waitFor(() => expect([unknownActs(), strayCommands()]).toEqual([[], []]));
  await user.click(screen.getByRole("button", { name: "Add to batch" }));
  const newBatch = await screen.findByRole("menuitem", { name: "New batch" });
  expect(unknownActs()).toEqual([]);
  await user.click(newBatch);
  await waitFor(() => expect(path()).toMatch(/^\/batch\/[\w-]+/));
  const [batch] = await readAll(browserRows, batchRows, accountId());
  expect(batch?.items.map(({ request }) => [request.model, request.payload.resolution])).toEqual([
    ["halide-video", "1080P"],
  ]);
});

test("says which parameter does not change the price, and why a value is not taken, without asking for it", async () => {
  const { user, router, path } = visitStudio("/prices/halide-video?rows=resolution&columns=aspect_ratio");
  expect(await screen.findByText("Aspect ratio doesn’t change the price of halide-video.")).toBeVisible();
  await user.selectOptions(screen.getByRole("combobox", { name: "Columns" }), "Audio");
  expect(await screen.findByText("Audio doesn’t change the price of halide-video.")).toBeVisible();
  expect(path()).toContain("columns=sound");
  await user.click(screen.getByRole("button", { name: "Swap rows and columns" }));
  expect(await within(await table()).findByRole("columnheader", { name: "1080P" })).toBeVisible();

  await router.navigate({ to: "/prices/halide-video?rows=cfg_scale&columns=none" as "/" });
  const values = await screen.findByRole("textbox", { name: "CFG scale values" });
  expect(await cell(/^CFG scale 0\.5: \$0\.21/)).toBeVisible();
  await user.clear(values);
  await user.paste("0.5, 7");
  await user.keyboard("{Enter}");
  expect(await screen.findByText("CFG scale must be from 0 to 1.")).toBeVisible();
  expect(requests("estimate").some((entry) => JSON.stringify(entry).includes('"7"'))).toBe(false);
});

test("an amount is answered exactly, other models are priced with the same, and a price is chosen by keys for Create", async () => {
  await saveDraft(accountId(), "halide-video", { prompt: "A red fox" });
  const { user } = visitStudio("/prices/halide-video");
  const amount = await screen.findByRole("textbox", { name: "What you get for" });
  expect(await screen.findByText("23 videos")).toBeVisible();
  expect(screen.getByText("$4.83, your settings")).toBeVisible();

  const panel = await screen.findByRole("region", { name: "Compare models with these settings" });
  await waitFor(() => expect(within(panel).getByText(/\d of \d video models\./)).toBeVisible());
  const own = within(panel).getByText("Your model").closest("li") as HTMLElement;
  expect(own).toHaveTextContent("$0.21");
  await waitFor(() => expect(within(panel).getByText("halide-turbo").closest("li")).toHaveTextContent("−$0.09$0.12"));
  expect(within(panel).getByText("Needs image")).toBeVisible();
  expect(await screen.findByText("$4.92 with halide-turbo")).toBeVisible();

  await user.clear(amount);
  expect(await screen.findByText("Enter an amount such as 20 or 0.50.")).toBeVisible();
  await user.paste("0.7");
  expect(await screen.findByText("3 videos")).toBeVisible();
  expect(screen.getByText("$0.63, your settings")).toBeVisible();

  (await cell(/^5 s at 720P:/)).focus();
  await user.keyboard("{ArrowDown}{ArrowRight}{Enter}");
  expect(await cell(/^10 s at 1080P:/)).toHaveFocus();
  expect(screen.getByText("for 10 s at 1080P")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Use in Create" }));
  const sharp = await screen.findByRole("radio", { name: "1080P" });
  await waitFor(() => expect(sharp).toBeChecked());
  expect(screen.getByRole("textbox", { name: /^Prompt/ })).toHaveValue("A red fox");
  expect(requests("submit")).toEqual([]);
});

test("a model that is not there says so, and another one can be chosen", async () => {
  visitStudio("/prices/no-such-model");
  expect(await screen.findByRole("alert")).toHaveTextContent(/model/i);
  expect(screen.getByRole("button", { name: /^Model:/ })).toBeVisible();
});
