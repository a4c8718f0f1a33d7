import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { readMedia } from "#api/media.ts";
import type { Job, MediaItem } from "#api/types.ts";
import { createClient } from "#connection/client.ts";
import { connect, disconnect, getConnection } from "#connection/connection-store.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { forgetHost, LocalHoldError } from "#connection/relay.ts";
import { noteDeletion } from "#media/deleted-media.ts";
import { downloadJob, downloadMedia, OPENED_REASON } from "#media/download/download-media.ts";
import { fetchMedia, isOutOfReach } from "#media/fetch-media.ts";
import { knownFacts, noteFacts } from "#media/file-facts.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { MediaView } from "#media/show/media-view.tsx";
import { MediaInputPreview } from "#media/upload/media-input.tsx";
import { UploadRetry } from "#media/upload/upload-line.tsx";
import { type UploadState, useUploadStore } from "#media/upload/upload-store.ts";
import { createUploads, uploadProblem } from "#media/upload/uploads.ts";
import { readStoredFacts } from "#storage/stored-files.ts";
import { wipe } from "#storage/wipe.ts";
import { fakeHost, leaveHost } from "../../connection/fake-host.ts";
import { openSandboxMedia, PNG_BYTES } from "../sandbox-media.ts";

describe("a generated file", () => {
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
    it("has its size while it loads, and then shows the file, asked for without a referrer", () => {
      const { container } = render(<MediaView item={item({ width: 1600, height: 900 })} alt="A lamp" />);
      const box = container.firstElementChild as HTMLElement;
      expect(box).toHaveAttribute("data-phase", "loading");
      expect(screen.getByRole("img")).toHaveAttribute("referrerpolicy", "no-referrer");
      fireEvent.load(screen.getByRole("img", { name: "A lamp" }));
      expect(box).toHaveAttribute("data-phase", "ready");
    });

    it.each([
      ["is deleted on request", () => ({ item: item(), isDeleted: true }), "Files deleted"],
      [
        "is over its 60 days (spec 8)",
        () => ({ item: lost(), createdAtSeconds: Date.now() / 1000 - 61 * DAY }),
        "Expired",
      ],
      ["is not there", () => ({ item: lost(), createdAtSeconds: Date.now() / 1000 }), "File not found"],
      ["is there and cannot be shown", () => ({ item: item() }), "Can’t be shown"],
      ["cannot be reached", () => ({ item: item({ url: "https://storage.invalid/a.png" }) }), "Couldn’t read the file"],
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
});

describe("files whose kind nobody said", () => {
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
      answers.set(item.url, () => new Response(PNG_BYTES));
      await userEvent.click(screen.getByRole("button", { name: "Try again" }));
      expect(screen.getByRole("img", { name: "A lamp" })).toBeInTheDocument();
    });

    it("is named where this browser cannot show it", async () => {
      const item = file(latin("\0\0\0\x18ftypheic"));
      render(<MediaView item={item} alt="A lamp" />);
      fireEvent.error(await screen.findByRole("img", { name: "A lamp" }));
      expect(await screen.findByText(/File type: HEIC image/)).toBeVisible();
    });
  });

  describe("a file that this page cannot have", () => {
    it.each([
      [
        403,
        "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
        /URL expired/,
        /403 AccessDenied/,
      ],
      [403, "<Error><Code>AccessDenied</Code></Error>", /Access denied/, /403 AccessDenied/],
      [429, "", /File host is busy/, /Wait a moment/],
      [503, "", /Couldn’t load the file/, /Try again in a moment/],
    ])("says of %i what the storage said and what to do", async (status, body, title, words) => {
      const item = file("", {});
      answers.set(item.url, () => new Response(body, { status }));
      render(<MediaView item={item} alt="A lamp" />);
      expect(await screen.findByText(title)).toBeVisible();
      expect(screen.getByText(words)).toBeVisible();
      expect(document.body).not.toHaveTextContent(/charge/i);
    });

    it("says where a new tab leads and until when the file is there", async () => {
      const item = file("");
      answers.set(item.url, () => {
        throw new TypeError("Failed to fetch");
      });
      render(<MediaView item={item} alt="A lamp" createdAtSeconds={Date.now() / 1000} />);
      expect(await screen.findByText("Couldn’t read the file")).toBeVisible();
      expect(
        screen.getByText(
          /The new tab loads the file directly from store.example, where it stays until \w+ \d+, \d{4}\./,
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
});

describe("files by way of the studio's own server", () => {
  const STORAGE = "https://cdn.example.com";
  afterEach(leaveHost);

  let pages = 0;
  /** Addresses of files on the page's own origin that no test before has loaded. */
  function ownFiles(count: number): string[] {
    pages += 1;
    return Array.from(
      { length: count },
      (_, index) => `${location.origin}/sandbox/storage/media/${pages}/${index}.png`,
    );
  }

  const thumb = (url: string) => <MediaThumb key={url} item={{ id: url, kind: "image", url }} alt={url} />;
  const shown = () => screen.getAllByRole("img").flatMap((image) => image.getAttribute("src") ?? []);

  describe("where the page's own host served it over HTTP/1.1", () => {
    beforeEach(() => fakeHost({}));

    it("pictures load five at a time, and the next when one is there or is not", async () => {
      const files = ownFiles(8);
      render(files.map(thumb));
      await waitFor(() => expect(shown()).toEqual(files.slice(0, 5)));
      fireEvent.load(screen.getByRole("img", { name: files[2] ?? "" }));
      await waitFor(() => expect(shown()).toEqual(files.slice(0, 6)));
      fireEvent.error(screen.getByRole("img", { name: files[0] ?? "" }));
      await waitFor(() => expect(shown()).toContain(files[6]));
    });

    it("a picture that leaves the page gives its turn to the next", async () => {
      const files = ownFiles(6);
      const { rerender } = render(files.map(thumb));
      await waitFor(() => expect(shown()).toHaveLength(5));
      rerender(files.slice(1).map(thumb));
      await waitFor(() => expect(shown()).toEqual(files.slice(1)));
    });

    it("a picture that was loaded before needs no turn", async () => {
      const [known = "", ...others] = ownFiles(6);
      const first = render(thumb(known));
      await waitFor(() => expect(shown()).toEqual([known]));
      fireEvent.load(screen.getByRole("img"));
      first.unmount();
      render(others.map(thumb));
      await waitFor(() => expect(shown()).toEqual(others));
      render(thumb(known));
      expect(shown()).toContain(known);
    });

    it("beside five transfers pictures load one at a time", async () => {
      const ends = await Promise.all(Array.from({ length: 5 }, () => openTransfer("upload")));
      const files = ownFiles(3);
      render(files.map(thumb));
      await waitFor(() => expect(shown()).toEqual(files.slice(0, 1)));
      fireEvent.load(screen.getByRole("img", { name: files[0] ?? "" }));
      await waitFor(() => expect(shown()).toEqual(files.slice(0, 2)));
      for (const end of ends) end();
      await waitFor(() => expect(shown()).toEqual(files));
    });

    it("a file that no element loads takes no turn", async () => {
      render(ownFiles(6).map((url) => <MediaView key={url} item={{ id: url, kind: "other", url }} alt="" />));
      const [file = ""] = ownFiles(1);
      render(thumb(file));
      await waitFor(() => expect(shown()).toEqual([file]));
    });
  });

  describe("the address that an element loads", () => {
    const url = `${STORAGE}/file.png`;
    const relayed = `${location.origin}/relay/media/https/cdn.example.com/file.png`;

    it("is the storage's own where no host served the page", () => {
      forgetHost();
      render(thumb(url));
      expect(shown()).toEqual([url]);
    });

    it("is the storage's own where the settings of the host name it", async () => {
      fakeHost({ mode: "configured", origins: ["https://cdn.example.com"] });
      render(thumb(url));
      await waitFor(() => expect(shown()).toEqual([url]));
    });

    it("is the host's where the settings name it by a pattern only", async () => {
      fakeHost({ mode: "configured", storage: ["https://*.example.com"] });
      render(thumb(url));
      await waitFor(() => expect(shown()).toEqual([relayed]));
    });

    it("is the host's for any other storage, and a link leads to the storage", async () => {
      fakeHost({ mode: "typed" });
      render(<MediaView item={{ id: "1", kind: "image", url }} alt="A lamp" />);
      await waitFor(() => expect(shown()).toEqual([relayed]));
    });

    it("that the host refuses is explained, with the storage's own to open", async () => {
      fakeHost({ mode: "configured", origins: ["https://api.example.com"] });
      render(<MediaView item={{ id: "1", kind: "image", url }} alt="A lamp" />);
      await waitFor(() => expect(shown()).toEqual([relayed]));
      fireEvent.error(screen.getByRole("img"));
      expect(await screen.findByText("File host not allowed")).toBeVisible();
      expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", url);
    });
  });
});

describe("files of hosts that nobody named", () => {
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  const address = (host: string) => `https://${host}/a.png`;
  const sources = () =>
    [...document.querySelectorAll("img, video, audio")].map((element) => element.getAttribute("src"));
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
      await userEvent.click(screen.getAllByRole("button", { name: "Load preview from evil-4.example" })[0] as Element);
      expect(sources()).toEqual([address("evil-4.example"), "https://evil-4.example/a.mp4"]);
    });

    it("show the host as a browser sends it", () => {
      render(<MediaView item={foreignItem("https://bank.example@\u0435vil.example/a.png")} alt="" />);
      expect(screen.queryByText(/bank/)).toBeNull();
    });
  });

  describe("media that the service's own answers name", () => {
    it("load at once, and so does what else lies at their host, also after a reload", async () => {
      onTestFinished(disconnect);
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
      expect(JSON.stringify(localStorage)).toContain("cdn.example");
    });
  });
});

