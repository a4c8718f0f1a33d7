import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ClipError } from "#media/clips/clip-error.ts";
import { joinClips } from "#media/clips/join-clips.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { MediaError } from "#media/media-failure.ts";
import { readMedia } from "#media/read-media.ts";
import { JoinClipsDialog } from "#screens/batch/chain/join-clips-dialog.tsx";
import { openSandboxPage } from "../../media/sandbox-page.ts";
import { type ChainRun, openChain } from "./chain-story.tsx";

// What joins clips is tested in Node, and in Chromium: here it is what a person does and reads.
vi.mock("#media/clips/join-clips.ts", () => ({ joinClips: vi.fn() }));
vi.mock("#media/read-media.ts", () => ({ readMedia: vi.fn() }));
vi.mock("#media/download/download-media.ts", async (original) => ({
  ...(await original<typeof import("#media/download/download-media.ts")>()),
  saveBlob: vi.fn(),
}));

const sandbox = openSandboxPage();
const JOINED = { blob: new Blob(["mp4"], { type: "video/mp4" }), seconds: 9, notes: ["The sound is left out."] };

beforeEach(() => {
  vi.mocked(readMedia)
    .mockReset()
    .mockResolvedValue(new Blob(["clip"]));
  vi.mocked(joinClips).mockReset().mockResolvedValue(JOINED);
  vi.mocked(saveBlob).mockReset();
});

async function run(model: string, prompt: string): Promise<ChainRun> {
  const { api, pass } = sandbox();
  const request = { model, payload: model === "halide-turbo" ? { prompt, mode: "std" } : { prompt } };
  const { requestId } = await api.submit(request);
  pass(600);
  return { request, job: await api.getJob(requestId) };
}

const clips = async (...prompts: string[]) => {
  const runs = [];
  for (const prompt of prompts) runs.push(await run("halide-turbo", prompt));
  return runs;
};

const openDialog = (runs: readonly ChainRun[]) =>
  openChain(runs, (items) => <JoinClipsDialog items={items} onClose={() => {}} />);

const rows = () => within(screen.getByRole("list", { name: "Clips" })).getAllByRole("listitem");
const order = () => rows().map((row) => /Run \d/.exec(row.textContent ?? "")?.[0]);
const joinedNames = () => vi.mocked(joinClips).mock.lastCall?.[0].map(({ name }) => name);

test("clips are moved by buttons and keys, and joined in that order", async () => {
  const { user } = await openDialog(await clips("One", "Two", "Three"));
  await user.click(await screen.findByRole("button", { name: "Move Run 3 up" }));
  expect(order()).toEqual(["Run 1", "Run 3", "Run 2"]);
  expect(screen.getByRole("button", { name: "Move Run 3 up" })).toHaveFocus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(order()).toEqual(["Run 3", "Run 1", "Run 2"]);
  // At the top only the way back is left.
  expect(screen.getByRole("button", { name: "Move Run 3 down" })).toHaveFocus();
  await user.click(screen.getByRole("button", { name: "Join and save" }));
  expect(await screen.findByText("Saved as Harbour joined.mp4")).toBeVisible();
  expect(screen.getByText("0:09, 3 bytes. The sound is left out.")).toBeVisible();
  expect(joinedNames()).toEqual(["Run 3", "Run 1", "Run 2"]);
  expect(saveBlob).toHaveBeenCalledExactlyOnceWith(JOINED.blob, "Harbour joined.mp4");
});

test("what is no clip is named, and one clip alone is not joined", async () => {
  const { user } = await openDialog([...(await clips("One", "Two")), await run("lumen-2", "A lamp")]);
  expect(await screen.findByText("Left out: 1 result is not a video.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Leave out Run 1" }));
  expect(order()).toEqual(["Run 2"]);
  expect(screen.getByText("Choose at least 2 clips.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Join and save" }));
  expect(joinClips).not.toHaveBeenCalled();
});

test("says which clip could not be read, and what that costs", async () => {
  vi.mocked(readMedia)
    .mockResolvedValueOnce(new Blob(["clip"]))
    .mockRejectedValueOnce(new MediaError("gone", 404));
  const { user } = await openDialog(await clips("One", "Two"));
  await user.click(await screen.findByRole("button", { name: "Join and save" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "The clips were not joinedRun 2 could not be read. File not found. The storage does not have this file. It may have been deleted elsewhere. Loading a file costs nothing. The charge of the job does not change.",
  );
  expect(saveBlob).not.toHaveBeenCalled();
});

test("says why the browser cannot join clips", async () => {
  vi.mocked(joinClips).mockRejectedValue(
    new ClipError("The clips differ in size, and this browser cannot encode video."),
  );
  const { user } = await openDialog(await clips("One", "Two"));
  await user.click(await screen.findByRole("button", { name: "Join and save" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("this browser cannot encode video.");
});

test("shows how far it is, and Cancel stops it", async () => {
  let signal: AbortSignal | undefined;
  vi.mocked(joinClips).mockImplementation((_clips, options) => {
    signal = options?.signal;
    options?.onProgress?.(0.42);
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal?.reason)));
  });
  const { user } = await openDialog(await clips("One", "Two"));
  await user.click(await screen.findByRole("button", { name: "Join and save" }));
  expect(await screen.findByRole("button", { name: "Joining, 42%" })).toHaveAttribute("aria-busy", "true");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(signal?.aborted).toBe(true);
  await waitFor(() => expect(screen.getByRole("button", { name: "Join and save" })).not.toHaveAttribute("aria-busy"));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(saveBlob).not.toHaveBeenCalled();
});
