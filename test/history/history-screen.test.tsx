import { act, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { JobListParams } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { HistoryList } from "#history/history-list.tsx";
import { PAGE_JOBS, useOlderJobs } from "#history/use-listing.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { movedTo, NO_CURSOR } from "#ui/grid-cursor.ts";
import { everyActIsKnown } from "../app/acts-on-screen.ts";
import { giveLayout } from "../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { someJob } from "../setup/some-job.ts";
import { visitStudio } from "../visit-studio.tsx";

let server: SandboxServer;

async function begin(history: number, quirks: string[] = [], height = 3000) {
  localStorage.clear();
  onTestFinished(giveLayout({ height }));
  server = startSandboxServer({ history, quirks });
  onTestFinished(server.close);
  await openSandbox();
}
afterEach(disconnect);

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

const field = () => screen.getByRole("searchbox", { name: "Search jobs" });
const lists = () => server.sandbox.inspect().requests.filter(({ route }) => route === "list").length;

describe("History", () => {
  beforeEach(() => begin(13));

  // (spec 4.1)
  it("shows all jobs of the key in one list, whatever page an older address asked for", async () => {
    const { user, path } = visitStudio("/history?limit=5&page=2&q=*");
    expect(await listed()).toBe(13);
    expect(await screen.findByText("13 jobs", { exact: true })).toBeVisible();
    expect(screen.queryByRole("button", { name: /Load all|Show as one list|Next|Previous/ })).not.toBeInTheDocument();
    expect(screen.queryByText(/^Search covers/)).not.toBeInTheDocument();
    // The first page was the whole list: nothing more is asked for.
    expect(lists()).toBe(1);
    await everyActIsKnown();

    await user.click(screen.getByRole("button", { name: "Download and refresh" }));
    await user.click(screen.getByRole("menuitem", { name: "Refresh jobs" }));
    await waitFor(() => expect(lists()).toBeGreaterThan(1));

    // The keys of a file manager.
    const checked = () => screen.queryAllByRole("checkbox", { checked: true }).length;
    screen.getByRole("grid").focus();
    await user.keyboard("{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
    expect(checked()).toBe(3);
    await user.keyboard("{Control>}a{/Control}");
    expect(checked()).toBe(13);
    await user.keyboard("{Escape}{End} ");
    expect(checked()).toBe(1);
    await user.keyboard("{Escape}{Home}{Enter}");
    await waitFor(() => expect(path()).toContain("open="));
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

  it("opens again from its address; a search without a match says that it covered all, and is cleared", async () => {
    const { user } = visitStudio("/history?type=video&view=table");
    await listed();
    expect(screen.getByRole("radio", { name: "Table" })).toBeChecked();
    const rows = screen.getAllByRole("row").slice(1);
    const models = rows.map((row) => row.textContent).filter((text) => text?.includes("halide"));
    expect(models).toHaveLength(jobs().length);
    // Each under its day, with its time.
    expect(screen.queryByRole("rowheader", { name: /Time not told|Earlier/ })).not.toBeInTheDocument();
    expect(screen.getAllByRole("rowheader").length).toBeGreaterThan(0);
    for (const link of jobs()) expect(link.closest("tr")).toHaveTextContent(/20\d\d, \d+:\d\d\s[AP]M/);
    await user.click(field());
    await user.paste("no such words");
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    expect(screen.getByText(/All your jobs were searched/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await listed()).toBe(13);
  });

  it("tells in words what the search understands", async () => {
    const { user } = visitStudio("/history?model=no-such-model");
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Search terms" }));
    const suggested = await screen.findByRole("group", { name: "Add to search" });
    await user.click(within(suggested).getByRole("button", { name: "Search terms" }));
    const help = await screen.findByRole("dialog", { name: "Search terms" });
    expect(within(help).getByText("is:starred")).toBeVisible();
    await user.keyboard("{Escape}?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    await user.click(within(sheet).getByText("Search terms", { selector: "summary" }));
    expect(within(sheet).getByText("is:starred")).toBeVisible();
  });
});

describe("History of more jobs than one answer holds", () => {
  it("fills its index in the background and tells how far it is", async () => {
    await begin(1100, [], 600);
    const readOn = holdAfterFirstList();
    visitStudio("/history");
    expect(await screen.findByText(/^Search covers [\d,]+ of 1,100 jobs/)).toBeVisible();
    readOn();
    await waitFor(() => expect(screen.queryByText(/^Search covers/)).not.toBeInTheDocument());
    expect(await screen.findByText("1,100 jobs", { exact: true })).toBeVisible();
  });

  it("is read to its end by cursors where records carry no times", async () => {
    await begin(1100, ["list-by-cursor", "lean-list", "untimed-records"], 300);
    visitStudio("/history");
    expect(await screen.findByText("1,100 jobs", { exact: true })).toBeVisible();
  });

  it("asks the service for what it can answer, before the index is filled", async () => {
    await begin(1100, [], 600);
    visitStudio("/history?status=cancelled");
    await listed();
    for (const link of jobs()) expect(link.closest("tr")).toHaveTextContent(/Cancelled/);
  });

  it("reads older jobs under the same filter, as far as the list is scrolled", async () => {
    await begin(1100, [], 600);
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
});

describe("History without a job", () => {
  it("says that there are none yet, and how to begin", async () => {
    await begin(0);
    visitStudio("/history");
    expect(await screen.findByText("No jobs yet")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to Create" })).toHaveAttribute("href", "/create");
  });

  // (spec 7)
  it("shows why a list was refused and what to do, and nothing about money", async () => {
    await begin(3);
    visitStudio("/history?model=error:400");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Edit the request and try again.");
    expect(alert).not.toHaveTextContent(/charged/);
  });
});

describe("History of a service whose records have no times", () => {
  // How many days ten jobs fall on depends on the hour: with too many, months make the headings.
  // The clock goes on: the budget of requests fills up with time, and reading days on a slow machine needs it.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 10, 20, 22), shouldAdvanceTime: true });
    return begin(13, ["untimed-records"]);
  });
  afterEach(() => void vi.useRealTimers());

  it("reads the days of its jobs day by day, in list and search", async () => {
    const { user } = visitStudio("/history");
    await waitFor(() => expect(jobs()).toHaveLength(13));
    const days = () => screen.findAllByRole("rowheader", { name: / · \d+ jobs?$/ });
    const inList = (await days()).map((heading) => heading.textContent ?? "");
    expect(inList.join()).toMatch(/Today|Yesterday|Earlier/);
    await user.click(field());
    await user.paste("status:success");
    await waitFor(() => expect(jobs().length).toBeLessThan(13));
    const inSearch = (await days()).map((heading) => heading.textContent ?? "");
    expect(inList.map((day) => day.split(" · ")[0])).toEqual(
      expect.arrayContaining(inSearch.map((day) => day.split(" · ")[0])),
    );
  });
});

describe("a list that gives only ids and statuses", () => {
  const asked = () => server.sandbox.inspect().requests.filter(({ route }) => route === "job").length;
  /** No line is called by its model any more. */
  const filledIn = () =>
    waitFor(() => {
      for (const link of jobs()) expect(link.textContent).not.toMatch(/^(lumen|halide|grainfield|overture|contact)/);
    });

  it("is filled in with pictures, prompts and reasons, each job asked for once", async () => {
    await begin(6, ["lean-list"]);
    const { user } = visitStudio("/history");
    await listed();
    await filledIn();
    const done = jobs().filter((link) =>
      /, Done$/.test(link.textContent?.match(/^.*?, (Done|Failed|Cancelled)/)?.[0] ?? ""),
    );
    expect(done.length).toBeGreaterThan(0);
    for (const link of done) expect(link.querySelector("img, video, svg")).not.toBeNull();
    const before = asked();
    expect(before).toBeLessThanOrEqual(6);

    // What was found is in the index now, so a search finds it, and nothing is asked for again.
    const prompts = jobs().map((link) => (link.textContent ?? "").replace(/, (Done|Failed|Cancelled).*$/, ""));
    const having = (word: string) => prompts.filter((prompt) => prompt.includes(word)).length;
    const word = prompts.flatMap((prompt) => prompt.match(/[a-z]{4,}/g) ?? []).find((one) => having(one) < 6) ?? "";
    await user.click(field());
    await user.paste(word);
    await waitFor(() => expect(jobs()).toHaveLength(having(word)));
    for (const link of jobs()) expect(link).toHaveTextContent(word);
    expect(asked()).toBe(before);
  });

  it("asks only for the jobs in view", async () => {
    await begin(40, ["lean-list"], 300);
    visitStudio("/history");
    const first = await listed();
    expect(first).toBeLessThan(40);
    await filledIn();
    expect(asked()).toBeGreaterThan(1);
    expect(asked()).toBeLessThanOrEqual(Math.max(first, jobs().length));
  });
});

describe("older jobs", () => {
  async function open(params: JobListParams, reachOf: (seconds: number) => number = () => Number.POSITIVE_INFINITY) {
    const { result: client } = renderHook(() => useApi(), { wrapper: ConnectionProvider });
    const api = client.current;
    const head = await api.listJobs({ ...params, limit: PAGE_JOBS });
    const all = (await api.listJobs({ ...params, limit: 1000 })).jobs;
    const reachSeconds = reachOf(all[150]?.createdAtSeconds ?? 0);
    const { result } = renderHook(() => useOlderJobs({ params, head, reachSeconds, isSearched: false }), {
      wrapper: ConnectionProvider,
    });
    const readAll = async () => {
      while (result.current.hasMore) {
        const before = result.current.jobs.length;
        act(() => result.current.readMore());
        await waitFor(() => expect(result.current.isReading).toBe(false));
        if (result.current.hasMore) expect(result.current.jobs.length).toBeGreaterThan(before);
      }
      return new Set([...head.jobs, ...result.current.jobs].map(({ requestId }) => requestId));
    };
    return { all, result, readAll };
  }

  // (spec 4.1)
  it.each([[[]], [["untimed-records"]], [["list-by-cursor", "untimed-records"]], [["list-with-has-more"]]])(
    "are read under the same filters to the end of the list: %j",
    async (quirks) => {
      await begin(300, quirks);
      const { all, result, readAll } = await open({ status: ["success"] });
      expect(all.length).toBeGreaterThan(2 * PAGE_JOBS);
      expect((await readAll()).size).toBe(all.length);
      expect(result.current.jobs.every(({ status }) => status === "success")).toBe(true);
    },
  );

  it("begin where the index ends", async () => {
    await begin(300);
    const { all, result, readAll } = await open({}, (seconds) => seconds);
    await readAll();
    expect(result.current.jobs[0]?.createdAtSeconds).toBeLessThan(all[150]?.createdAtSeconds ?? 0);
    // A page repeats the last job of the one before.
    expect(new Set(result.current.jobs.map(({ requestId }) => requestId)).size).toBe(149);
  });

  it("are none where the index holds everything", async () => {
    await begin(300);
    const { result } = await open({}, () => Number.NEGATIVE_INFINITY);
    expect(result.current.hasMore).toBe(false);
  });
});

describe("scrolling", () => {
  const nowMs = Date.UTC(2026, 10, 23, 12);

  /** Jobs of one day of which each seventh failed; `rendered` notes whose prompt is looked at, once for each rendering. */
  function someJobs(count: number, rendered: string[]): JobRecord[] {
    return Array.from({ length: count }, (_, place) => {
      const status = place % 7 === 3 ? "failed" : "success";
      const entry = someJob(`req-${place}`, { status, createdAtSeconds: nowMs / 1000 - place });
      return Object.defineProperty(entry, "prompt", { get: () => rendered.push(entry.requestId) && `Prompt ${place}` });
    });
  }

  it.each(["grid", "table"] as const)("a %s renders no line again that stays in sight", async (density) => {
    onTestFinished(giveLayout());
    const rendered: string[] = [];
    const entries = someJobs(300, rendered);
    render(
      <HistoryList
        entries={entries}
        density={density}
        cursor={movedTo(NO_CURSOR, "req-5")}
        onCursorChange={() => undefined}
        onOpen={() => undefined}
        onFocusChange={() => undefined}
        marks={new Map()}
        nowMs={nowMs}
        placeKey={`test ${density}`}
      />,
      { wrapper: ConnectionProvider },
    );
    const scroller = document.querySelector<HTMLElement>("[data-history-scroller]");
    await waitFor(() => expect(rendered.length).toBeGreaterThan(10));
    const before = new Set(rendered);
    const scrollTo = async (top: number) => {
      if (scroller) scroller.scrollTop = top;
      await act(async () => void scroller?.dispatchEvent(new Event("scroll")));
    };
    await scrollTo(30);
    rendered.length = 0;
    await scrollTo(400);
    expect(rendered.some((id) => !before.has(id))).toBe(true);
    expect(rendered.filter((id) => before.has(id))).toEqual([]);
  });
});
