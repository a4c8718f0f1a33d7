import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { addBatch } from "#batch/runner/batch-edits.ts";
import { getConnection } from "#connection/connection-store.ts";
import { browserRows } from "#storage/database.ts";
import type { openSandboxMedia } from "../media/sandbox-media.ts";
import { agreedBatch } from "../setup/agreed-batch.ts";
import { storeBatch } from "./stored-batch.ts";

type Sandbox = ReturnType<typeof openSandboxMedia>;

export interface ScreenState {
  name: string;
  /** Stores what it needs, and gives its address. */
  open: (sandbox: Sandbox) => string | Promise<string>;
  /** Waits for what shows that it is there, of which the state before it has nothing. */
  isThere: (user: UserEvent) => Promise<unknown>;
}

let ids: string[] = [];

/** The jobs that the states show: two with a picture, and a failed one between them. */
export async function makeJobs({ imageJob, pass }: Sandbox): Promise<void> {
  ids = [];
  for (const prompt of ["A lamp", "fail:moderation A boat", "A tram"]) {
    ids.push((await imageJob({ prompt })).requestId);
    pass(60);
  }
}

const button = (name: RegExp | string) => () => screen.findByRole("button", { name });
const heading = (name: string) => () => screen.findByRole("heading", { level: 1, name });
const grid = () => screen.findByRole("grid", { name: "Jobs" });
const refund = () => screen.findAllByText(/refunded/i);
const elapsed = () => screen.findByRole("timer", { name: "Elapsed" });

const slowJob = async ({ api }: Sandbox) =>
  (await api.submit({ model: "halide-video", payload: { prompt: "A slow tide" } })).requestId;
const jobsBatch = async ({ api }: Sandbox) => storeBatch(await Promise.all(ids.map((id) => api.getJob(id))));

/** Every state in which a screen offers acts of its own; those of Playground are `playground-states`. */
export const screenStates: ScreenState[] = [
  { name: "Create before a run", open: () => "/create/lumen-2", isThere: button(/^Run\b/) },
  { name: "History", open: () => "/history", isThere: grid },
  { name: "Create with a result", open: () => `/create/lumen-2?job=${ids[0]}`, isThere: button(/^Download/) },
  { name: "the page of a failed job", open: () => `/jobs/${ids[1]}`, isThere: refund },
  { name: "the page of a job", open: () => `/jobs/${ids[0]}`, isThere: button(/^Download/) },
  { name: "Create with a failed job", open: () => `/create/lumen-2?job=${ids[1]}`, isThere: refund },
  { name: "History with a filter", open: () => "/history?status=success", isThere: grid },
  { name: "the viewer", open: () => `/history?open=${ids[0]}`, isThere: button("Previous") },
  { name: "the comparison", open: () => `/history?compare=${ids[0]},${ids[2]}`, isThere: button(/^Swap/) },
  { name: "Playground", open: () => "/playground", isThere: () => screen.findByRole("textbox", { name: /^Message/ }) },
  { name: "Price table", open: () => "/prices/lumen-2", isThere: button(/^Swap/) },
  { name: "Batch before there is one", open: () => "/batch", isThere: heading("Batch") },
  { name: "Batch", open: () => storeBatch([]), isThere: button(/^Run 3 for/) },
  { name: "Spend", open: () => "/spend", isThere: heading("Spend") },
  {
    name: "Batch with a chosen run",
    open: jobsBatch,
    isThere: async (user) => user.click(await screen.findByRole("checkbox", { name: "Select run 1" })),
  },
  { name: "Settings", open: () => "/settings", isThere: heading("Settings") },
  {
    name: "Batch as a sheet",
    open: async (sandbox) => `${await jobsBatch(sandbox)}?view=sheet`,
    isThere: () => screen.findAllByText("A lamp"),
  },
  {
    name: "History with selected jobs",
    open: () => "/history",
    async isThere(user) {
      for (const name of [/^Select A lamp/, /^Select A tram/])
        await user.click(await screen.findByRole("checkbox", { name }));
      await screen.findByText("2 selected");
    },
  },
  { name: "the page of a running job", open: async (sandbox) => `/jobs/${await slowJob(sandbox)}`, isThere: elapsed },
  {
    name: "a paused batch",
    async open() {
      const id = crypto.randomUUID();
      const request = { model: "lumen-2", payload: { prompt: "A tram" } };
      const where = { rows: browserRows, accountId: getConnection()?.accountId ?? "" };
      await addBatch(where, agreedBatch(id, [request, request], 35_000));
      return "/spend";
    },
    isThere: async (user) => user.click(await screen.findByRole("button", { name: /^Batch: A tram/ })),
  },
  {
    name: "Create with a running job",
    open: async (sandbox) => `/create/halide-video?job=${await slowJob(sandbox)}`,
    isThere: elapsed,
  },
];

/** What a phone shows in places of its own. */
export const isOnPhones = ({ name }: ScreenState) => !/running|selected|paused/.test(name);