describe("files at an address of this computer, which the service's own answers name", () => {
  const SHUTDOWN = "http://localhost:9000/shutdown?confirm=yes";
  const connectTo = async (address: string) => {
    onTestFinished(disconnect);
    await connect({ queueBaseUrl: address, inferenceBaseUrl: address, key: "canary-1111-2222-3333" });
  };
  const clip: MediaItem = { id: "0", kind: "video", url: SHUTDOWN, posterUrl: SHUTDOWN };
  const asked = vi.fn(async (_url: string) => new Response(PNG_BYTES));
  beforeEach(() => vi.stubGlobal("fetch", asked));
  afterEach(() => {
    asked.mockClear();
    vi.unstubAllGlobals();
  });
  const loaded = () => document.querySelectorAll("[src], [poster]");

  it("are never loaded where the service is elsewhere, and say why", async () => {
    await connectTo("https://q.example");
    render(
      <>
        <MediaView item={{ ...clip, kind: "image" }} alt="A lamp" />
        <MediaThumb item={clip} alt="A clip" />
        <MediaInputPreview address="http://localhost:9000/a.png" kind="image" />
      </>,
    );
    expect(screen.getByText(/^The connected service does not run on this computer alone, so/)).toBeVisible();
    await expect(fetchMedia(SHUTDOWN)).rejects.toMatchObject({ failure: "unsafe" });
    expect(screen.queryByRole("button")).toBeNull();
    expect(loaded()).toHaveLength(0);
    expect(asked).not.toHaveBeenCalled();
  });

  it("are loaded after a press that names the address where the service is here too, and from then on", async () => {
    await connectTo("http://localhost:8000");
    const { unmount } = render(
      <>
        <MediaView item={{ ...clip, kind: "image" }} alt="A lamp" />
        <MediaThumb item={{ ...clip, kind: "image" }} alt="A thumb" />
      </>,
    );
    expect(loaded()).toHaveLength(0);
    await userEvent.click(screen.getByRole("button", { name: "Load from http://localhost:9000" }));
    expect([...loaded()].map((element) => element.getAttribute("src"))).toEqual([SHUTDOWN, SHUTDOWN]);
    unmount();
    render(<MediaThumb item={{ ...clip, kind: "image", url: "http://localhost:9000/b.png" }} alt="Another" />);
    expect(loaded()).toHaveLength(1);
  });

  it("take an upload after a press that names the address as well", async () => {
    await connectTo("http://localhost:8000");
    const put = vi.fn(async () => ({ publicUrl: "http://localhost:9000/a.png", note: undefined }));
    const hold = new LocalHoldError("http://localhost:9000/put", "closed");
    const { api } = createClient(null);
    const uploads = createUploads({ api, accountId: "one", upload: put.mockRejectedValueOnce(hold) });
    const id = uploads.start({ file: new File(["a"], "a.png"), kind: "image", modelId: "lumen-2", label: "Face" });
    const state = () => useUploadStore.getState().uploads.find((upload) => upload.id === id)?.state;
    await waitFor(() => expect(state()?.phase).toBe("failed"));
    render(<UploadRetry state={state() as UploadState} onRetry={() => uploads.retry(id)} />);
    await userEvent.click(screen.getByRole("button", { name: "Upload to http://localhost:9000" }));
    await waitFor(() => expect(state()?.phase).toBe("done"));
    expect(getConnection()?.fileOrigins).toEqual(["http://localhost:9000"]);
    const refused = uploadProblem(new LocalHoldError("http://localhost:9000/put", "refused"));
    expect([refused.text.includes("http://localhost:9000"), refused.retryLabel]).toEqual([true, undefined]);
  });
});

