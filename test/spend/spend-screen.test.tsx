import { act, render, screen, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { getConnection } from "#connection/connection-store.ts";
import { type LedgerLine, ledgerChange } from "#runs/ledger/ledger.ts";
import { limitsKey, reservationsChange, reservationsKey } from "#runs/ledger/spend-limits.ts";
import type { Reservation } from "#runs/rules/limits.ts";
import { ImportJobsPanel } from "#spend/import-jobs-panel.tsx";
import { ledgerCsv } from "#spend/ledger-words.ts";
import { ChartTable } from "#spend/spend-chart.tsx";
import { SpendFigures } from "#spend/spend-figures.tsx";
import { SPEND_RANGES } from "#spend/spend-filter.ts";
import { SpendGroups } from "#spend/spend-groups.tsx";
import { SpendScreen } from "#spend/spend-screen.tsx";
import { spendView } from "#spend/spend-view.ts";
import { openRows } from "#storage/database.ts";
import { type Connected, movableTime, openConnected } from "../runs/connected.tsx";
import { anyLedger, NOW, sumByHand } from "../runs/ledger/any-ledger.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";
import { until } from "../setup/until.ts";
import { withKey } from "../setup/with-key.ts";

let page: Connected;
beforeEach(movableTime);
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

const accountId = () => getConnection()?.accountId ?? "";

async function addLines(lines: Partial<LedgerLine>[]): Promise<void> {
  const rows = await openRows();
  for (const [index, more] of lines.entries()) {
    const line: LedgerLine = {
      id: `${accountId()}|${index}`,
      atMs: Date.now() - index * 1000,
      kind: "charged",
      evidence: "answered",
      amountMicroUsd: 35_000,
      model: "lumen-2",
      requestId: `job-${index}`,
      intentId: `intent-${index}`,
      ...more,
    };
    await rows.edit({ store: "ledger", key: line.id }, () => ({
      changes: [ledgerChange(accountId(), line)],
      result: undefined,
    }));
  }
}

async function enter(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}

const figure = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement as HTMLElement;

test("without any spending it says so, and still offers the limits", async () => {
  page = await openConnected(<SpendScreen />);
  expect(await screen.findByText("No spending in this browser yet")).toBeVisible();
  expect(screen.getByRole("button", { name: "Export transactions as CSV" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Save limits" })).toBeEnabled();
  // Spec 4.1 rule 1: all jobs of an organization bill to one balance, and only one's own are listed.
  expect(screen.getAllByText(/Other users of your organization share this balance\./)).toHaveLength(1);
});

test("charges, refunds and unconfirmed amounts are separate, each with its evidence", async () => {
  page = await openConnected(<SpendScreen />);
  await addLines([
    { requestId: "job-0" },
    { kind: "refunded", evidence: "status-failed", requestId: "job-0" },
    { kind: "unconfirmed", evidence: "no-answer", amountMicroUsd: 9_000, requestId: undefined },
    { model: "halide-turbo", amountMicroUsd: 120_000 },
  ]);
  const ledger = within(await screen.findByRole("region", { name: "Transactions" }));
  await until(() => expect(ledger.getAllByRole("listitem")).toHaveLength(4));
  expect(figure("Total charged")).toHaveTextContent("$0.12");
  expect(figure("Refunded")).toHaveTextContent("$0.0351 failed job, deducted from the total");
  expect(figure("Unconfirmed")).toHaveTextContent("$0.0091 transaction, may have been charged");
  expect(ledger.getByText(/No response; the service may have charged for it/)).toBeVisible();
  expect(within(ledger.getByRole("list")).queryByText(/not charged/i)).toBeNull();
});

test("an unknown price is unknown, an estimated one is told apart, and neither is zero", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  await addLines([
    { amountMicroUsd: undefined, evidence: "no-list-price", answerId: "a", requestId: undefined, model: "quill-2" },
    { amountMicroUsd: undefined, evidence: "imported" },
  ]);
  await until(() => expect(figure("Price unknown")).toHaveTextContent("Price unknown22 transactions not in the total"));
  expect(figure("Total charged")).toHaveTextContent(/^Total chargedUnknown/);
  const models = within(screen.getByRole("region", { name: "By model" }));
  expect(models.getAllByText("Unknown")).toHaveLength(2);
  const id = `${accountId()}|estimated`;
  await addLines([{ id, evidence: "imported", isEstimated: true, amountMicroUsd: 70_000, requestId: "job-9" }]);
  await until(() => expect(figure("Total charged")).toHaveTextContent(/^Total charged≈ \$0\.07.*estimated$/));
  await user.click(screen.getByRole("button", { name: "Show" }));
  const ledger = within(screen.getByRole("region", { name: "Transactions" }));
  await until(() => expect(ledger.getAllByRole("listitem")).toHaveLength(2));
  expect(ledger.getByRole("status")).toHaveTextContent("2 transactions, Unknown");
});

test("the chart is read day by day with the arrow keys, and as a table", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  await addLines([{}, { model: "quill-2", amountMicroUsd: 1, requestId: "job-9" }]);
  const chart = await screen.findByRole("slider", { name: "Charged, by time and model" });
  const value = () => chart.getAttribute("aria-valuetext");
  await until(() => expect(value()).toMatch(/: \$0\.035001\. lumen-2 \$0\.035, quill-2 \$0\.000001$/));
  chart.focus();
  await user.keyboard("{ArrowLeft}");
  expect(value()).toMatch(/: no data$/);
  await user.keyboard("{Home}");
  expect(chart).toHaveAttribute("aria-valuenow", "1");
  await user.click(screen.getByRole("button", { name: "Show chart as table" }));
  const values = within(screen.getByRole("region", { name: "Chart values" }));
  expect(values.getAllByRole("row")).toHaveLength(31);
  expect(values.getByRole("cell", { name: "$0.035001" })).toBeVisible();
});

test("a page that stays open over midnight begins the new day with nothing spent", async () => {
  vi.setSystemTime(new Date(2026, 10, 30, 23, 58));
  page = await openConnected(<SpendScreen />);
  await addLines([{}]);
  const held: Reservation = { intentId: "a", requestId: "job-0", atMs: Date.now(), amountMicroUsd: 35_000 };
  const key = reservationsKey(accountId());
  await (await openRows()).edit({ store: "settings", key }, () => ({
    changes: [reservationsChange(accountId(), [held])],
    result: undefined,
  }));
  const chart = await screen.findByRole("slider", { name: "Charged, by time and model" });
  const limit = () => screen.getByRole("textbox", { name: "Limit per day" });
  await until(() => expect(figure("Total charged")).toHaveTextContent("$0.035 today"));
  await until(() => expect(limit()).toHaveAccessibleDescription(/^\$0\.035 so far today/));
  await act(() => vi.advanceTimersByTimeAsync(3 * 60_000));
  expect(figure("Total charged")).toHaveTextContent(/\$0\.00 today/);
  expect(limit()).toHaveAccessibleDescription(/^\$0\.00 so far today/);
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/^Tue, Dec 1: \$0\.00/));
  expect(screen.getByText(/^Yesterday, 11:58\sPM$/)).toBeVisible();
});

