import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { giveLayout } from "../../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { visitStudio } from "../visit-studio.tsx";

let server: SandboxServer;
let takeLayout: () => void;

async function begin(history: number, quirks: string[], height = 20_000) {
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

const grid = () => screen.findByRole("grid", { name: "Jobs" });
const links = async () => within(await grid()).getAllByRole("link");
const asked = (route: string) => server.sandbox.inspect().requests.filter((request) => request.route === route);

describe("a list that gives only ids and statuses", () => {
  it("is filled in with pictures, prompts and reasons, each job asked for once", async () => {
    await begin(6, ["lean-list"]);
    const { user } = visitStudio("/history");
    await waitFor(async () => {
      for (const link of await links()) {
        expect(link.textContent).not.toMatch(/^(lumen|halide|grainfield|overture|contact)/);
      }
    });
    const done = (await links()).filter((link) =>
      /, Done$/.test(link.textContent?.match(/^.*?, (Done|Failed|Cancelled)/)?.[0] ?? ""),
    );
    expect(done.length).toBeGreaterThan(0);
    for (const link of done) expect(link.querySelector("img, video, svg")).not.toBeNull();
    const before = asked("job").length;
    expect(before).toBeLessThanOrEqual(6);

    // What was found is in the index now, so a search finds it, and nothing is asked for again.
    const [first] = await links();
    const word = first?.textContent?.split(/[ ,]/)[0] ?? "";
    await user.click(screen.getByRole("button", { name: "Show as one list" }));
    expect(await screen.findByText(/^6 found\./)).toBeVisible();
    expect(await links()).toHaveLength(6);
    expect((await links())[0]).toHaveTextContent(word);
    expect(asked("job")).toHaveLength(before);
  });

  it("asks only for the jobs in view", async () => {
    await begin(50, ["lean-list"], 400);
    visitStudio("/history?limit=50");
    await waitFor(() => expect(asked("job").length).toBeGreaterThan(1));
    const shown = (await links()).length;
    expect(shown).toBeLessThan(50);
    await waitFor(async () => {
      for (const link of await links()) {
        expect(link.textContent).not.toMatch(/^(lumen|halide|grainfield|overture|contact)/);
      }
    });
    expect(asked("job").length).toBeLessThanOrEqual(shown);
  });
});

describe("pages of a list", () => {
  it.each([
    ["list-by-cursor"],
    ["list-by-cursor", "list-enveloped", "lean-list"],
    ["list-with-has-more"],
    ["list-enveloped"],
    ["offset-in-pages", "list-with-has-more"],
  ])("end where the service says so: %s %s %s", async (...quirks) => {
    await begin(20, quirks.filter(Boolean));
    const { user } = visitStudio("/history?limit=10&view=table");
    const ids = async () => (await links()).map((link) => link.getAttribute("href"));
    await waitFor(async () => expect(await ids()).toHaveLength(10));
    const first = await ids();
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(async () => {
      const second = await ids();
      expect(second).toHaveLength(10);
      expect(second.filter((id) => first.includes(id))).toEqual([]);
    });
    // Twenty jobs, ten on each page: only the service's word tells that a full page is the last one.
    await waitFor(() => expect(screen.getByRole("button", { name: "Next" })).toBeDisabled());
  });

  it("are read to the end by their cursors where records carry no times", async () => {
    await begin(1500, ["list-by-cursor", "lean-list"], 400);
    const { user } = visitStudio("/history");
    await user.click(await screen.findByRole("button", { name: "Load all jobs" }));
    expect(await screen.findByText(/^Search covers all 1,500 jobs/)).toBeVisible();
  });
});

describe("records with other words and times", () => {
  it.each(["times-camel-case", "times-nested", "times-iso", "times-microseconds"])(
    "%s: jobs stand under their days, with their times",
    async (quirk) => {
      await begin(12, [quirk]);
      visitStudio("/history?view=table");
      await grid();
      expect((await screen.findAllByRole("rowheader")).length).toBeGreaterThan(1);
      expect(screen.queryByRole("rowheader", { name: /Time not told|Earlier/ })).not.toBeInTheDocument();
      // A row without a time has a dash in the place of its day.
      for (const link of await links()) expect(link.closest("tr")).toHaveTextContent(/20\d\d,? \d\d:\d\d/);
    },
  );

  it("statuses-in-other-words: are Done, Failed and Cancelled", async () => {
    await begin(30, ["statuses-in-other-words"]);
    visitStudio("/history");
    const names = (await links()).map((link) => link.textContent ?? "");
    for (const name of names) expect(name).toMatch(/, (Done|Failed|Cancelled)/);
    expect(names.join()).not.toMatch(/COMPLETED|ERROR|CANCELED/);
  });
});
