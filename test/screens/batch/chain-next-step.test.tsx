import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { isAgreed } from "#jobs/stored-batches.ts";
import { ClipError } from "#media/clips/clip-error.ts";
import { readLastFrame } from "#media/clips/read-frame.ts";
import { NextStepDialog } from "#screens/batch/chain/next-step-dialog.tsx";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { openSandboxPage } from "../../media/sandbox-page.ts";
import { type ChainRun, openChain } from "./chain-story.tsx";

// jsdom has no decoder: what takes a frame out of a clip is a story in Chromium.
vi.mock("#media/clips/read-frame.ts", () => ({ readLastFrame: vi.fn() }));

const sandbox = openSandboxPage();
const onClose = vi.fn();

beforeEach(() => {
  onClose.mockClear();
  vi.mocked(readLastFrame).mockReset();
});

async function still(prompt: string): Promise<ChainRun> {
  const request = { model: "lumen-2", payload: { prompt } };
  return { request, job: await sandbox().api.submit(request) };
}

/** A clip once so many seconds have passed. */
async function clip(prompt: string, seconds = 600): Promise<ChainRun> {
  const { api, pass } = sandbox();
  const request = { model: "halide-turbo", payload: { prompt, mode: "std" } };
  const { requestId } = await api.submit(request);
  pass(seconds);
  return { request, job: await api.getJob(requestId) };
}

const openDialog = (runs: readonly ChainRun[]) =>
  openChain(runs, (items) => <NextStepDialog items={items.slice(0, runs.length)} onClose={onClose} />);

type Story = Awaited<ReturnType<typeof openDialog>>;

/** The rows of the batch once there are so many. */
async function rowsOf({ batch }: Story, count: number) {
  await waitFor(async () => expect((await batch()).items).toHaveLength(count));
  return (await batch()).items;
}

const requests = (route: string) =>
  sandbox()
    .sandbox.inspect()
    .requests.filter((one) => one.route === route);

async function chooseModel({ user }: Story, id: string) {
  const box = await screen.findByRole("combobox", { name: "Model" });
  await waitFor(() => expect(screen.queryByText("Loading models")).toBeNull());
  await user.clear(box);
  await user.type(box, id);
  await user.click(await screen.findByRole("option", { name: new RegExp(`^${id}`) }));
}

test("stills become clips: the exact total is there before, nothing is sent, and each row knows its source", async () => {
  const story = await openDialog([await still("A lamp"), await still("A tram"), await still("A pier")]);
  const sent = requests("submit").length;
  const dialog = await screen.findByRole("dialog", { name: "Next step for 3 results" });
  expect(within(dialog).getByRole("radio", { name: "Animate" })).toBeChecked();
  await chooseModel(story, "tidewater-frames");
  expect(within(dialog).getByRole("combobox", { name: "The image goes into" })).toHaveDisplayValue("First frame");
  await story.user.click(within(dialog).getByRole("checkbox", { name: "Run 2" }));

  const payload = { prompt: "A lamp", first_frame: "https://example.com/a.png" };
  const { priceMicroUsd } = await sandbox().api.estimate({ model: "tidewater-frames", payload });
  const total = `$${((2 * priceMicroUsd) / 1e6).toFixed(2)}`;
  expect(await within(dialog).findByText(`2 runs, ${total}`)).toBeVisible();
  await story.user.click(within(dialog).getByRole("button", { name: "Add to batch" }));

  const [first, , third, ...drafts] = await rowsOf(story, 5);
  expect((await story.batch()).groups.at(-1)).toMatchObject({ name: "Step 2: Animate", kind: "step" });
  expect(drafts.map(({ request, source }) => [request.model, request.payload.prompt, source])).toEqual([
    ["tidewater-frames", "A lamp", { itemId: first?.id, use: "file" }],
    ["tidewater-frames", "A pier", { itemId: third?.id, use: "file" }],
  ]);
  expect(drafts.every(({ request }) => /^https?:/.test(String(request.payload.first_frame)))).toBe(true);
  expect(drafts.some(isAgreed)).toBe(false);
  expect(requests("submit")).toHaveLength(sent);
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(story.path()).toBe("/batch/chain"));
});

