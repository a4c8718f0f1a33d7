import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readMedia } from "#api/media.ts";
import type { MediaItem } from "#api/types.ts";
import { connect } from "#connection/connection-store.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { MediaView } from "#media/show/media-view.tsx";
import { MediaInputPreview } from "#media/upload/media-input-preview.tsx";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const address = (host: string) => `https://${host}/a.png`;
const sources = () => [...document.querySelectorAll("img, video, audio")].map((element) => element.getAttribute("src"));
const outcomeItem = (url: string): MediaItem => readMedia({ media_urls: [{ url, type: "image" }] })[0] as MediaItem;
const foreignItem = (url: string): MediaItem => ({ ...outcomeItem(url), isElsewhere: true });

// H1, H15
describe("media of a host that the service has not named", () => {
  it("are not loaded before a click that names the host", async () => {
    render(<MediaView item={foreignItem(address("evil.example"))} alt="A lamp" />);
    expect(sources()).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Load from evil.example" }));
    expect(sources()).toEqual([address("evil.example")]);
  });

  it("are not loaded in a list, nor as a poster, nor as a preview of an input", async () => {
    const clip: MediaItem = {
      ...foreignItem(address("evil-2.example")),
      kind: "video",
      posterUrl: address("evil-3.example"),
    };
    render(
      <>
        <MediaThumb item={clip} alt="" />
        <MediaView item={clip} alt="A clip" />
        <MediaInputPreview address={address("evil-4.example")} kind="image" />
        <MediaInputPreview address="https://evil-4.example/a.mp4" kind="video" />
      </>,
    );
    expect(sources()).toEqual([]);
    expect(document.querySelector("[poster]")).toBeNull();
    await userEvent.click(
      screen.getAllByRole("button", { name: "Load the preview from evil-4.example" })[0] as Element,
    );
    expect(sources()).toEqual([address("evil-4.example"), "https://evil-4.example/a.mp4"]);
  });

  it("show the host as a browser sends it", () => {
    render(<MediaView item={foreignItem("https://bank.example@\u0435vil.example/a.png")} alt="" />);
    expect(screen.queryByText(/bank/)).toBeNull();
  });
});

describe("media that the service's own answers name", () => {
  it("load at once, and so does what else lies at their host, also after a reload", async () => {
    await connect({
      queueBaseUrl: "https://q.example",
      inferenceBaseUrl: "https://q.example",
      key: "canary-1111-2222-3333",
    });
    const { unmount } = render(<MediaView item={outcomeItem(address("cdn.example"))} alt="" />);
    expect(sources()).toEqual([address("cdn.example")]);
    unmount();
    render(<MediaInputPreview address={address("cdn.example")} kind="image" />);
    expect(sources()).toEqual([address("cdn.example")]);
    vi.resetModules();
    expect(JSON.stringify(localStorage)).toContain("cdn.example");
  });

  it.each([
    [{ error: "https://evil.example/a.png" }, true],
    [{ message: { url: "https://evil.example/a.png" } }, true],
    [{ payload: { image_url: "https://evil.example/a.png" } }, true],
    [{ input: ["https://evil.example/a.png"] }, true],
    [{ prompt: "https://evil.example/a.png" }, true],
    [{ images: [{ url: "https://cdn.example/a.png" }] }, false],
    [{ media_urls: ["https://cdn.example/a.png"] }, false],
    [{ video_url: "https://cdn.example/a.mp4" }, false],
    [{ output: "https://cdn.example/a.png" }, false],
  ])("%j is such a file unless it repeats an input or speaks: held %s", (outcome, isHeld) => {
    expect(readMedia(outcome).map(({ isElsewhere }) => isElsewhere === true)).toEqual([isHeld]);
  });
});
