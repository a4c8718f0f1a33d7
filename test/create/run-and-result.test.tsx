import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import { ClientContext, createQueryClient } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { useRunWhenPriced } from "#create/run/run-bar.tsx";
import type { JsonRecord } from "#lib/read.ts";
import { importOneJob } from "#runs/import-jobs.ts";
import { rememberedPrompts } from "#schema-form/controls/prompt-memory.ts";
import { giveLayout } from "../setup/give-layout.ts";
import { until } from "../setup/until.ts";
import { withKey } from "../setup/with-key.ts";
import { visitCreate, write } from "./visit-create.tsx";

const prompt = () => screen.findByRole("textbox", { name: "Prompt" });
const seed = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Seed" });
const button = () => screen.getByRole("button", { name: "Run" });
/** The price of the form as it is now is known, and Run can be pressed. */
const ready = async () => {
  await waitFor(() => expect(button()).toHaveTextContent("$"));
  await waitFor(() => expect(screen.queryByText("Loading the price…")).not.toBeInTheDocument());
  await waitFor(() => expect(button()).not.toHaveAttribute("aria-disabled"));
};

it("counts a run without a job beside Queue, also the first one of a browser", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  const queue = screen.getByRole("button", { name: /^Queue/ });
  expect(queue).toHaveTextContent(/^Queue$/);
  await write(user, await prompt(), "error:500");
  await ready();
  await user.click(button());
  // In the notice, and in the queue.
  expect((await screen.findAllByText("Checking whether it was accepted"))[0]).toBeVisible();
  await waitFor(() => expect(queue).toHaveTextContent("Queue1"));
});

// Spec 7.
describe("a refusal of the service", () => {
  it("is shown beside the named field while there is no price", async () => {
    const { user } = await visitCreate("/create/halide-omni");
    // Before anything was typed it is not an error yet.
    const early = await screen.findByText(/^No price yet: .*prompt is required unless multi_shot is true\.$/);
    expect(early).toBeVisible();
    expect(await prompt()).toBeValid();
    await write(user, await prompt(), "A storm");
    await ready();
    await user.click(screen.getByRole("switch", { name: "Several shots" }));
    expect(await screen.findByText("payload: multi_prompt is required when multi_shot is true")).toBeVisible();
    expect(await screen.findByText("No price: the service rejected Shots.")).toBeVisible();
    await user.click(button());
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Shots" })).toHaveFocus());
    await user.click(screen.getByRole("switch", { name: "Several shots" }));
    await ready();
    expect(screen.queryByText(/multi_prompt is required/)).not.toBeInTheDocument();
  });

  it("is shown beside the field of a rejected run until that field changes", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2");
    await write(user, await prompt(), "error:provider");
    await ready();
    await user.click(button());
    expect(await screen.findByRole("alert")).toHaveTextContent("Not charged: the service rejected this job.");
    await waitFor(async () => expect(await prompt()).toHaveAccessibleDescription(/The prompt is malformed/));
    await user.type(await prompt(), " again");
    expect(await prompt()).not.toHaveAccessibleDescription(/malformed/);

    // M8: an answer that says neither yes nor no is shown with its words, and Run says what it waits for.
    await write(user, await prompt(), "gateway:before");
    await ready();
    await user.click(button());
    expect(await screen.findByText(/The response was 502: Bad Gateway\. It may come from a gateway/)).toBeVisible();
    expect(screen.getByText(/You may have been charged\./)).toBeVisible();
    expect(screen.getByText(/^Waiting for the last run to be confirmed \(about/)).toBeVisible();
    expect(button()).toHaveAttribute("aria-disabled", "true");
    await user.type(await prompt(), " and other words");
    await user.click(button());
    expect(sandbox.sandbox.inspect().jobs).toHaveLength(0);
    expect(screen.queryByText(/Not charged/)).not.toBeInTheDocument();
  });
});

/**
 * How long a person rests is no matter of how slow the machine is: nobody rests for two seconds, and for the shorter time
 * only where `ofTyping` lets them.
 */
function holdRests() {
  const rests = { ofTyping: 300 };
  const { setTimeout } = globalThis;
  const restMs = (ms?: number) => (ms === 2000 ? 3_600_000 : ms === 300 ? rests.ofTyping : ms);
  vi.stubGlobal("setTimeout", (act: () => void, ms?: number) => setTimeout(act, restMs(ms)));
  onTestFinished(() => void vi.unstubAllGlobals());
  return rests;
}