test("two stills can be the start and the end of one clip", async () => {
  const story = await openDialog([await still("A lamp"), await still("A tram")]);
  await chooseModel(story, "tidewater-frames");
  await story.user.click(await screen.findByRole("radio", { name: "Start and end of one run" }));
  expect(await screen.findByText(/^1 run, \$/)).toBeVisible();
  await story.user.click(screen.getByRole("button", { name: "Add to batch" }));
  const [, , made] = await rowsOf(story, 3);
  const { payload } = made?.request ?? {};
  expect(payload?.first_frame).not.toBe(payload?.last_frame);
  expect(payload?.last_frame).toMatch(/^https?:/);
});

test("one prompt for all takes the place of each run's own", async () => {
  const story = await openDialog([await still("A lamp"), await still("A tram")]);
  await chooseModel(story, "tidewater-frames");
  await story.user.click(await screen.findByRole("switch", { name: "Use each run’s prompt" }));
  const prompt = await screen.findByRole("textbox", { name: /^Prompt/ });
  expect(prompt).toHaveValue("A lamp");
  await story.user.clear(prompt);
  await story.user.type(prompt, "Slow pan");
  expect(await screen.findByText(/^2 runs, \$/)).toBeVisible();
  await story.user.click(screen.getByRole("button", { name: "Add to batch" }));
  const rows = await rowsOf(story, 4);
  expect(rows.slice(2).map(({ request }) => request.payload.prompt)).toEqual(["Slow pan", "Slow pan"]);
});

test("a clip goes on from its last frame, which is stored first", async () => {
  vi.mocked(readLastFrame).mockResolvedValue(new Blob([PNG_BYTES], { type: "image/png" }));
  const run = await clip("Waves");
  const story = await openDialog([run]);
  expect(await screen.findByRole("radio", { name: "Continue from last frame" })).toBeChecked();
  await chooseModel(story, "tidewater-frames");
  expect(await screen.findByText(/^1 run, \$/)).toBeVisible();
  expect(screen.getByText("Nothing runs yet. The price is checked again before it runs.")).toBeVisible();
  expect(requests("upload-url")).toEqual([]);
  await story.user.click(screen.getByRole("button", { name: "Add to batch" }));
  const [source, draft] = await rowsOf(story, 2);
  expect(draft?.source).toEqual({ itemId: source?.id, use: "last-frame" });
  expect(draft?.request.payload.first_frame).toMatch(/^https?:.*\.png$/);
  expect(draft?.request.payload.first_frame).not.toBe(run.job.media[0]?.url);
});

test("a clip that cannot be read is named, and the others can be added without it", async () => {
  vi.mocked(readLastFrame)
    .mockRejectedValueOnce(new ClipError("The browser could not read this video."))
    .mockResolvedValue(new Blob([PNG_BYTES], { type: "image/png" }));
  const story = await openDialog([await clip("Waves"), await clip("Boats")]);
  await chooseModel(story, "tidewater-frames");
  expect(await screen.findByText(/^2 runs, \$/)).toBeVisible();
  await story.user.click(screen.getByRole("button", { name: "Add to batch" }));
  const notice = await screen.findByRole("alert");
  expect(notice).toHaveTextContent("1 result cannot be used");
  expect(notice).toHaveTextContent("Run 1: The browser could not read this video.");
  expect(notice).toHaveTextContent("Nothing was added, and nothing was charged.");
  expect((await story.batch()).items).toHaveLength(2);
  await story.user.click(within(notice).getByRole("button", { name: "Add the other run" }));
  const [, , added] = await rowsOf(story, 3);
  expect(added?.request.payload.prompt).toBe("Boats");
});

test("runs without a result leave nothing to go on from", async () => {
  await openDialog([await clip("Waves", 0)]);
  expect(await screen.findByText("No result to go on from")).toBeVisible();
  expect(screen.getByText("Left out: 1 run has no result yet.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Add to batch" })).toHaveAttribute("aria-disabled", "true");
});
