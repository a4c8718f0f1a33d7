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
    await user.type(screen.getByRole("searchbox", { name: "Search jobs" }), word);
    await waitFor(async () => {
      for (const link of await links()) expect(link).toHaveTextContent(new RegExp(word, "i"));
    });
    expect(asked("job")).toHaveLength(before);
  });

  it("asks only for the jobs in view", async () => {
    await begin(50, ["lean-list"], 400);
    visitStudio("/history");
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

describe("a list in pages", () => {
  it.each([
    ["list-by-cursor"],
    ["list-by-cursor", "list-enveloped", "lean-list"],
    ["list-with-has-more"],
    ["list-enveloped"],
    ["offset-in-pages", "list-with-has-more"],
    ["offset-in-pages", "untimed-records"],
    ["list-by-cursor", "untimed-records"],
  ])("is shown whole, each job once: %s %s %s", async (...quirks) => {
    await begin(130, quirks.filter(Boolean));
    visitStudio("/history?view=table");
    // The count first: to ask 130 rows for their links is long work, and each answer would ask for it again.
    await screen.findByText("130 jobs", { exact: true });
    await waitFor(() => expect(screen.queryByText(/^Searching/)).not.toBeInTheDocument());
    const ids = (await links()).map((link) => link.getAttribute("href"));
    expect(ids).toHaveLength(130);
    expect(new Set(ids).size).toBe(130);
  });

  it("is read to its end by cursors where records carry no times", async () => {
    await begin(1500, ["list-by-cursor", "lean-list", "untimed-records"], 400);
    visitStudio("/history");
    await grid();
    await waitFor(() => expect(screen.getByText("1,500 jobs", { exact: true })).toBeInTheDocument());
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
    await waitFor(async () => expect((await links()).length).toBeGreaterThan(0));
    const names = (await links()).map((link) => link.closest("tr")?.textContent ?? "");
    for (const name of names) expect(name).toMatch(/Done|Failed|Cancelled/);
    expect(names.join()).not.toMatch(/COMPLETED|ERROR|CANCELED/);
  });
});
