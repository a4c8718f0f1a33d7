import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { JoinClipsDialog } from "#batch/chain/join-clips-dialog.tsx";
import { NextStepDialog } from "#batch/chain/next-step-dialog.tsx";
import { ClipError } from "#media/clips/clip-error.ts";
import { joinClips } from "#media/clips/join-clips.ts";
import { readLastFrame } from "#media/clips/read-frame.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { readMedia } from "#media/fetch-media.ts";
import { MediaError } from "#media/media-failure.ts";
import { isAgreed } from "#storage/stored-batches.ts";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { openSandboxPage } from "../../media/sandbox-page.ts";
import { type ChainRun, openChain } from "./chain-story.tsx";

// Prices and lists are asked for two a second, which is a rule of its own: here nobody waits for it.
vi.mock("#runs/poll/poll-control.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("#runs/poll/poll-control.ts")>();
  const sendPaced = <T,>(ask: () => Promise<T>) => ask();
  const getPollControl: typeof real.getPollControl = (api) => Object.assign(real.getPollControl(api), { sendPaced });
  return { ...real, getPollControl };
});

// jsdom has no decoder. What takes a frame out of a clip is a story in Chromium, and what joins clips is tested in Node, too:
// here it is what a person does and reads.
vi.mock("#media/clips/read-frame.ts", () => ({ readLastFrame: vi.fn() }));
vi.mock("#media/clips/join-clips.ts", () => ({ joinClips: vi.fn() }));
vi.mock("#media/fetch-media.ts", async (original) => ({
  ...(await original<typeof import("#media/fetch-media.ts")>()),
  readMedia: vi.fn(),
}));
vi.mock("#media/download/download-media.ts", async (original) => ({
  ...(await original<typeof import("#media/download/download-media.ts")>()),
  saveBlob: vi.fn(),
}));

const sandbox = openSandboxPage();
const onClose = vi.fn();
const JOINED = { blob: new Blob(["mp4"], { type: "video/mp4" }), seconds: 9, notes: ["The sound is left out."] };