test("a press on a model shows its entries alone, and a second one all", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  await addLines([{}, { model: "halide-turbo" }, { model: "halide-turbo" }]);
  const ledger = within(await screen.findByRole("region", { name: "Transactions" }));
  await until(() => expect(ledger.getAllByRole("listitem")).toHaveLength(3));
  const model = within(screen.getByRole("region", { name: "By model" })).getByRole("button", { name: /^halide-turbo/ });
  await user.click(model);
  await until(() => expect(ledger.getAllByRole("listitem")).toHaveLength(2));
  expect(ledger.getByRole("status")).toHaveTextContent("2 transactions, $0.07");
  await user.click(model);
  await until(() => expect(ledger.getAllByRole("listitem")).toHaveLength(3));
});

test("a project is made with a limit, takes an entry over, and keeps it when it is deleted", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  await addLines([{}]);
  await user.click(await screen.findByRole("button", { name: "New project" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New project" }));
  await enter(user, dialog.getByRole("textbox", { name: "Name" }), "Harbour guide");
  await enter(user, dialog.getByRole("textbox", { name: "Limit" }), "20");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await user.click(await screen.findByRole("button", { name: /^Project: No project/ }));
  await user.click(await screen.findByRole("menuitem", { name: "Harbour guide" }));
  const projects = within(screen.getByRole("region", { name: "By project" }));
  expect(await projects.findByText("$0.035 of $20.00 total")).toBeVisible();
  await user.click(projects.getByRole("button", { name: "Actions for Harbour guide" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete project" }));
  const confirm = within(await screen.findByRole("alertdialog", { name: "Delete project “Harbour guide”?" }));
  expect(confirm.getByText("Its transactions stay in Spend.")).toBeVisible();
  await user.click(confirm.getByRole("button", { name: "Delete project" }));
  expect(await projects.findByRole("button", { name: "Harbour guide (deleted)" })).toBeVisible();
});

test("limits are read exactly, and other text is an error at its field", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  const day = await screen.findByRole("textbox", { name: "Limit per day" });
  await enter(user, day, "a lot");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  expect(await screen.findByText("Enter an amount such as 20 or 0.50.")).toBeVisible();
  await user.clear(day);
  await enter(user, day, "0.10");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  await until(async () => {
    const row = await (await openRows()).get("settings", `limits|${accountId()}`);
    expect(row?.body).toMatchObject({ perDayMicroUsd: 100_000 });
  });
});

test("a limit per session of an earlier version counts per day, and the page says so until that was seen", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  await screen.findByRole("textbox", { name: "Limit per day" });
  expect(screen.queryByText(/limits per session/)).toBeNull();
  const key = limitsKey(accountId());
  const stored = async () => (await (await openRows()).get("settings", key))?.body;
  const body = { perRunMicroUsd: 70_000, perSessionMicroUsd: 5_000_000, perDayMicroUsd: 20_000_000 };
  await (await openRows()).edit({ store: "settings", key }, () => ({
    changes: [{ kind: "put", store: "settings", row: { key, scope: accountId(), v: 1, body } }],
    result: undefined,
  }));
  const notice = await screen.findByText(
    /^Safelight no longer has limits per session\. Your \$5\.00 now applies .*, instead of \$20\.00\./,
  );
  expect(screen.getByRole("textbox", { name: "Limit per day" })).toHaveValue("5.00");
  expect(screen.queryByRole("textbox", { name: /session/ })).toBeNull();
  // Nothing is written by being shown: an earlier version still finds its limit.
  expect(await stored()).toEqual(body);
  await enter(user, screen.getByRole("textbox", { name: "Confirm runs above" }), "2");
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  await until(() => expect(notice).not.toBeInTheDocument());
  // What was typed and not saved is still there.
  expect(screen.getByRole("textbox", { name: "Confirm runs above" })).toHaveValue("2");
  expect(await stored()).toEqual({ perRunMicroUsd: 70_000, perDayMicroUsd: 5_000_000 });
  expect(screen.getByRole("textbox", { name: "Limit per day" })).toHaveValue("5.00");
});

test("jobs of another client are imported with an unknown price", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />, { history: 30 });
  await user.click(await screen.findByRole("button", { name: "Import latest 1,000 jobs" }));
  expect(await screen.findByText(/30 of 30 jobs imported/)).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "All" }));
  expect((await screen.findAllByText("Unknown")).length).toBeGreaterThan(10);
  expect(figure("Total charged")).toHaveTextContent(/^Total chargedUnknown/);
});

