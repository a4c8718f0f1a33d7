import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useUploadStore } from "#media/upload/upload-store.ts";
import { PNG_BYTES } from "../media/sandbox-media.ts";
import { until } from "../setup/until.ts";
import { visitCreate } from "./visit-create.tsx";

const png = (name: string, extra = 0) =>
  new File([PNG_BYTES.slice(), new Uint8Array(extra)], name, { type: "image/png" });
const dropOnWindow = (files: File[]) => {
  const dataTransfer = { files, types: ["Files"] };
  fireEvent.dragOver(document.body, { dataTransfer });
  fireEvent.drop(document.body, { dataTransfer });
};
const address = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });
const isStored = (name: string) =>
  waitFor(async () => expect((await address(name)).value).toContain("/sandbox/storage/inputs/"));

afterEach(() => vi.unstubAllGlobals());

/** The files that a canvas gave. */
let made: Blob[] = [];

/** jsdom decodes and draws nothing: every picture has one size, and each drawing is a file of its own. */
function giveCanvas(size: { width: number; height: number }) {
  made = [];
  const { fetch } = globalThis;
  // The files of jsdom are no bodies for the answers of Node.
  vi.stubGlobal("fetch", async (to: string, how?: RequestInit) =>
    String(to).includes("/storage/inputs/") ? new Response(PNG_BYTES) : fetch(to, how),
  );
  vi.stubGlobal("createImageBitmap", async () => ({ ...size, close: () => undefined }));
  class Canvas {
    getContext = () => ({ drawImage: () => undefined });
    async convertToBlob() {
      made.push(png("drawn.png", 10 + made.length));
      return made.at(-1);
    }
  }
  vi.stubGlobal("OffscreenCanvas", Canvas);
}

/** No address for an upload comes, until `unstubAllGlobals`. */
function holdUploads() {
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (to: string | URL | Request, how?: RequestInit) => {
    const { pathname } = new URL(to instanceof Request ? to.url : to, location.href);
    if (!pathname.endsWith("/apikey/upload-url")) return fetch(to, how);
    return new Promise((_, reject) => how?.signal?.addEventListener("abort", () => reject(how.signal?.reason)));
  });
}