it("the price is asked for a few times while nine words are written, at once for what moves it, and before the run", async () => {
  const rests = holdRests();
  const { user, sandbox } = await visitCreate("/create/lumen-2");
  // With a real service it says that the organization shares its balance: test/quirks/main-story.ts.
  expect(await screen.findAllByText("Prices in the sandbox are examples. You pay nothing.")).toHaveLength(1);
  const asked = () => sandbox.sandbox.inspect().requests.filter(({ path }) => path.endsWith("/estimate")).length;
  await user.type(await prompt(), "A ");
  await ready();
  const first = asked();
  rests.ofTyping = 3_600_000;
  await user.type(await prompt(), "lamp");
  expect(asked()).toBe(first);
  rests.ofTyping = 300;
  for (const word of "in the fog above a quiet harbour".split(" ")) {
    await user.paste(` ${word}`);
    await ready();
  }
  expect(asked()).toBeLessThan(5);
  const price = button().textContent;
  await user.click(screen.getByRole("radio", { name: "2" }));
  await screen.findByText(/^2 images × /);
  expect(button().textContent).not.toBe(price);
  await user.type(await prompt(), "in winter");
  await ready();
  const before = asked();
  expect(screen.getByText("Estimated price")).toBeVisible();
  await user.click(button());
  await until(() => expect(sandbox.sandbox.inspect().jobs).toHaveLength(1));
  expect(asked()).toBeGreaterThan(before);
});

it("shows the words of a firewall's page, and does not say that nothing was charged", async () => {
  const { user, sandbox } = await visitCreate("/create/lumen-2", { quirks: ["error-html"] });
  await write(user, await prompt(), "error:provider");
  await ready();
  await user.click(button());
  expect(await screen.findByText(/The response was 400: .* It may come from a gateway/)).toBeVisible();
  expect(screen.getByText(/You may have been charged\./)).toBeVisible();
  expect(screen.queryByText(/Not charged/)).not.toBeInTheDocument();
  expect(sandbox.sandbox.inspect().jobs).toHaveLength(0);
});

describe("a key that is held", () => {
  const jobs = (sandbox: Awaited<ReturnType<typeof visitCreate>>["sandbox"]) => sandbox.sandbox.inspect().jobs;

  it("presses Run once, and nothing else that has the focus by then", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-fast");
    await write(user, await prompt(), "A lamp");
    await ready();
    button().focus();
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: "A lamp, Done" });
    await ready();
    // A browser presses a button with each repetition of Enter that nobody prevents.
    const repeatEnter = () => [...Array(15)].map(() => fireEvent.keyDown(focused(), { key: "Enter", repeat: true }));
    const focused = () => document.activeElement ?? document.body;
    expect(focused()).toBe(button());
    expect(new Set(repeatEnter())).toEqual(new Set([false]));
    screen.getByRole("link", { name: "Price table" }).focus();
    expect(new Set(repeatEnter())).toEqual(new Set([false]));
    // In a text it makes lines.
    (await prompt()).focus();
    expect(new Set(repeatEnter())).toEqual(new Set([true]));
    expect(jobs(sandbox)).toHaveLength(1);
    button().focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(jobs(sandbox)).toHaveLength(2));
  });

  it("in a field never runs; a seed is redrawn after an accepted run, unless it is locked", async () => {
    const { user, sandbox } = await visitCreate("/create/grainfield");
    await write(user, await prompt(), "Moss garden");
    await user.type(await seed(), "7{Enter>15/}");
    // What a browser does at Enter where a form has one field of one line.
    for (let times = 0; times < 14; times += 1) (await seed()).form?.requestSubmit();
    await ready();
    await user.type(await seed(), "{Enter}");
    (await seed()).form?.requestSubmit();
    expect(button()).not.toHaveAttribute("aria-disabled");
    expect(jobs(sandbox)).toHaveLength(0);
    await user.click(button());
    await waitFor(async () => expect(await seed()).not.toHaveValue("7"));
    expect(jobs(sandbox)).toHaveLength(1);
    expect(rememberedPrompts()[0]).toBe("Moss garden");
    const drawn = (await seed()).value;
    await user.click(screen.getByRole("button", { name: "Lock" }));
    await ready();
    await user.click(button());
    await until(() => expect(jobs(sandbox)).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText("Checking the price")).not.toBeInTheDocument());
    expect(await seed()).toHaveValue(drawn);
  });
});