test("one job is imported by its id; an unusable id is never sent", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  const job = await createApi(withKey({ ...page, key: "sandbox-key" })).submit({
    model: "lumen-2",
    payload: { prompt: "a" },
  });
  const field = await screen.findByRole("textbox", { name: "Job ID" });
  await enter(user, field, "..");
  await user.keyboard("{Enter}");
  expect(await screen.findByText("Enter a job ID from the service.")).toBeVisible();
  await user.clear(field);
  await enter(user, field, "no-such-job");
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(/belongs to another key/);
  await user.clear(field);
  await enter(user, field, job.requestId);
  await user.keyboard("{Enter}");
  expect(await screen.findByText(/^Imported(?!, price)/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open job" })).toHaveAttribute("href", `/jobs/${job.requestId}`);
  expect(page.polls()).toBe(2);
});

// P25
test("a list longer than one answer is said to be cut off, also after a reload and a failure, and read on", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const press = async (name: string) => {
    await until(() => expect(screen.getByRole("button", { name })).toBeEnabled());
    await user.click(screen.getByRole("button", { name }));
  };
  const CUT_OFF = "1,000 of 1,200 jobs checked, 1,000 imported. Prices are estimated in the background.";
  page = await openConnected(<ImportJobsPanel />, { history: 1_200 });
  await press("Import latest 1,000 jobs");
  expect(await screen.findByText(CUT_OFF)).toBeVisible();
  await page.reload();
  expect(await screen.findByText(CUT_OFF)).toBeVisible();
  page.sandbox.configure({ faults: [{ endpoint: "list", status: 500, times: 1 }] });
  await press("Continue import");
  expect(await screen.findByRole("alert")).toHaveTextContent(/Service error/);
  expect(screen.getByText(CUT_OFF)).toBeVisible();
  await press("Try again");
  const whole = "1,200 of 1,200 jobs imported. Prices are estimated in the background.";
  expect(await screen.findByText(whole)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Continue import" })).toBeNull();
});

/** An amount of the screen in micro-USD: "−$1,000.035" is -1000035000n. Words such as "Unknown" are nothing. */
function micro(text: string): bigint {
  const [, sign = "", dollars = "0", decimals = "0"] = /(−?)\$([\d,]+)\.(\d+)/.exec(text) ?? [];
  const amount = BigInt(dollars.replaceAll(",", "")) * 1_000_000n + BigInt(decimals.padEnd(6, "0"));
  return sign === "" ? amount : -amount;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const figureText = (name: string) =>
  [...document.querySelectorAll("dt")].find(({ textContent }) => textContent === name)?.nextElementSibling
    ?.textContent ?? "";
/** The cells of a column of the chart's table, by its heading. */
function column(name: string): string[] {
  const rows = [...document.querySelectorAll("tr")];
  const at = [...(rows[0]?.cells ?? [])].findIndex((cell) => cell.textContent === name);
  return at < 0 ? [] : rows.slice(1).map((row) => row.cells[at]?.textContent ?? "");
}
const isExact = (text: string) => !/≈|Unknown|No data/.test(text);

const anyFilter = fc.record({
  range: fc.constantFrom(...SPEND_RANGES),
  model: fc.option(fc.constantFrom("a", "b", ""), { nil: undefined }),
  project: fc.option(fc.constantFrom("p", ""), { nil: undefined }),
});

test("figures, chart, groups and CSV are the plain sum of the ledger, to the micro-dollar", () => {
  fc.assert(
    fc.property(anyLedger, anyFilter, (lines, filter) => {
      const view = spendView(lines, filter, NOW);
      const plain = sumByHand(lines, { ...filter, fromMs: view.fromMs });

      const figures = render(
        <SpendFigures sums={view.sums} today={view.today} perDayMicroUsd={undefined} onShowUnknown={() => {}} />,
      );
      const total = figureText("Total charged");
      if (plain.exact > 0) expect(micro(total)).toBe(plain.charged);
      else expect(total).toMatch(plain.estimates > 0 ? /^≈ / : plain.unknown > 0 ? /^Unknown$/ : /^\$0\.00$/);
      expect(micro(figureText("Refunded"))).toBe(plain.refunded);
      expect(micro(figureText("Unconfirmed"))).toBe(plain.pending);
      expect(Number.parseInt(figureText("Price unknown"), 10)).toBe(plain.unknown);
      figures.unmount();

      const table = render(<ChartTable view={view} />);
      expect(sum(column("Total charged").filter(isExact).map(micro))).toBe(plain.charged);
      expect(sum(column("Estimated").map(micro))).toBe(plain.estimated);
      expect(sum(column("Refunded").map(micro))).toBe(plain.refunded);
      expect(column("Unknown").reduce((count, text) => count + Number(text), 0)).toBe(plain.unknown);
      table.unmount();

      const own = (groups: typeof view.models, chosen: string | undefined) =>
        groups.filter(({ id }) => chosen === undefined || id === chosen);
      for (const groups of [own(view.models, filter.model), own(view.projects, filter.project)]) {
        const list = render(
          <SpendGroups
            title="By"
            columnName="Of"
            groups={groups}
            nameOf={String}
            chosen={undefined}
            onChoose={() => {}}
          />,
        );
        const amounts = [...document.querySelectorAll("tbody td:last-child")].map((cell) =>
          [...cell.children].map(({ textContent }) => textContent),
        );
        expect(sum(amounts.map(([first = ""]) => (isExact(first) ? micro(first) : 0n)))).toBe(plain.charged);
        expect(sum(amounts.flat().map((text) => (/unconfirmed$/.test(text) ? micro(text) : 0n)))).toBe(plain.pending);
        expect(sum(amounts.flat().map((text) => (text.startsWith("≈") ? micro(text) : 0n)))).toBe(plain.estimated);
        list.unmount();
      }

      const [head = "", ...rows] = ledgerCsv(view.listed, () => undefined)
        .trimEnd()
        .split("\r\n");
      const csv = (name: string) => {
        const at = head.split(",").indexOf(name);
        // Amounts stand before the first cell that can hold a comma, except how it is known, which may be quoted.
        return sum(rows.map((row) => BigInt(row.replace(/"[^"]*"/, "").split(",")[at] || 0)));
      };
      expect(csv("amount_micro_usd")).toBe(plain.charged);
      expect(csv("pending_micro_usd")).toBe(plain.pending);
      expect(csv("estimated_micro_usd")).toBe(plain.estimated);
    }),
    { numRuns: cases(10, 40) },
  );
});
