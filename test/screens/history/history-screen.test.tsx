import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { giveLayout } from "../../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { visitStudio } from "../visit-studio.tsx";

let server: SandboxServer;
let takeLayout: () => void;

async function begin(history: number, quirks: string[] = [], height = 20_000) {
  localStorage.clear();
  takeLayout = giveLayout({ height });
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

/** The service keeps the answer to every list but the first back until the function that this gives is called. */
function holdAfterFirstList(): () => void {
  const { sandbox } = server;
  let readOn = () => {};
  const isReadOn = new Promise<void>((resolve) => {
    readOn = resolve;
  });
  const answer = sandbox.fetch;
  let lists = 0;
  sandbox.fetch = async (request) => {
    if (new URL(request.url).pathname.endsWith("/requests") && lists++ > 0) await isReadOn;
    return answer(request);
  };
  return readOn;
}

/** The local day so many days back, as an address has it. */
function localDay(daysBack: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

describe("History", () => {
  beforeEach(() => begin(13));

  // (spec 4.1)
  it("shows all jobs of the key in one list, newest first", async () => {
    visitStudio("/history");
    expect(await listed()).toBe(13);
    expect(await screen.findByText("13 jobs", { exact: true })).toBeVisible();
    expect(screen.queryByRole("button", { name: /Load all|Show as one list|Next|Previous/ })).not.toBeInTheDocument();
    expect(screen.queryByText(/^Searching/)).not.toBeInTheDocument();
    // The first page was the whole list: nothing more is asked for.
    expect(server.sandbox.inspect().requests.filter(({ route }) => route === "list")).toHaveLength(1);
  });

  it("ignores the pages and the search for everything of older addresses", async () => {
    visitStudio("/history?limit=5&page=2&q=*");
    expect(await listed()).toBe(13);
  });

  // (spec 4.1)
  it("puts the filters into the address", async () => {
    const { user, path } = visitStudio("/history");
    await listed();
    await user.click(screen.getByRole("button", { name: "Status" }));
    await user.click(screen.getByRole("checkbox", { name: "Failed" }));
    await user.click(screen.getByRole("checkbox", { name: "Cancelled" }));
    await waitFor(() => expect(path()).toMatch(/status=failed(,|%2C)cancelled/));
    await waitFor(() => {
      for (const link of jobs()) expect(link.closest("tr")).toHaveTextContent(/Failed|Cancelled/);
    });
    // Spec 8: 60 days, so what has 14 left is 46 days old.
    await user.click(screen.getByRole("button", { name: "Date range" }));
    await user.click(screen.getByRole("button", { name: "Expiring within 14 days" }));
    const asked = () => new URL(path(), "http://localhost").searchParams;
    await waitFor(() => expect(asked().get("after")).toBeTruthy());
    expect([asked().get("after"), asked().get("before")]).toEqual([localDay(59), localDay(46)]);
  });

  it("opens again from its address, with filters and view", async () => {
    visitStudio("/history?type=video&view=table");
    await listed();
    expect(screen.getByRole("radio", { name: "Table" })).toBeChecked();
    const rows = screen.getAllByRole("row").slice(1);
    const models = rows.map((row) => row.textContent).filter((text) => text?.includes("halide"));
    expect(models).toHaveLength(jobs().length);
  });

  it("says that a search without a match covered all jobs", async () => {
    const { user } = visitStudio("/history");
    await listed();
    await user.type(screen.getByRole("searchbox", { name: "Search jobs" }), "no such words");
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    expect(screen.getByText(/The search covered all of your jobs/)).toBeVisible();
  });

  it("tells in words what the search understands", async () => {
    const { user } = visitStudio("/history");
    await listed();
    await user.click(screen.getByRole("button", { name: "Search help" }));
    await user.click(await screen.findByRole("button", { name: "All search terms" }));
    const help = await screen.findByRole("dialog", { name: "Search help" });
    expect(within(help).getByText("is:starred")).toBeVisible();
    await user.keyboard("{Escape}?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    await user.click(within(sheet).getByText("Search in History and Commands"));
    expect(within(sheet).getByText("is:starred")).toBeVisible();
  });

  it("distinguishes no matches from no jobs, and offers to clear filters", async () => {
    const { user } = visitStudio("/history?model=no-such-model");
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await listed()).toBe(13);
  });

  it("has the keys of a file manager", async () => {
    const { user, path } = visitStudio("/history");
    await listed();
    screen.getByRole("grid").focus();
    await user.keyboard("{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(3);
    await user.keyboard("{Control>}a{/Control}");
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(13);
    await user.keyboard("{Escape}");
    expect(screen.queryAllByRole("checkbox", { checked: true })).toHaveLength(0);
    await user.keyboard("{End} ");
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(1);
    await user.keyboard("{Escape}{Home}{Enter}");
    await waitFor(() => expect(path()).toContain("open="));
  });
});

describe("History of more jobs than one answer holds", () => {
  it("fills its index in the background and tells how far it is", async () => {
    await begin(1300, [], 600);
    const readOn = holdAfterFirstList();
    visitStudio("/history");
    expect(await screen.findByText(/^Searching [\d,]+ of 1,300 jobs/)).toBeVisible();
    readOn();
    await waitFor(() => expect(screen.queryByText(/^Searching/)).not.toBeInTheDocument());
    expect(await screen.findByText("1,300 jobs", { exact: true })).toBeVisible();
  });

  it("asks the service for what it can answer, before the index is filled", async () => {
    await begin(1300, [], 600);
    visitStudio("/history?status=cancelled");
    await listed();
    for (const link of jobs()) expect(link.closest("tr")).toHaveTextContent(/Cancelled/);
  });

  it("reads older jobs under the same filter, as far as the list is scrolled", async () => {
    await begin(1300, [], 600);
    visitStudio("/history?status=success&view=table");
    await listed();
    const scroller = document.querySelector("[data-history-scroller]") as HTMLElement;
    for (let times = 0; times < 3; times += 1) {
      scroller.scrollTop = 100_000;
      scroller.dispatchEvent(new Event("scroll"));
      await waitFor(() => expect(jobs().length).toBeGreaterThan(0));
      // What stands in a row comes once the list stands still.
      await waitFor(() => {
        for (const link of jobs()) expect(link.closest("tr")).toHaveTextContent("Done");
      });
    }
  });

  it("refreshes from the menu of the list", async () => {
    await begin(13);
    const { user } = visitStudio("/history");
    await listed();
    const lists = () => server.sandbox.inspect().requests.filter(({ route }) => route === "list").length;
    const before = lists();
    await user.click(screen.getByRole("button", { name: "Download and refresh" }));
    await user.click(screen.getByRole("menuitem", { name: "Refresh jobs" }));
    await waitFor(() => expect(lists()).toBeGreaterThan(before));
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
    const { user } = visitStudio("/history");
    await waitFor(() => expect(jobs()).toHaveLength(13));
    const days = () => screen.findAllByRole("rowheader", { name: / · \d+ jobs?$/ });
    const inList = (await days()).map((heading) => heading.textContent ?? "");
    expect(inList.join()).toMatch(/Today|Yesterday|Earlier/);
    await user.type(screen.getByRole("searchbox", { name: "Search jobs" }), "status:success");
    await waitFor(() => expect(jobs().length).toBeLessThan(13));
    const inSearch = (await days()).map((heading) => heading.textContent ?? "");
    expect(inList.map((day) => day.split(" · ")[0])).toEqual(
      expect.arrayContaining(inSearch.map((day) => day.split(" · ")[0])),
    );
  });
});