describe("media inputs on Create", () => {
  it("puts a dropped file into the first empty matching field, asks which when all are full, and says when none fits", async () => {
    const { user } = await visitCreate("/create/grainfield-edit");
    await address("Image");
    dropOnWindow([png("a.png")]);
    await isStored("Image");
    expect(await address("Mask")).toHaveValue("");
    const { value: before } = await address("Image");
    await user.click(await address("Mask"));
    await user.paste("https://a.example/2.png");
    dropOnWindow([png("b.png", 1)]);
    const dialog = await screen.findByRole("dialog", { name: "Use b.png" });
    await user.click(within(dialog).getByRole("button", { name: "As Image" }));
    await waitFor(async () => expect(await address("Image")).not.toHaveValue(before));
    await isStored("Image");
    dropOnWindow([new File(["ID3\x04 a song"], "song.mp3")]);
    expect(await screen.findByText("This model doesn’t accept audio files.")).toBeVisible();
  });

  it("accepts several files at once, even if one is sent as text", async () => {
    const { user, sandbox } = await visitCreate("/create/contact-sheet");
    await user.click(await screen.findByRole("textbox", { name: "Text" }));
    await user.paste("A fox");
    await user.upload(await screen.findByLabelText("File for Images"), [png("a.png"), png("b.png", 1)]);
    await isStored("Images");
    await isStored("Images 2");
    expect(sandbox.sandbox.inspect().uploads.filter((one) => one.isStored)).toHaveLength(2);
    expect(await screen.findByText("b.png")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toHaveTextContent("$"));
  });

  it("says when a list has no room for a dropped file", async () => {
    await visitCreate("/create/contact-sheet");
    await address("Images");
    holdUploads();
    dropOnWindow([..."123456789x"].map((name) => png(`${name}.png`)));
    expect(await screen.findByText("1 file not added")).toBeVisible();
    expect(await screen.findByText("Waiting for 9 uploads…")).toBeInTheDocument();
    dropOnWindow([png("y.png")]);
    await waitFor(() => expect(screen.getAllByText("Images is full.")).toHaveLength(2));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says that Run waits for an upload, which can be cancelled; takes a pasted picture, and leaves pasted text", async () => {
    const { user } = await visitCreate("/create/grainfield-edit");
    const image = await address("Image");
    holdUploads();
    dropOnWindow([png("a.png")]);
    expect(await screen.findByText("Waiting for 1 upload…")).toBeInTheDocument();
    const field = screen.getByRole("group", { name: "Image" });
    // Another file takes the place of the one that is on its way.
    fireEvent.drop(field, { dataTransfer: { files: [png("c.png")], types: ["Files"] } });
    await within(field).findByRole("button", { name: "Cancel upload of c.png" });
    expect(useUploadStore.getState().uploads.map(({ name }) => name)).toEqual(["c.png"]);
    fireEvent.drop(field, { dataTransfer: { files: [png("a.png")], types: ["Files"] } });
    await user.click(await within(field).findByRole("button", { name: "Cancel upload of a.png" }));
    await waitFor(() => expect(screen.queryByText("Waiting for 1 upload…")).not.toBeInTheDocument());
    expect(image).toHaveValue("");

    vi.unstubAllGlobals();
    const text = await screen.findByRole("textbox", { name: "Instruction" });
    // What is left to the browser is not prevented.
    const paste = (file: File, ...types: string[]) =>
      fireEvent.paste(text, { clipboardData: { files: [file], types } });
    expect(paste(png("a.png"), "text/plain", "Files")).toBe(true);
    expect(paste(png("b.png", 1), "Files")).toBe(false);
    await isStored("Image");
    expect(await screen.findByText("b.png")).toBeVisible();
    expect(await address("Mask")).toHaveValue("");
  });

  it("picks several results from a dialog in their order, and orders them by buttons with files of this device", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-pro", {
      makeJobs: async ({ imageJob }) => [await imageJob({ prompt: "A lamp" }), await imageJob({ prompt: "A boat" })],
    });
    await address("Reference images");
    await user.click(screen.getByRole("button", { name: "From library" }));
    const dialog = await screen.findByRole("dialog", { name: "From library: Reference images" });
    await user.click(await within(dialog).findByRole("button", { name: "A lamp" }));
    await user.click(within(dialog).getByRole("button", { name: "A boat" }));
    expect(within(dialog).getByRole("button", { name: "A boat, number 2" })).toHaveAttribute("aria-pressed", "true");
    await user.click(within(dialog).getByRole("button", { name: "Use 2 files" }));
    expect((await address("Reference images")).value).not.toBe("");
    expect((await address("Reference images 2")).value).not.toBe("");

    dropOnWindow([png("a.png"), png("b.png", 1)]);
    await until(() => expect(sandbox.sandbox.inspect().uploads.filter((one) => one.isStored)).toHaveLength(2));
    await isStored("Reference images 4");
    const last = (await address("Reference images 4")).value;
    await user.click(screen.getByRole("button", { name: "Move Reference images 4 up" }));
    expect(await address("Reference images 3")).toHaveValue(last);
    await user.click(screen.getByRole("button", { name: "Clear Reference images 3" }));
    expect(screen.queryByRole("textbox", { name: "Reference images 4" })).not.toBeInTheDocument();
    expect(await address("Reference images 3")).not.toHaveValue(last);
  });

  it("does not submit a run that waits for its price when a file is dropped meanwhile", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-pro");
    const { fetch } = globalThis;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.stubGlobal("fetch", async (to: string | URL | Request, how?: RequestInit) => {
      const { pathname } = new URL(to instanceof Request ? to.url : to, location.href);
      if (pathname.endsWith("/estimate")) await released;
      if (!pathname.endsWith("/apikey/upload-url")) return fetch(to, how);
      return new Promise<Response>((_, reject) =>
        how?.signal?.addEventListener("abort", () => reject(how.signal?.reason)),
      );
    });
    await user.click(await screen.findByRole("textbox", { name: "Prompt" }));
    await user.paste("A fox in the rain");
    await user.click(screen.getByRole("button", { name: "Run" }));
    dropOnWindow([png("a.png")]);
    expect(await screen.findByText("The form changed, so the run was cancelled. Nothing was submitted.")).toBeVisible();
    release();
    expect(await screen.findByText("Waiting for 1 upload…")).toBeInTheDocument();
    await waitFor(() =>
      expect(sandbox.sandbox.inspect().requests.some(({ path }) => path.endsWith("/estimate"))).toBe(true),
    );
    expect(sandbox.sandbox.inspect().requests.filter(({ path }) => path.endsWith("/apikey/requests"))).toEqual([]);
  });

  it("re-hosts into the field as it is once the file is there", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-pro");
    const job = await sandbox.imageJob({ prompt: "A lamp" });
    await user.click(await address("Reference images"));
    await user.paste(job.media[0]?.url ?? "");
    await user.click(screen.getByRole("button", { name: "Add another" }));
    await user.click(await address("Reference images 2"));
    await user.paste("https://a.example/2.png");
    const { fetch } = globalThis;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.stubGlobal("fetch", async (to: string | URL | Request, how?: RequestInit) => {
      const url = to instanceof Request ? to.url : String(to);
      if (url.includes(job.media[0]?.url ?? "-")) await released;
      return fetch(to, how);
    });
    const field = screen.getByRole("group", { name: "Reference images" });
    fireEvent.error(field.querySelector("img") as HTMLImageElement);
    await user.click(await within(field).findByRole("button", { name: "Upload a copy" }));
    await user.type(await address("Reference images 2"), "?changed");
    release();
    await isStored("Reference images");
    expect(await address("Reference images 2")).toHaveValue("https://a.example/2.png?changed");
  });

  // Spec 4.1 rule 4.
  it("offers to re-host an address whose host refuses this page", async () => {
    const { user, sandbox } = await visitCreate("/create/grainfield-edit");
    const job = await sandbox.imageJob({ prompt: "A lamp" });
    const image = await address("Image");
    await user.click(image);
    await user.paste(job.media[0]?.url ?? "");
    const field = screen.getByRole("group", { name: "Image" });
    fireEvent.error(field.querySelector("img") as HTMLImageElement);
    await user.click(await within(field).findByRole("button", { name: "Upload a copy" }));
    await isStored("Image");
  });

  it("keeps the name of a stored image when it is cropped", async () => {
    const { user } = await visitCreate("/create/lumen-2-pro");
    await user.click(await screen.findByRole("radio", { name: /1:1|1024x1024/ }));
    dropOnWindow([png("lamp.png")]);
    await isStored("Reference images");
    giveCanvas({ width: 900, height: 300 });
    for (const length of [1, 2]) {
      const picture = screen.getByRole("group", { name: "Reference images" }).querySelector("img") as HTMLImageElement;
      Object.defineProperties(picture, { naturalWidth: { value: 900 }, naturalHeight: { value: 300 } });
      fireEvent.load(picture);
      await user.click(await screen.findByRole("button", { name: /^Crop to/ }));
      const dialog = await screen.findByRole("dialog", { name: /^Crop to/ });
      await user.click(await within(dialog).findByRole("button", { name: "Crop" }));
      await waitFor(() => expect(made).toHaveLength(length));
      await isStored("Reference images");
      expect(await screen.findByText("lamp cropped.png")).toBeVisible();
    }
  });
});
