import { type QueryKey, QueryObserver, type QueryObserverOptions } from "@tanstack/react-query";
import type { Operation } from "#api/explain-error.ts";
import { streamText } from "#api/text/text-client.ts";
import type { TextEndpoint } from "#api/text/text-types.ts";
import type { Job, JobRequest } from "#api/types.ts";
import { readMediaFile } from "#media/download/download-media.ts";
import { uploadFile } from "#media/upload/upload-file.ts";
import { modelQueries } from "#models/model-queries.ts";
import { deleteJobMedia, deletionNotes } from "#results/deletion/delete-media.ts";
import { jobKey, jobQueries } from "#runs/poll/job-queries.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import type { Endpoint } from "./fault-network.ts";
import type { FaultWorld } from "./fault-world.ts";
import { type Outcome, outcomeOf, readOnScreen } from "./outcomes.ts";

export interface TryOptions {
  signal: AbortSignal;
  /** Tells two tries apart that are under way at once: 0 or 1. */
  twin: number;
}

/** One try of a person at what an endpoint is for, by the way that the studio goes. */
export interface Driver {
  operation: Operation | "media";
  /** Several screens share one request and its answer. */
  isShared?: boolean;
  /** Leaving the screen does not end it. */
  outlivesScreen?: boolean;
  run(options: TryOptions): Promise<Outcome>;
}

export const QUICK: readonly JobRequest[] = ["A lamp", "A chair"].map((prompt) => ({
  model: "lumen-2",
  payload: { prompt },
}));
const SLOW: JobRequest = { model: "halide-video", payload: { prompt: "A fox" } };

type Make = (world: FaultWorld) => Promise<Driver>;

function query<Data, Key extends QueryKey>(
  operation: Operation,
  optionsOf: (world: FaultWorld, twin: number) => QueryObserverOptions<Data, Error, Data, Data, Key>,
  show: (data: Data) => string,
): Make {
  return async (world) => ({
    operation,
    isShared: true,
    run: ({ signal, twin }) => readOnScreen(world.page.client, optionsOf(world, twin), { signal, show }),
  });
}

function texts(endpoint: TextEndpoint): Make {
  const bodies = {
    completions: { prompt: "Write about lamps.", max_tokens: 60 },
    responses: { input: "Write about lamps." },
    messages: { max_tokens: 60, messages: [{ role: "user", content: "Write about lamps." }] },
  };
  return async (world) => ({
    operation: "text",
    async run({ signal }) {
      let text = "";
      for await (const event of streamText(
        endpoint,
        world.page.target,
        { model: "quill-2", ...bodies[endpoint] },
        { signal },
      )) {
        if (event.kind === "text") text += event.text;
        else if (event.kind === "error") return { how: "failed", error: event.error };
        else if (event.kind === "end") {
          if (event.how === "stopped") return { how: "stopped" };
          return event.how === "complete"
            ? { how: "done", value: text.length > 20 ? "an answer" : text }
            : { how: "early", error: event.error };
        }
      }
      throw new Error("The events had no end.");
    },
  });
}

const PNG = [137, 80, 78, 71, 13, 10, 26, 10];

/** `upload-url` and `signed PUT` are the two halves of one act. */
const upload: Make = async (world) => ({
  operation: "upload",
  run: ({ signal, twin }) => {
    const file = new File([Uint8Array.from([...PNG, twin])], `input-${twin}.png`);
    const { accountId } = world;
    const stored = uploadFile({ api: world.page.api, accountId, file, signal });
    return outcomeOf(
      stored.then(({ publicUrl }) => `stored at ${new URL(publicUrl).pathname.replace(/[^/]+$/, "")}`),
      signal,
    );
  },
});

async function finishedJob({ page }: FaultWorld, twin: number): Promise<Job> {
  return page.api.submit(QUICK[twin] ?? SLOW);
}

