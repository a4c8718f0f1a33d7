import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { CATALOGUE } from "#app/palette/key-catalogue.ts";
import { getConnection } from "#connection/connection-store.ts";
import { addBatch } from "#jobs/batch/batch-edits.ts";
import { useChosenMessage } from "#screens/playground/messages/message-acts.ts";
import { browserRows } from "#storage/database.ts";
import { keyProblem } from "#ui/key-press.ts";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { visitStudio } from "../screens/visit-studio.tsx";
import { agreedBatch } from "../setup/agreed-batch.ts";
import { givePhone } from "../setup/give-phone.ts";
import { collectUnknown, strayCommands, unknownActs } from "./acts-on-screen.ts";
import { storeBatch } from "./stored-batch.ts";

let ids: string[];

const sandbox = openSandboxPage(async ({ imageJob, pass }) => {
  ids = [];
  for (const prompt of ["A lamp", "fail:moderation A boat", "A tram"]) {
    const job = await imageJob({ prompt });
    ids.push(job.requestId);
    pass(60);
  }
});
beforeEach(() => useChosenMessage.setState({ turnId: undefined }));

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
    ["Batch before there is one", () => "/batch", () => screen.findByRole("heading", { level: 1, name: "Batch" })],
    ["Price table", () => "/prices/lumen-2", button(/^Swap/)],
    ["Spend", () => "/spend", () => screen.findByRole("heading", { level: 1, name: "Spend" })],
    ["Settings", () => "/settings", () => screen.findByRole("heading", { level: 1, name: "Settings" })],
  ];

  const prepared: [name: string, prepare: () => Promise<string>, isThere: (user: UserEvent) => Promise<unknown>][] = [
    [
      "History with selected jobs",
      async () => "/history",
      async (user) => {
        for (const name of [/^Select A lamp/, /^Select A tram/]) {
          await user.click(await screen.findByRole("checkbox", { name }));
        }
        await screen.findByText("2 selected");
      },
    ],
    [
      "the page of a running job",
      async () => `/jobs/${(await slowJob()).requestId}`,
      () => screen.findByRole("timer", { name: "Elapsed" }),
    ],
    [
      "Create with a running job",
      async () => `/create/halide-video?job=${(await slowJob()).requestId}`,
      () => screen.findByRole("timer", { name: "Elapsed" }),
    ],
    [
      "a paused batch",
      async () => {
        const id = crypto.randomUUID();
        const request = { model: "lumen-2", payload: { prompt: "A tram" } };
        const where = { rows: browserRows, accountId: getConnection()?.accountId ?? "" };
        await addBatch(where, agreedBatch(id, [request, request], 35_000));
        return "/spend";
      },
      async (user) => user.click(await screen.findByRole("button", { name: /^Batch: A tram/ })),
    ],
  ];
  const batches: typeof prepared = [
    ["Batch", () => storeBatch([]), button(/^Run 3 for/)],
    [
      "Batch with a chosen run",
      () => storedBatch(),
      async (user) => user.click(await screen.findByRole("checkbox", { name: "Select run 1" })),
    ],
    ["Batch as a sheet", async () => `${await storedBatch()}?view=sheet`, () => screen.findAllByText("A lamp")],
  ];
  const storedBatch = async () => storeBatch(await Promise.all(ids.map((id) => sandbox().api.getJob(id))));
  const slowJob = () => sandbox().api.submit({ model: "halide-video", payload: { prompt: "A slow tide" } });

  test.each(batches)("on a phone, in %s", async (_, prepare, isThere) => {
    givePhone();
    expect(await collectUnknown(await prepare(), isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });

  test.each([...prepared, ...batches])("in %s", async (_, prepare, isThere) => {
    expect(await collectUnknown(await prepare(), isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });

  test.each(states)("on a phone, in %s", async (_, path, isThere) => {
    givePhone();
    expect(await collectUnknown(path(), isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });

  test.each(states)("in %s", async (_, path, isThere) => {
    expect(await collectUnknown(path(), isThere)).toEqual([]);
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
