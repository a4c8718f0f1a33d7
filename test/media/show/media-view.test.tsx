import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job, MediaItem } from "#api/types.ts";
import { MediaView, mediaAspect } from "#media/show/media-view.tsx";
import { openSandboxMedia } from "../sandbox-media.ts";

let sandbox: ReturnType<typeof openSandboxMedia>;
let job: Job;
beforeEach(async () => {
  sandbox = openSandboxMedia();
  job = await sandbox.imageJob();
});
afterEach(() => sandbox.close());

const DAY = 86_400;
const item = (over: Partial<MediaItem> = {}): MediaItem => ({ ...(job.media[0] as MediaItem), ...over });
const lost = () => item({ url: item().url.replace(/-0\.png$/, "-7.png") });

describe("a file in its box", () => {
  it("has its size while it loads, and then shows the file", () => {
    const { container } = render(<MediaView item={item({ width: 1600, height: 900 })} alt="A lamp" />);
    const box = container.firstElementChild as HTMLElement;
    expect(box).toHaveAttribute("data-phase", "loading");
    fireEvent.load(screen.getByRole("img", { name: "A lamp" }));
    expect(box).toHaveAttribute("data-phase", "ready");
  });

  it("asks the storage without a referrer", () => {
    render(<MediaView item={item()} alt="A lamp" />);
    expect(screen.getByRole("img")).toHaveAttribute("referrerpolicy", "no-referrer");
  });

  it.each([
    ["is deleted on request", () => ({ item: item(), isDeleted: true }), "Files deleted"],
    [
      "is over its 60 days (spec 8)",
      () => ({ item: lost(), createdAtSeconds: Date.now() / 1000 - 61 * DAY }),
      "Expired",
    ],
    ["is not there", () => ({ item: lost(), createdAtSeconds: Date.now() / 1000 }), "File not found"],
    ["is there and cannot be shown", () => ({ item: item() }), "Cannot be shown"],
    ["cannot be reached", () => ({ item: item({ url: "https://storage.invalid/a.png" }) }), "Could not be loaded"],
    ["has an address that is none", () => ({ item: item({ url: "javascript:alert(1)" }) }), "Not loaded"],
  ])("says so when it %s", async (_, props, words) => {
    render(<MediaView alt="A lamp" {...props()} />);
    const picture = screen.queryByRole("img", { name: "A lamp" });
    if (picture) fireEvent.error(picture);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole("img", { name: "A lamp" })).not.toBeInTheDocument();
  });

  it("loads again on request", async () => {
    render(<MediaView item={item()} alt="A lamp" />);
    fireEvent.error(screen.getByRole("img"));
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    expect(screen.getByRole("img", { name: "A lamp" })).toBeInTheDocument();
  });

  it("gives video and audio their name, and no controls of the browser", () => {
    render(<MediaView item={item({ kind: "video", url: "https://storage.invalid/a.mp4" })} alt="A clip" />);
    render(<MediaView item={item({ kind: "audio", url: "https://storage.invalid/a.wav" })} alt="A voice" />);
    for (const name of ["A clip", "A voice"]) expect(screen.getByLabelText(name)).not.toHaveAttribute("controls");
  });
});

describe("the shape of the box", () => {
  it.each([
    [{ kind: "image", width: 800, height: 400 }, undefined, 2],
    [{ kind: "image" }, { width: 512, height: 1024 }, 0.5],
    [{ kind: "image" }, { size: "1024x1536" }, 1024 / 1536],
    [{ kind: "video" }, { aspect_ratio: "9:16" }, 9 / 16],
    [{ kind: "video" }, { resolution: "720p" }, 16 / 9],
    [{ kind: "image" }, { size: "0x0" }, 1],
    [{ kind: "image", width: 10_000, height: 1 }, undefined, 5],
    [{ kind: "audio", width: 1, height: 9 }, undefined, 16 / 5],
  ] as const)("%j with %j is %d", (file, payload, aspect) => {
    expect(mediaAspect(file, payload)).toBeCloseTo(aspect);
  });
});