describe("files in a build for one service", () => {
  const ELSEWHERE = "https://elsewhere.example/lamp.png";

  beforeEach(() => {
    vi.stubEnv("SAFELIGHT_SERVICE", "https://api.example.com https://cdn.example.com");
    document.head.innerHTML = '<meta name="safelight-host" content="none">';
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    document.head.innerHTML = "";
  });

  it("asks for nothing that the content policy would refuse", async () => {
    const asked = vi.fn(async () => new Response("x"));
    vi.stubGlobal("fetch", asked);
    await expect(fetchMedia(ELSEWHERE)).rejects.toMatchObject({ failure: "unnamed" });
    expect(asked).not.toHaveBeenCalled();
    await fetchMedia("https://cdn.example.com/lamp.png");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("says why a file is not shown, and links to it", () => {
    render(<MediaView item={{ id: "1", url: ELSEWHERE, kind: "image" }} alt="A lamp" />);
    expect(screen.getByText("File host not allowed in this build")).toBeVisible();
    expect(screen.getByText(/SAFELIGHT_SERVICE/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", ELSEWHERE);
    expect(screen.queryByRole("img")).toBeNull();
  });

  it("opens the file in a tab of its own where it is to be downloaded, and says who is asked", async () => {
    const opened: string[] = [];
    vi.stubGlobal("open", (url: string) => void opened.push(url));
    const job = { requestId: "1", model: "lumen", payload: undefined, createdAtSeconds: 1_700_000_000 };
    const outcome = await downloadMedia({ job, item: { id: "1", url: ELSEWHERE, kind: "image" }, index: 0 });
    expect(opened).toEqual([ELSEWHERE]);
    expect(outcome).toMatchObject({
      how: "opened",
      reason: expect.stringMatching(
        /loads the file directly from elsewhere.example\. The file expired on Jan \d+, 2024, so it may be gone\./,
      ),
    });
  });

  it("leaves everything to the host where there is one", () => {
    document.head.innerHTML = '<meta name="safelight-host" content="here">';
    expect(isOutOfReach(ELSEWHERE)).toBe(false);
  });
});

describe("files that are saved", () => {
  let sandbox: ReturnType<typeof openSandboxMedia>;
  /** What the browser was given to save: jsdom has no object URLs and no downloads. */
  let saved: { name: string; blob: Blob }[];
  let opened: string[];

  beforeEach(() => {
    saved = [];
    opened = [];
    let blob = new Blob();
    URL.createObjectURL = (object) => {
      blob = object as Blob;
      return "blob:http://localhost:4173/1";
    };
    URL.revokeObjectURL = () => {};
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, blob });
    });
    vi.stubGlobal("open", (url: string, target: string, features: string) => {
      opened.push(`${url} ${target} ${features}`);
      return null;
    });
    sandbox = openSandboxMedia();
  });
  afterEach(() => {
    sandbox.close();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    for (const name of ["createObjectURL", "revokeObjectURL"]) Reflect.deleteProperty(URL, name);
  });

  const withMedia = (job: Job, item: Partial<MediaItem>): Job => ({
    ...job,
    media: [{ id: "0", kind: "image", url: "", ...item }],
  });
  const first = (job: Job) => ({ job, item: job.media[0] as MediaItem, index: 0 });

  describe("downloading a file", () => {
    it("saves its bytes under a sensible name with the real extension", async () => {
      const job = await sandbox.imageJob();
      const outcome = await downloadMedia(first(job));
      expect(outcome).toMatchObject({ how: "saved", bytes: PNG_BYTES.length });
      expect(saved[0]?.name).toMatch(/^lumen-2-\d{4}-\d\d-\d\d-1\.png$/);
      expect(new Uint8Array((await saved[0]?.blob.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(PNG_BYTES);
      expect(saved[0]?.blob.type).toBe("image/png");
    });

    // (spec 2)
    it("sends no key with it: media addresses are public", async () => {
      const job = await sandbox.imageJob();
      await downloadMedia(first(job));
      const users = sandbox.sandbox.inspect().requests.map(({ route, user }) => [route, user !== ""]);
      expect(users).toEqual([
        ["submit", true],
        ["media", false],
      ]);
    });

    it("saves a page that is labelled as a picture as plain bytes", async () => {
      sandbox.close();
      const page = new TextEncoder().encode("<script>alert(1)</script>");
      sandbox = openSandboxMedia({ makeMedia: async () => ({ bytes: page, contentType: "image/png" }) });
      await downloadMedia(first(await sandbox.imageJob()));
      expect(saved[0]?.name).toMatch(/\.bin$/);
      expect(saved[0]?.blob.type).toBe("application/octet-stream");
    });

    it("saves a file that came inline", async () => {
      const inline = `data:image/png;base64,${btoa(String.fromCharCode(...PNG_BYTES))}`;
      const job = withMedia(await sandbox.imageJob(), { url: inline });
      expect(await downloadMedia(first(job))).toMatchObject({ how: "saved", bytes: PNG_BYTES.length });
    });

    it("opens a file without CORS in a new tab and says why", async () => {
      // Nothing answers at this address, which is all that a page learns of a storage without CORS.
      const job = withMedia(await sandbox.imageJob(), { url: "https://storage.invalid/a.png" });
      expect(await downloadMedia(first(job))).toEqual({
        how: "opened",
        reason: expect.stringMatching(
          new RegExp(
            `^${OPENED_REASON} The new tab loads the file directly from storage.invalid, where it stays until `,
          ),
        ),
      });
      expect(opened).toEqual(["https://storage.invalid/a.png _blank noopener,noreferrer"]);
      expect(saved).toEqual([]);
    });

    it.each(["redirect", "private_address"])("does not open a file that its host refuses as %s", async (kind) => {
      const job = withMedia(await sandbox.imageJob(), { url: "https://storage.example/a.png" });
      const refusal = { error: { message: "Said so", type: `relay_${kind}` } };
      fakeHost({
        mode: "typed",
        answers: () => Response.json(refusal, { status: 403, headers: { "X-Safelight-Relay": kind } }),
      });
      onTestFinished(leaveHost);
      expect(await downloadMedia(first(job))).toMatchObject({ how: "failed" });
      expect(opened).toEqual([]);
    });

    it.each(["javascript:alert(1)", "data:text/html,x", "blob:https://elsewhere.example/1"])(
      "never opens %s",
      async (url) => {
        const job = withMedia(await sandbox.imageJob(), { url });
        expect(await downloadMedia(first(job))).toEqual({ how: "failed", failure: "unsafe" });
        expect(opened).toEqual([]);
      },
    );
  });

  describe("downloading all files of a job", () => {
    it("numbers each file, and continues after a missing one", async () => {
      const job = await sandbox.imageJob();
      const [item] = job.media as [MediaItem];
      const lost = { ...item, url: item.url.replace(/-0\.png$/, "-7.png") };
      const { reasons, ...counts } = await downloadJob({ ...job, media: [item, lost, item] });
      expect(counts).toEqual({ saved: 2, opened: 0 });
      expect(saved.map(({ name }) => name.slice(-6))).toEqual(["-1.png", "-3.png"]);
      expect(reasons).toEqual([
        "File not found. The file host doesn’t have this file. It may have been deleted elsewhere.",
      ]);
    });

    // (spec 8)
    it("says that a file is over its 60 days", async () => {
      const job = await sandbox.imageJob();
      sandbox.pass(61 * 86_400);
      const old = { ...job, createdAtSeconds: Date.now() / 1000 - 61 * 86_400 };
      const { reasons } = await downloadJob(old);
      expect(reasons[0]).toMatch(/^Expired\. The service deletes files after 60 days/);
    });

    it("downloads only the file asked for", async () => {
      const job = await sandbox.imageJob();
      const [item] = job.media as [MediaItem];
      await downloadJob({ ...job, media: [item, item] }, { only: 1 });
      expect(saved.map(({ name }) => name.slice(-6))).toEqual(["-2.png"]);
    });
  });
});

describe("what is known of a file", () => {
  const url = "https://store.example/facts/0123456789abcdef0123456789abcdef.mp4";

  it("is stored with its account: the shape and the length, and nothing of a file that was deleted meanwhile or has the key in its address", async () => {
    const queueBaseUrl = "https://api.example";
    const key = "sl-0123456789abcdef0123456789abcdef";
    await connect({ queueBaseUrl, inferenceBaseUrl: queueBaseUrl, key });
    const { accountId } = getConnection() ?? { accountId: "" };
    const gone = url.replace("facts", "gone");
    noteFacts(url, { width: 7, height: 5, isLoaded: true });
    noteFacts(gone, { width: 7, height: 5 });
    noteFacts("data:image/png;base64,AAAA", { width: 7, height: 5 });
    // What somebody typed as the address of an input may hold the key.
    noteFacts(`https://store.example/a.png?k=${key}`, { width: 7, height: 5 });
    noteDeletion(accountId, { requestId: "r", files: [gone], inputs: [] });
    const name = url.slice("https://".length);
    await vi.waitFor(
      async () => expect(await readStoredFacts(accountId)).toEqual(new Map([[name, { width: 7, height: 5 }]])),
      { timeout: 10_000 },
    );
    await wipe(accountId);
    expect(knownFacts(url)).toBeUndefined();
    expect(await readStoredFacts(accountId)).toEqual(new Map());
  });
});
