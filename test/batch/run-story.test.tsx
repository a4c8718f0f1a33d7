import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { limitRows, limitsKey } from "#runs/ledger/spend-limits.ts";
import { NO_LIMITS } from "#runs/rules/limits.ts";
import { putChange } from "#storage/typed-rows.ts";
import { strayCommands, unknownActs } from "../app/acts-on-screen.ts";
import { visitStudio } from "../visit-studio.tsx";
import { BATCH_ID, cell, lumen, panel, runRows, visitBatch } from "./batch-screen-story.tsx";

const act = (name: RegExp | string) => within(panel()).findByRole("button", { name });
const statuses = () => runRows().map((_, at) => cell(at + 1, "Status").textContent);

/** Every run is done with: the panel says what they came to. */
const cameTo = (words: string | RegExp) => within(panel()).findByText(words);

describe("a batch that is run", () => {
  it("submits exactly the ready rows, never one with a key in it, and its total is that of the ledger", async () => {
    const { user, batch, ledgerSum } = await visitBatch({
      groups: {
        Shots: [
          lumen("one"),
          lumen("two"),
          lumen("three fail:provider"),
          lumen("four", { seed: "no number" }),
          lumen(`use ${KEY_LIKE} here`),
        ],
      },
    });
    const run = await act(/^Run 3 for \$0\.105/);
    expect(within(panel()).getByText(/2 runs excluded/)).toHaveTextContent("2 need attention");
    expect(cell(5, "Result")).toHaveTextContent(/may contain an API key/);
    await user.click(run);
    await cameTo("3 runs, $0.105 charged, $0.035 refunded");
    await waitFor(() => expect(statuses()).toEqual(["Done", "Done", "Failed", "Needs attention", "Needs attention"]));
    expect(cell(3, "Result")).toHaveTextContent("Refunded $0.035");
    await waitFor(async () => expect(await ledgerSum()).toBe(70_000));
    expect((await batch())?.items.map(({ priceMicroUsd }) => priceMicroUsd)).toEqual([
      35_000,
      35_000,
      35_000,
      undefined,
      undefined,
    ]);
    // What was submitted is not edited any more.
    await user.dblClick(cell(1, "Prompt"));
    expect(await screen.findByText("Duplicate the run instead.")).toBeVisible();
    expect(screen.queryByRole("textbox", { name: "Prompt of this run" })).not.toBeInTheDocument();
    await user.keyboard("{Control>}d{/Control}");
    expect(await act(/^Run 1 for \$0\.035/)).toBeVisible();
    await waitFor(() => expect(statuses().slice(0, 3)).toEqual(["Done", "Ready", "Done"]));
  });

  it("asks first where its total is above the confirmation limit, and submits nothing until then", async () => {
    const { user, where, ledgerSum } = await visitBatch({ groups: { Shots: [lumen("one"), lumen("two")] } });
    const key = limitsKey(where.accountId);
    await where.rows.edit({ store: "settings", key }, () => ({
      changes: [putChange(limitRows, where.accountId, key, { ...NO_LIMITS, confirmAboveMicroUsd: 50_000 })],
      result: undefined,
    }));
    await user.click(await act(/^Run 2 for \$0\.07/));
    const asked = await screen.findByRole("alertdialog", { name: "Above your confirmation limit" });
    expect(asked).toHaveAccessibleDescription("2 runs cost $0.07. Your confirmation limit is $0.05.");
    await user.click(within(asked).getByRole("button", { name: "Cancel" }));
    expect(statuses()).toEqual(["Ready", "Ready"]);
    expect(await ledgerSum()).toBe(0);
    await user.click(await act(/^Run 2 for \$0\.07/));
    await user.click(await screen.findByRole("button", { name: "Run 2 for $0.07" }));
    await cameTo(/^2 runs, \$0\.07 charged/);
    await waitFor(() => expect(statuses()).toEqual(["Done", "Done"]));
    expect(await ledgerSum()).toBe(70_000);
  });

  it("pauses at the limit of its charges, waits after a reload, and goes on when the person resumes", async () => {
    const { user, ledgerSum } = await visitBatch({
      groups: { Shots: ["one", "two", "three", "four"].map((text) => lumen(text)) },
      rules: { stopAtMicroUsd: 75_000, parallel: 1 },
    });
    await user.click(await act(/^Run 4 for \$0\.14/));
    expect(await screen.findByText(/would exceed this batch’s limit of \$0\.075/)).toBeVisible();
    await waitFor(() => expect(statuses()).toEqual(["Done", "Done", "Waiting", "Waiting"]));

    cleanup();
    disconnect();
    await openSandbox();
    const again = visitStudio(`/batch/${BATCH_ID}`);
    expect(await screen.findByText("Paused. Nothing is submitted until you resume.")).toBeVisible();
    await waitFor(() => expect([unknownActs(), strayCommands()]).toEqual([[], []]));
    expect(await ledgerSum()).toBe(70_000);
    await again.user.click(within(panel()).getByRole("checkbox", { name: "Total charged" }));
    await again.user.click(await act(/^Resume, \$0\.07/));
    await cameTo(/^4 runs, \$0\.14 charged/);
    await waitFor(() => expect(statuses()).toEqual(["Done", "Done", "Done", "Done"]));
    await waitFor(async () => expect(await ledgerSum()).toBe(140_000));
  });

  it("gives back as drafts what was not submitted when the rest is cancelled", async () => {
    const { user, batch } = await visitBatch({
      groups: { Shots: ["one", "two", "three"].map((text) => lumen(text)) },
      rules: { stopAtMicroUsd: 40_000, parallel: 1 },
    });
    await user.click(await act(/^Run 3 for/));
    await user.click(await act("Cancel remaining"));
    expect(await act(/^Run 2 for \$0\.07/)).toBeVisible();
    await waitFor(() => expect(statuses()).toEqual(["Done", "Ready", "Ready"]));
    expect((await batch())?.items.map(({ priceMicroUsd }) => priceMicroUsd)).toEqual([35_000, undefined, undefined]);
  });

  it("submits nothing where a price has changed, and shows the new total first", async () => {
    const { user, sandbox, ledgerSum } = await visitBatch({ groups: { Shots: [lumen("one"), lumen("two")] } });
    const run = await act(/^Run 2 for \$0\.07/);
    const answer = sandbox.sandbox.fetch.bind(sandbox.sandbox);
    vi.spyOn(sandbox.sandbox, "fetch").mockImplementation(async (request) => {
      const response = await answer(request);
      if (!new URL(request.url).pathname.endsWith("/estimate")) return response;
      return new Response(
        (await response.text()).replace(/35000|0\.035/g, (text) => (text === "35000" ? "40000" : "0.04")),
        {
          headers: response.headers,
        },
      );
    });
    await user.click(run);
    expect(await screen.findByText(/^\d+ prices? changed$/)).toBeVisible();
    expect(await act(/^Run 2 for \$0\.075/)).toBeVisible();
    expect(statuses()).toEqual(["Ready", "Ready"]);
    expect(await ledgerSum()).toBe(0);
  });
});

/** Made up: it only looks like a key. */
const KEY_LIKE = `sk-${"aB3dE5fG7hJ9".repeat(4)}`;
