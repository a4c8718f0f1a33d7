import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTransfer } from "#connection/open-transfer.ts";
import { forgetHost } from "#connection/relay.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { MediaView } from "#media/show/media-view.tsx";
import { fakeHost, leaveHost } from "../../connection/fake-host.ts";

const STORAGE = "https://cdn.example.com";
afterEach(leaveHost);

let pages = 0;
/** Addresses of files on the page's own origin that no test before has loaded. */
function ownFiles(count: number): string[] {
  pages += 1;
  return Array.from({ length: count }, (_, index) => `${location.origin}/sandbox/storage/media/${pages}/${index}.png`);
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
    expect(await screen.findByText("Storage not allowed")).toBeVisible();
    expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", url);
  });
});