beforeEach(() => {
  onClose.mockClear();
  vi.mocked(readLastFrame).mockReset();
  vi.mocked(readMedia)
    .mockReset()
    .mockResolvedValue(new Blob(["clip"]));
  vi.mocked(joinClips).mockReset().mockResolvedValue(JOINED);
  vi.mocked(saveBlob).mockReset();
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

describe("a next step", () => {
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
    await waitFor(() => expect(screen.queryByText("Loading models…")).toBeNull());
    await user.clear(box);
    await user.paste(id);
    await user.click(await screen.findByRole("option", { name: new RegExp(`^${id}`) }));
  }

  test("makes clips of stills: the exact total is there before, nothing is sent, and each row knows its source", async () => {
    const story = await openDialog([await still("A lamp"), await still("A tram"), await still("A pier")]);
    const sent = requests("submit").length;
    const dialog = await screen.findByRole("dialog", { name: "Next step for 3 results" });
    expect(within(dialog).getByRole("radio", { name: "Animate" })).toBeChecked();
    await chooseModel(story, "tidewater-frames");
    expect(within(dialog).getByRole("combobox", { name: "Use image as" })).toHaveDisplayValue("First frame");
    await story.user.click(within(dialog).getByRole("checkbox", { name: "Run 2" }));

    const payload = { prompt: "A lamp", first_frame: "https://example.com/a.png" };
    const { priceMicroUsd } = await sandbox().api.estimate({ model: "tidewater-frames", payload });
    const total = `$${((2 * priceMicroUsd) / 1e6).toFixed(2)}`;
    expect(await within(dialog).findByText(`2 runs, ${total}`)).toBeVisible();
    await story.user.click(within(dialog).getByRole("button", { name: "Add step" }));

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

  test("has one prompt for all in the place of each run's own, and two stills as the start and end of one clip", async () => {
    const story = await openDialog([await still("A lamp"), await still("A tram")]);
    await chooseModel(story, "tidewater-frames");
    await story.user.click(await screen.findByRole("switch", { name: "Use each run’s prompt" }));
    const prompt = await screen.findByRole("textbox", { name: /^Prompt/ });
    expect(prompt).toHaveValue("A lamp");
    await story.user.clear(prompt);
    await story.user.paste("Slow pan");
    expect(await screen.findByText(/^2 runs, \$/)).toBeVisible();
    await story.user.click(screen.getByRole("radio", { name: "One run with first and last frame" }));
    expect(await screen.findByText(/^1 run, \$/)).toBeVisible();
    await story.user.click(screen.getByRole("button", { name: "Add step" }));
    const [, , made] = await rowsOf(story, 3);
    const { payload } = made?.request ?? {};
    expect(payload?.prompt).toBe("Slow pan");
    expect(payload?.first_frame).toMatch(/^https?:/);
    expect(payload?.first_frame).not.toBe(payload?.last_frame);
    expect(payload?.last_frame).toMatch(/^https?:/);
  });

  test("goes on from the last frame of a clip, stored first; one that cannot be read is named, and left out", async () => {
    vi.mocked(readLastFrame)
      .mockRejectedValueOnce(new ClipError("The browser could not read this video."))
      .mockResolvedValue(new Blob([PNG_BYTES], { type: "image/png" }));
    const boats = await clip("Boats");
    const story = await openDialog([await clip("Waves"), boats]);
    expect(await screen.findByRole("radio", { name: "Continue from last frame" })).toBeChecked();
    await chooseModel(story, "tidewater-frames");
    expect(await screen.findByText(/^2 runs, \$/)).toBeVisible();
    expect(screen.getByText("Nothing runs yet. The price is confirmed before the run.")).toBeVisible();
    expect(requests("upload-url")).toEqual([]);
    await story.user.click(screen.getByRole("button", { name: "Add step" }));
    const notice = await screen.findByRole("alert");
    expect(notice).toHaveTextContent("1 result can’t be used");
    expect(notice).toHaveTextContent("Run 1: The browser could not read this video.");
    expect(notice).toHaveTextContent("Nothing was added.");
    expect((await story.batch()).items).toHaveLength(2);
    await story.user.click(within(notice).getByRole("button", { name: "Add 1 remaining run" }));
    const [, source, added] = await rowsOf(story, 3);
    expect(added?.request.payload.prompt).toBe("Boats");
    expect(added?.source).toEqual({ itemId: source?.id, use: "last-frame" });
    expect(added?.request.payload.first_frame).toMatch(/^https?:.*\.png$/);
    expect(added?.request.payload.first_frame).not.toBe(boats.job.media[0]?.url);
  });

  test("has nothing to go on from where runs have no result", async () => {
    await openDialog([await clip("Waves", 0)]);
    expect(await screen.findByText("No usable results")).toBeVisible();
    expect(screen.getByText("Excluded: 1 run has no result yet.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Add step" })).toHaveAttribute("aria-disabled", "true");
  });
});

describe("clips that are joined", () => {
  const openDialog = (runs: readonly ChainRun[]) =>
    openChain(runs, (items) => <JoinClipsDialog items={items} onClose={() => {}} />);
  const rows = () => within(screen.getByRole("list", { name: "Videos" })).getAllByRole("listitem");
  const order = () => rows().map((row) => /Run \d/.exec(row.textContent ?? "")?.[0]);
  const join = () => screen.findByRole("button", { name: "Join and download" });

  test("are moved by buttons and keys, and saved in that order; what is no clip is named, and one alone is not joined", async () => {
    const { user } = await openDialog([
      await clip("One"),
      await clip("Two"),
      await clip("Three"),
      await still("A lamp"),
    ]);
    expect(await screen.findByText("Excluded: 1 result is not a video.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Move Run 3 up" }));
    expect(order()).toEqual(["Run 1", "Run 3", "Run 2"]);
    expect(screen.getByRole("button", { name: "Move Run 3 up" })).toHaveFocus();
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(order()).toEqual(["Run 3", "Run 1", "Run 2"]);
    // At the top only the way back is left.
    expect(screen.getByRole("button", { name: "Move Run 3 down" })).toHaveFocus();
    await user.click(await join());
    expect(await screen.findByText("Saved as Harbour joined.mp4")).toBeVisible();
    expect(screen.getByText("0:09, 3 bytes. The sound is left out.")).toBeVisible();
    expect(vi.mocked(joinClips).mock.lastCall?.[0].map(({ name }) => name)).toEqual(["Run 3", "Run 1", "Run 2"]);
    expect(saveBlob).toHaveBeenCalledExactlyOnceWith(JOINED.blob, "Harbour joined.mp4");

    for (const name of ["Run 1", "Run 3"]) await user.click(screen.getByRole("button", { name: `Remove ${name}` }));
    expect(order()).toEqual(["Run 2"]);
    expect(screen.getByText("Select at least 2 videos.")).toBeVisible();
    await user.click(await join());
    expect(joinClips).toHaveBeenCalledOnce();
  });

  test("say which of them could not be read, why the browser cannot join them, and how far it is until Cancel", async () => {
    vi.mocked(readMedia)
      .mockResolvedValueOnce(new Blob(["clip"]))
      .mockRejectedValueOnce(new MediaError("gone", 404));
    const { user } = await openDialog([await clip("One"), await clip("Two")]);
    await user.click(await join());
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Videos not joinedRun 2 couldn’t be loaded. File not found. The file host doesn’t have this file. It may have been deleted elsewhere.",
    );

    vi.mocked(joinClips).mockRejectedValueOnce(
      new ClipError("The videos differ in size, and this browser cannot encode video."),
    );
    await user.click(await join());
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("this browser cannot encode video."));

    let signal: AbortSignal | undefined;
    vi.mocked(joinClips).mockImplementation((_clips, options) => {
      signal = options?.signal;
      options?.onProgress?.(0.42);
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal?.reason)));
    });
    await user.click(await join());
    expect(await screen.findByRole("button", { name: "Joining… 42%" })).toHaveAttribute("aria-busy", "true");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(signal?.aborted).toBe(true);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Join and download" })).not.toHaveAttribute("aria-busy"),
    );
    expect(screen.queryByRole("alert")).toBeNull();
    expect(saveBlob).not.toHaveBeenCalled();
  });
});
