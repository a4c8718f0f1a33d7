import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CATALOGUE, isInCatalogue } from "#app/palette/key-catalogue.ts";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { useCommandStore } from "#ui/command-store.ts";
import { keyProblem } from "#ui/key-press.ts";
import { openSandboxMedia } from "../media/sandbox-media.ts";
import { visitStudio } from "../screens/visit-studio.tsx";
import { giveLayout } from "../setup/give-layout.ts";
import { unknownActs } from "./acts-on-screen.ts";

let sandbox: ReturnType<typeof openSandboxMedia>;
let takeLayout: () => void;
let ids: string[];

beforeEach(async () => {
  localStorage.clear();
  takeLayout = giveLayout({ height: 5000 });
  sandbox = openSandboxMedia();
  ids = [];
  for (const prompt of ["A lamp", "fail:moderation A boat", "A tram"]) {
    const job = await sandbox.imageJob({ prompt });
    ids.push(job.requestId);
    sandbox.pass(60);
  }
  await openSandbox();
});
afterEach(() => {
  disconnect();
  sandbox.close();
  takeLayout();
});

/** Opens a place, waits for what shows that it is there, and opens each menu once. */
async function collect(path: string, isThere: () => Promise<unknown>): Promise<string[]> {
  const { user } = visitStudio(path);
  await isThere();
  await waitFor(() => expect(useCommandStore.getState().commands.map(({ id }) => id)).toContain("palette"));
  const unknown = unknownActs();
  const front = [...document.querySelectorAll("[aria-modal=true]")].at(-1) ?? document;
  for (const trigger of front.querySelectorAll<HTMLElement>("[aria-haspopup=menu]")) {
    await user.click(trigger);
    unknown.push(...unknownActs());
    await user.keyboard("{Escape}");
  }
  return [...new Set(unknown)];
}

/** Commands of the place that the list of keys does not have, or has with other keys. */
function strayCommands(): string[] {
  return useCommandStore.getState().commands.flatMap(({ id, keys = "" }) => {
    const entry = CATALOGUE.find((one) => one.id === id);
    if (entry ? entry.keys === keys : isInCatalogue(id) && keys === "") return [];
    return [`${id} ${keys}`];
  });
}

const button = (name: RegExp | string) => () => screen.findByRole("button", { name });

describe("the palette and the list of keys know every act", () => {
  const states: [name: string, path: () => string, isThere: () => Promise<unknown>][] = [
    ["Create before a run", () => "/create/lumen-2", button(/^Run\b/)],
    ["Create with a result", () => `/create/lumen-2?job=${ids[0]}`, button(/^Download/)],
    ["Create with a failed job", () => `/create/lumen-2?job=${ids[1]}`, () => screen.findAllByText(/refunded/i)],
    ["the page of a job", () => `/jobs/${ids[0]}`, button(/^Download/)],
    ["the page of a failed job", () => `/jobs/${ids[1]}`, () => screen.findAllByText(/refunded/i)],
    ["History", () => "/history", () => screen.findByRole("grid", { name: "Jobs" })],
    ["History with a filter", () => "/history?status=success", () => screen.findByRole("grid", { name: "Jobs" })],
    ["the viewer", () => `/history?open=${ids[0]}`, button("Previous")],
    ["the comparison", () => `/history?compare=${ids[0]},${ids[2]}`, button(/^Swap/)],
    ["Playground", () => "/playground", () => screen.findByRole("textbox", { name: /^Message/ })],
    ["Spend", () => "/spend", () => screen.findByRole("heading", { level: 1, name: "Spend" })],
    ["Settings", () => "/settings", () => screen.findByRole("heading", { level: 1, name: "Settings" })],
  ];

  test.each(states)("in %s", async (_, path, isThere) => {
    expect(await collect(path(), isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });

  test("an act that nobody registered is found", async () => {
    visitStudio("/spend");
    await screen.findByRole("heading", { level: 1, name: "Spend" });
    const added = document.createElement("button");
    added.textContent = "Refund everything";
    document.getElementById("main")?.append(added);
    expect(unknownActs()).toContain("Refund everything");
  });
});

describe("the list of keys", () => {
  test("has each command once, and no two with the same keys in one place", () => {
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    const places = new Set(CATALOGUE.flatMap((entry) => entry.places));
    for (const place of places) {
      const keyed = CATALOGUE.filter(
        (entry) => entry.keys && (entry.places.length === 0 || entry.places.includes(place)),
      );
      // Stop is Esc in both parts of Playground, which are never there at once.
      const keys = keyed.filter(({ id }) => id !== "document.stop").map((entry) => entry.keys);
      expect(
        keys.filter((one, at) => keys.indexOf(one) !== at || keys.some((two) => two.startsWith(`${one} `))),
      ).toEqual([]);
    }
  });

  test("gives no keys to a command that belong to the browser or to editing", () => {
    const own = CATALOGUE.filter(({ keys }) => keys !== "" && /browser|edit/.test(keyProblem(keys) ?? ""));
    expect(own).toEqual([]);
  });
});