describe("how the parameters were read", () => {
  it("is shown below the form; a corrected role changes it and stays", async () => {
    const { user } = await visitCreate("/create/dead-pixel");
    await write(user, await prompt(), "https://a.example/1.png");
    await user.click(
      await screen.findByRole("button", { name: "Field mapping (advanced): 1 field from a list of parameters" }),
    );
    await user.selectOptions(await screen.findByLabelText("Prompt role"), "Image");
    const input = await screen.findByRole("group", { name: "Prompt" });
    expect(within(input).getByRole("textbox", { name: "Prompt" })).toHaveValue("https://a.example/1.png");
    expect(localStorage.getItem("safelight.roles")).toContain("dead-pixel");
  });
});

// The comparison opens also where the history shows a page that holds neither job.
it("who opens another screen right after Run is not called back, and who turns back finds the run", async () => {
  const { user, router, path } = await visitCreate("/create/lumen-2");
  await write(user, await prompt(), "A lamp in the fog");
  await ready();
  await user.click(button());
  // The way to the other screen takes until there is a frame.
  const frames: FrameRequestCallback[] = [];
  const waiting = vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
  onTestFinished(() => waiting.mockRestore());
  void router.navigate({ to: "/spend" });
  await until(() => expect(within(screen.getByRole("region", { name: "Queue" })).getByText("Done")).toBeVisible());
  expect(path()).toMatch(/^\/spend/);
  waiting.mockRestore();
  await act(() => router.navigate({ to: "/create/$modelId", params: { modelId: "lumen-2" } }));
  await waitFor(() => expect(path()).toMatch(/^\/create\/lumen-2\?job=/));
  expect(await screen.findByText("Charged $0.035")).toBeVisible();
});

it("a result is compared with the run before it by its key", async () => {
  onTestFinished(giveLayout());
  const run = (api: Api, words: string) => api.submit({ model: "lumen-2-fast", payload: { prompt: words } });
  const { user, router, sandbox } = await visitCreate("/create/lumen-2-fast", {
    makeJobs: async ({ api }) => [await run(api, "Moss")],
  });
  await screen.findByRole("link", { name: "Edit and run again" });
  // There is nothing to compare the first one with.
  expect(screen.queryByRole("link", { name: "Compare" })).not.toBeInTheDocument();
  sandbox.pass(60);
  const { requestId } = await run(sandbox.api, "Fern");
  await importOneJob(sandbox.api, getConnection()?.accountId ?? "", requestId);
  await user.click(await screen.findByRole("button", { name: "Fern, Done" }));
  await screen.findByRole("link", { name: "Compare" });
  screen.getByRole("link", { name: "Edit and run again" }).focus();
  await user.keyboard("m");
  const names = ["Moss", "Fern"];
  const shown = async () => {
    const dialog = await screen.findByRole("dialog", { name: /^Compare/ });
    for (const name of names) expect(dialog).toHaveTextContent(name);
  };
  await shown();
  const { compare } = router.state.location.search as { compare: string };
  await router.navigate({ to: "/history", search: { status: "failed", compare } });
  await shown();
});

// Spec 3: the submit answers 404, which names the model; nothing is charged.
describe("a model that is inactive", () => {
  const notice = () => screen.queryByText("This model may be inactive");

  it("is marked after a run, offers others of its kind, and opens one with the same words", async () => {
    onTestFinished(giveLayout({ height: 600 }));
    const { user, sandbox } = await visitCreate("/create/lumen-1");
    await write(user, await prompt(), "A lamp");
    await waitFor(() => expect(button()).not.toHaveAttribute("aria-disabled"));
    await user.click(button());
    expect(await screen.findByText(/The service reported it inactive on .*\. You can still run it/)).toBeVisible();
    expect(notice()).toBeVisible();
    expect(sandbox.sandbox.inspect().jobs).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: /^Model:/ }));
    const picker = await screen.findByRole("dialog", { name: "Choose model" });
    await user.click(within(picker).getByRole("searchbox", { name: "Search models" }));
    await user.paste("lumen-1");
    expect(await within(picker).findByText("Inactive")).toBeVisible();
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Use lumen-2" }));
    await screen.findByRole("button", { name: /Model: lumen-2 / });
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("A lamp"));
    expect(notice()).toBeNull();
  });
});