const media: Make = async (world) => {
  const jobs = [await finishedJob(world, 0), await finishedJob(world, 1)];
  return {
    operation: "media",
    run: ({ signal, twin }) => {
      const job = jobs[twin];
      const item = job?.media[0];
      if (!job || !item) throw new Error("The job has no file.");
      const file = readMediaFile({ job, item, index: 0, signal });
      return outcomeOf(
        file.then(({ blob, extension }) => `${extension} of ${blob.size} bytes`),
        signal,
      );
    },
  };
};

const deletion: Make = async (world) => {
  const jobs = [await finishedJob(world, 0), await finishedJob(world, 1)];
  return {
    operation: "delete",
    outlivesScreen: true,
    async run({ twin }) {
      const job = jobs[twin];
      if (!job) throw new Error("There is no such job.");
      const { deleted, failed } = await deleteJobMedia(
        world.page.api,
        [job.requestId],
        deletionNotes(world.accountId, [job], () => false),
      );
      return deleted.length > 0 ? { how: "done", value: "deleted" } : { how: "failed", error: failed[0]?.error };
    },
  };
};

/** Each try is the next poll of a job that a screen shows. */
const polls: Make = async (world) => {
  const { requestId } = await world.page.api.submit(SLOW);
  const openScreen = () => {
    const { client, api, onLeave } = world.page;
    const control = getPollControl(api);
    const options = jobQueries(api).detail(requestId);
    const observer = new QueryObserver(client, options);
    const unmount = observer.subscribe(() => {});
    // As a component does when what is polled changes.
    const stop = control.polling.subscribe(() => observer.setOptions(options));
    onLeave.push(unmount, stop);
    return { page: world.page, client, control, observer, leave: () => [unmount(), stop()] };
  };
  let screen: ReturnType<typeof openScreen> | undefined;
  const driver: Driver = {
    operation: "read",
    isShared: true,
    run: ({ signal }) =>
      new Promise((resolve) => {
        if (screen?.page !== world.page) screen = openScreen();
        const { client, control, observer, leave } = screen;
        const cache = client.getQueryCache();
        const polled = () => cache.find<Job>({ queryKey: jobKey(requestId) })?.state;
        const pollsOf = () => (polled()?.dataUpdateCount ?? 0) + (polled()?.errorUpdateCount ?? 0);
        const before = pollsOf();
        const stop = cache.subscribe(() => {
          if (pollsOf() === before) return;
          stop();
          const { error, data } = polled() ?? {};
          resolve(error ? { how: "failed", error } : { how: "done", value: `job ${data?.requestId === requestId}` });
        });
        signal.addEventListener("abort", () => {
          stop();
          leave();
          screen = undefined;
          resolve({ how: "stopped" });
        });
        // A person has given the key anew, and the screen asks at once.
        if (control.isPaused()) {
          control.resume();
          void observer.refetch();
        }
      }),
  };
  await driver.run({ signal: new AbortController().signal, twin: 0 });
  return driver;
};

/** All endpoints but the submit, which has a story of its own. */
export type ReadEndpoint = Exclude<Endpoint, "submit">;

export const DRIVERS: Record<ReadEndpoint, Make> = {
  models: query(
    "read",
    ({ page }) => modelQueries(page.api).ids(),
    (ids) => ids.join(),
  ),
  model: query(
    "read",
    ({ page }) => modelQueries(page.api).detail("lumen-2"),
    ({ id }) => id,
  ),
  estimate: query(
    "estimate",
    ({ page }, twin) => estimateQueries(page.api).price(QUICK[twin] ?? SLOW),
    ({ priceMicroUsd }) => String(priceMicroUsd),
  ),
  job: polls,
  list: query(
    "read",
    ({ page }) => jobQueries(page.api).list({ limit: 10 }),
    ({ jobs }) => `${jobs.length} jobs`,
  ),
  "upload-url": upload,
  "signed PUT": upload,
  "delete media": deletion,
  "media GET": media,
  completions: texts("completions"),
  responses: texts("responses"),
  messages: texts("messages"),
  "v1/models": query(
    "read",
    ({ page }) => textModelQueries(page.api).all(),
    (models) => models.map(({ id }) => id).join(),
  ),
};
