import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MediaItem } from "#api/types.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { MediaView } from "#media/show/media-view.tsx";
import { PNG_BYTES } from "../sandbox-media.ts";

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
let answers: Map<string, () => Response>;
let asked: string[];
beforeEach(() => {
  answers = new Map();
  asked = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push(`${new Headers(init.headers).get("range")} ${url}`);
    return answers.get(url)?.() ?? new Response("", { status: 404 });
  });
});
afterEach(() => vi.unstubAllGlobals());

let files = 0;
/** A file of its own for each test: what was looked at is remembered. */
function file(bytes: Uint8Array<ArrayBuffer> | string, over: Partial<MediaItem> = {}): MediaItem {
  files += 1;
  const url = `https://store.example/file-${files}`;
  answers.set(url, () => new Response(bytes, { headers: { "Content-Type": "application/octet-stream" } }));
  return { id: "0", kind: "other", url, ...over };
}

describe("a file of which nothing was said", () => {
  it.each([
    ["picture", PNG_BYTES, () => screen.findByRole("img", { name: "A lamp" })],
    ["clip", latin("\0\0\0\x18ftypisom"), async () => (await screen.findByLabelText("A lamp")).closest("video")],
    ["sound", latin("ID3\x04\0"), async () => (await screen.findByLabelText("A lamp")).closest("audio")],
  ])("is shown as the %s that its first bytes are", async (_, bytes, find) => {
    const item = file(bytes);
    render(<MediaView item={item} alt="A lamp" />);
    expect(await find()).toHaveAttribute("src", item.url);
    expect(asked).toEqual([`bytes=0-1023 ${item.url}`]);
  });

  it("is shown in a list as well, and looked at once for both", async () => {
    const item = file(PNG_BYTES);
    render(<MediaThumb item={item} alt="A thumb" />);
    await screen.findByRole("img", { name: "A thumb" });
    render(<MediaView item={item} alt="A lamp" />);
    expect(screen.getByRole("img", { name: "A lamp" })).toBeInTheDocument();
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["%PDF-1.7", "PDF document"],
    ["glTF\x02\0\0\0", "3D model (GLB)"],
    ["<svg onload='alert(1)'></svg>", "SVG drawing"],
    ["<!doctype html><script>alert(1)</script>", "Web page"],
    ["\0\x01\x02", "Unknown file type"],
  ])("gets a card with the ways to have it: %j", async (bytes, label) => {
    const item = file(latin(bytes));
    const { container } = render(<MediaView item={item} alt="A lamp" />);
    expect(await screen.findByText(label)).toBeVisible();
    expect(screen.getByRole("button", { name: "Download" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", item.url);
    expect(container.querySelector("svg[onload], script, iframe, object, embed")).toBeNull();
  });

  it("shows the beginning of a text as text, with what it hides", async () => {
    const { container } = render(<MediaView item={file('{"caption":"<b>A\u202elamp</b>"}')} alt="" />);
    expect(await screen.findByText(/<b>A⟨U\+202E⟩lamp<\/b>/)).toBeVisible();
    expect(container.querySelector("b")).toBeNull();
  });

  it("is not looked at before it comes into view", async () => {
    const seen: (() => void)[] = [];
    class Observer {
      tell: (entries: { isIntersecting: boolean }[]) => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.tell = tell;
      }
      observe() {
        seen.push(() => this.tell([{ isIntersecting: true }]));
      }
      disconnect() {}
    }
    vi.stubGlobal("IntersectionObserver", Observer);
    render(<MediaView item={file(PNG_BYTES)} alt="A lamp" />);
    expect(asked).toEqual([]);
    for (const tell of seen) tell();
    expect(await screen.findByRole("img", { name: "A lamp" })).toBeInTheDocument();
  });

  it("is not looked at before a click where nobody named its host", async () => {
    const item = file(PNG_BYTES, { url: "https://evil-9.example/x", isElsewhere: true });
    answers.set(item.url, () => new Response(PNG_BYTES));
    render(<MediaView item={item} alt="A lamp" />);
    expect(asked).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Load from evil-9.example" }));
    expect(await screen.findByRole("img", { name: "A lamp" })).toBeInTheDocument();
  });
});

describe("a file of another kind than was said", () => {
  it("is shown as what it is once its element fails", async () => {
    const item = file(latin("\0\0\0\x18ftypisom"), { kind: "image" });
    render(<MediaView item={item} alt="A lamp" />);
    fireEvent.error(screen.getByRole("img"));
    expect((await screen.findByLabelText("A lamp")).tagName).toBe("VIDEO");
  });

  it("says that a web page came in its place, and never shows the page", async () => {
    const item = file("<html><body>Sign in</body></html>", { kind: "image" });
    render(<MediaView item={item} alt="A lamp" />);
    fireEvent.error(screen.getByRole("img"));
    expect(await screen.findByText("A web page, not the file")).toBeVisible();
    expect(screen.queryByText(/Sign in/)).toBeNull();
    expect(screen.getByText(/Loading a file costs nothing. The charge of the job does not change/)).toBeVisible();
    answers.set(item.url, () => new Response(PNG_BYTES));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(screen.getByRole("img", { name: "A lamp" })).toBeInTheDocument();
  });

  it("is named where this browser cannot show it", async () => {
    const item = file(latin("\0\0\0\x18ftypheic"));
    render(<MediaView item={item} alt="A lamp" />);
    fireEvent.error(await screen.findByRole("img", { name: "A lamp" }));
    expect(await screen.findByText(/It is a HEIC picture/)).toBeVisible();
  });
});

describe("a file that this page cannot have", () => {
  it.each([
    [
      403,
      "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
      /Address expired/,
      /403 AccessDenied/,
    ],
    [403, "<Error><Code>AccessDenied</Code></Error>", /Access denied by the storage/, /403 AccessDenied/],
    [429, "", /Storage is busy/, /Wait a moment/],
    [503, "", /The storage failed/, /Try again in a moment/],
  ])("says of %i what the storage said, what it costs, and what to do", async (status, body, title, words) => {
    const item = file("", {});
    answers.set(item.url, () => new Response(body, { status }));
    render(<MediaView item={item} alt="A lamp" />);
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByText(/Loading a file costs nothing/)).toBeVisible();
  });

  it("says where a new tab leads and until when the file is there", async () => {
    const item = file("");
    answers.set(item.url, () => {
      throw new TypeError("Failed to fetch");
    });
    render(<MediaView item={item} alt="A lamp" createdAtSeconds={Date.now() / 1000} />);
    expect(await screen.findByText("Could not be loaded")).toBeVisible();
    expect(
      screen.getByText(
        /The new tab loads the file directly from store.example, which the service keeps until \d+ \w+ \d{4}\./,
      ),
    ).toBeVisible();
    expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", item.url);
  });

  it("shows an address inside a storage, which no browser can open", () => {
    render(<MediaView item={{ id: "0", kind: "image", url: "s3://bucket/a.png" }} alt="A lamp" />);
    expect(screen.getByText("s3://bucket/a.png")).toBeVisible();
    expect(screen.queryByRole("link")).toBeNull();
    expect(asked).toEqual([]);
  });
});
