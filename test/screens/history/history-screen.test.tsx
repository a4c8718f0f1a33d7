import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { giveLayout } from "../../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { visitStudio } from "../visit-studio.tsx";

let server: SandboxServer;
let takeLayout: () => void;

async function begin(history: number, quirks: string[] = []) {
  localStorage.clear();
  takeLayout = giveLayout({ height: 20_000 });
  server = startSandboxServer({ history, quirks });
  await openSandbox();
}
afterEach(() => {
  disconnect();
  server.close();
  takeLayout();
});

const jobs = () => within(screen.getByRole("grid", { name: "Jobs" })).getAllByRole("link");
const listed = async () => {
  const grid = await screen.findByRole("grid", { name: "Jobs" });
  await waitFor(() => expect(within(grid).getAllByRole("link").length).toBeGreaterThan(0));
  return jobs().length;
};

/** The local day so many days back, as an address has it. */
function localDay(daysBack: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

describe("History", () => {
  beforeEach(() => begin(13));

  // (spec 4.1)
  it("shows the key's jobs newest first, in pages, until a short page", async () => {
    const { user, path } = visitStudio("/history?limit=10");
    expect(await listed()).toBe(10);
    const firstPage = jobs().map((link) => link.getAttribute("href"));
    expect(screen.getByRole("button", { name: "Previous" })).toBeDisabled();

    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(jobs()).toHaveLength(3));
    expect(path()).toContain("page=2");
    expect(
      jobs()
        .map((link) => link.getAttribute("href"))
        .some((href) => firstPage.includes(href)),
    ).toBe(false);
    expect(screen.getByRole("button", { name: "Next" })).toBeDisabled();
  });

  // (spec 4.1)
  it("puts the filters into the address; a change returns to the first page", async () => {
    const { user, path } = visitStudio("/history?limit=5&page=2");
    await listed();
    await user.click(screen.getByRole("button", { name: "Status" }));
    await user.click(screen.getByRole("checkbox", { name: "Failed" }));
    await user.click(screen.getByRole("checkbox", { name: "Cancelled" }));
    await waitFor(() => expect(path()).toMatch(/status=failed(,|%2C)cancelled/));
    expect(path()).not.toContain("page=");
    await waitFor(() => {
      for (const link of jobs()) expect(link).toHaveAccessibleName(/Failed|Cancelled/);
    });
    // Spec 8: 60 days, so what has 14 left is 46 days old.
    await user.click(screen.getByRole("button", { name: "Date" }));
    await user.click(screen.getByRole("button", { name: "Expiring within 14 days" }));
    const asked = () => new URL(path(), "http://localhost").searchParams;
    await waitFor(() => expect(asked().get("after")).toBeTruthy());
    expect([asked().get("after"), asked().get("before")]).toEqual([localDay(59), localDay(46)]);
  });

  it("opens again from its address, with filters, page size and view", async () => {
    visitStudio("/history?type=video&limit=20&view=table");
    await listed();
    expect(screen.getByRole("radio", { name: "Table" })).toBeChecked();
    expect(screen.getByRole("combobox", { name: "Jobs per page" })).toHaveValue("20");
    const rows = screen.getAllByRole("row").slice(1);
    const models = rows.map((row) => row.textContent).filter((text) => text?.includes("halide"));
    expect(models).toHaveLength(jobs().length);
  });

  it("says that the search covers all jobs where one page holds them", async () => {
    const { user } = visitStudio("/history");
    expect(await screen.findByText("Search covers all 13 jobs.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
    await user.type(screen.getByRole("searchbox", { name: "Search jobs" }), "no such words");
    expect(await screen.findByText("The search covered all of your jobs.")).toBeVisible();
  });

  it("says how many of all jobs the search covers where pages are missing", async () => {
    visitStudio("/history?limit=5");
    expect(await screen.findByText(/^Search covers 5 of (13 jobs\.|your jobs, back to)/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Load all jobs" })).toBeVisible();
  });

  it("tells in words what the search understands", async () => {
    const { user } = visitStudio("/history?limit=5");
    await listed();
    await user.click(screen.getByRole("button", { name: "Search help" }));
    const help = await screen.findByRole("dialog", { name: "Search help" });
    expect(within(help).getByText("is:starred")).toBeVisible();
    await user.keyboard("{Escape}?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    await user.click(within(sheet).getByText("Search in History and Commands"));
    expect(within(sheet).getByText("is:starred")).toBeVisible();
  });

  it("distinguishes no matches from no jobs, and offers to clear filters", async () => {
    const { user } = visitStudio("/history?model=no-such-model&limit=10");
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await listed()).toBe(10);
  });

  it("a page past the end says so", async () => {
    const { user } = visitStudio("/history?page=9&limit=10");
    expect(await screen.findByText("No jobs on this page")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Go to the first page" }));
    expect(await listed()).toBe(10);
  });

  it("has the keys of a file manager", async () => {
    const { user, path } = visitStudio("/history?limit=8");
    await listed();
    screen.getByRole("grid").focus();
    await user.keyboard("{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(3);
    await user.keyboard("{Control>}a{/Control}");
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(8);
    await user.keyboard("{Escape}");
    expect(screen.queryAllByRole("checkbox", { checked: true })).toHaveLength(0);
    await user.keyboard("{End} ");
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(1);
    await user.keyboard("{Escape}{Home}{Enter}");
    await waitFor(() => expect(path()).toContain("open="));
  });
});

describe("History without a job", () => {
  it("says that there are none yet, and how to begin", async () => {
    await begin(0);
    visitStudio("/history");
    expect(await screen.findByText("No jobs yet")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to Create" })).toHaveAttribute("href", "/create");
  });

  // (spec 7)
  it("shows why a list was refused, what was charged, and what to do", async () => {
    await begin(3);
    visitStudio("/history?model=error:400");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Nothing was charged");
  });
});

describe("History of a service whose records have no times", () => {
  // How many days ten jobs fall on depends on the hour: with too many, months make the headings.
  beforeEach(() => {
    vi.setSystemTime(new Date(2026, 10, 20, 22));
    return begin(13, ["untimed-records"]);
  });
  afterEach(() => void vi.useRealTimers());

  it("reads the days of its jobs day by day, in list and search", async () => {
    const { user } = visitStudio("/history?limit=10");
    await listed();
    const days = () => screen.findAllByRole("rowheader", { name: / · \d+ jobs?$/ });
    const inList = (await days()).map((heading) => heading.textContent);
    expect(inList.join()).toMatch(/Today|Yesterday|Earlier/);
    await user.click(screen.getByRole("button", { name: "Load all jobs" }));
    await screen.findByText("Search covers all 13 jobs.");
    await user.click(screen.getByRole("button", { name: "Show as one list" }));
    await waitFor(() => expect(jobs()).toHaveLength(13));
    const inSearch = (await days()).map((heading) => heading.textContent ?? "");
    expect(inSearch.map((day) => day.split(" · ")[0])).toEqual(
      expect.arrayContaining(inList.map((day) => day?.split(" · ")[0])),
    );
  });
});