describe("a press of Run that waits for its price", () => {
  /** The service holds its answer until the test gives it. */
  function press(payload: JsonRecord) {
    const answers: { tell: (priceMicroUsd: number) => void; refuse: (error: Error) => void }[] = [];
    const nowhere = createApi(withKey({ queueBaseUrl: "http://a.test", inferenceBaseUrl: "http://a.test", key: "k" }));
    const estimate: Api["estimate"] = ({ model }) =>
      new Promise((resolve, refuse) => {
        answers.push({ tell: (priceMicroUsd) => resolve({ model, priceMicroUsd }), refuse });
      });
    const client = { connection: null, api: { ...nowhere, estimate }, queryClient: createQueryClient(), calls: [] };
    const onPriced = vi.fn();
    const hook = renderHook(
      (props: { payload: JsonRecord | undefined }) => useRunWhenPriced({ ...props, modelId: "m", onPriced }),
      {
        initialProps: { payload } as { payload: JsonRecord | undefined },
        wrapper: ({ children }) => (
          <ClientContext.Provider value={client}>
            <QueryClientProvider client={client.queryClient}>{children}</QueryClientProvider>
          </ClientContext.Provider>
        ),
      },
    );
    act(() => void hook.result.current.waitForPrice(payload));
    const answer = (act1: (one: (typeof answers)[number]) => void) =>
      act(async () => {
        for (const one of answers) act1(one);
        await client.queryClient
          .getQueryCache()
          .getAll()[0]
          ?.promise?.catch(() => undefined);
      });
    const tell = (priceMicroUsd = 140_000) => answer((one) => one.tell(priceMicroUsd));
    return { ...hook, onPriced, tell, refuse: (error: Error) => answer((one) => one.refuse(error)) };
  }

  it("submits the payload of the press once, at the price that came", async () => {
    const payload = { prompt: "A lamp", n: 4 };
    const { result, rerender, onPriced, tell } = press(payload);
    expect(result.current.isWaiting).toBe(true);
    await tell();
    rerender({ payload: { ...payload } });
    expect(onPriced.mock.calls).toEqual([[payload, 140_000]]);
    expect(result.current).toMatchObject({ isWaiting: false, note: undefined });
  });

  it("is cancelled by a change, which is said, and never submitted afterwards", async () => {
    const { result, rerender, onPriced, tell } = press({ prompt: "A lamp" });
    rerender({ payload: { prompt: "A lamp at night" } });
    expect(result.current).toMatchObject({ isWaiting: false, note: expect.stringContaining("The form changed") });
    rerender({ payload: { prompt: "A lamp" } });
    await tell();
    expect(onPriced).not.toHaveBeenCalled();
  });

  it("is cancelled where the form can no longer be run", async () => {
    const { result, rerender, onPriced, tell } = press({ prompt: "A lamp" });
    rerender({ payload: undefined });
    rerender({ payload: { prompt: "A lamp" } });
    await tell();
    expect(result.current.isWaiting).toBe(false);
    expect(onPriced).not.toHaveBeenCalled();
  });

  it("is cancelled by Escape", async () => {
    const { result, onPriced, tell } = press({ prompt: "A lamp" });
    act(() => void document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true })));
    expect(result.current.note).toBe("Run cancelled. Nothing was submitted.");
    await tell();
    expect(onPriced).not.toHaveBeenCalled();
  });

  it("is not submitted after the form was left", async () => {
    const { unmount, onPriced, tell } = press({ prompt: "A lamp" });
    unmount();
    await tell();
    expect(onPriced).not.toHaveBeenCalled();
  });

  it("ends where no price can be told, and does not come back with a later one", async () => {
    const { result, onPriced, refuse } = press({ prompt: "A lamp" });
    await refuse(new RefusedError({ status: 400, message: "no" }));
    expect(result.current).toMatchObject({ isWaiting: false, note: expect.stringContaining("Nothing was submitted") });
    expect(onPriced).not.toHaveBeenCalled();
  });

  it("does not take a change of the order of keys for a change", async () => {
    const { rerender, onPriced, tell } = press({ prompt: "A lamp", n: 2 });
    rerender({ payload: { n: 2, prompt: "A lamp" } });
    await tell();
    expect(onPriced).toHaveBeenCalledTimes(1);
  });
});
