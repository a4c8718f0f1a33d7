import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
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

describe("media inputs on Create", () => {
  it("puts a file dropped anywhere into the first empty matching field", async () => {
    await visitCreate("/create/grainfield-edit");
    await address("Image");
    dropOnWindow([png("a.png")]);
    await isStored("Image");
    expect(await address("Mask")).toHaveValue("");
  });

  it("asks which field to fill when all are full; says when none fits", async () => {
    const { user } = await visitCreate("/create/grainfield-edit");
    await user.type(await address("Image"), "https://a.example/1.png");
    await user.type(await address("Mask"), "https://a.example/2.png");
    dropOnWindow([png("b.png")]);
    const dialog = await screen.findByRole("dialog", { name: "Use b.png" });
    await user.click(within(dialog).getByRole("button", { name: "As Image" }));
    await isStored("Image");
    dropOnWindow([new File(["ID3\x04 a song"], "song.mp3")]);
    expect(await screen.findByText("This model accepts no audio.")).toBeVisible();
  });

  it("accepts several files at once, even if one is sent as text", async () => {
    const { user, sandbox } = await visitCreate("/create/contact-sheet");
    await user.type(await screen.findByRole("textbox", { name: "Text" }), "A fox");
    await user.upload(await screen.findByLabelText("File for Images"), [png("a.png"), png("b.png", 1)]);
    await isStored("Images");
    await isStored("Images 2");
    expect(sandbox.sandbox.inspect().uploads.filter((one) => one.isStored)).toHaveLength(2);
    expect(await screen.findByText("b.png")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toHaveTextContent("$"));
  });

  it("accepts a pasted picture with any focus, and leaves pasted text alone", async () => {
    await visitCreate("/create/grainfield-edit");
    const text = await screen.findByRole("textbox", { name: "Instruction" });
    fireEvent.paste(text, { clipboardData: { files: [png("a.png")], types: ["text/plain", "Files"] } });
    fireEvent.paste(text, { clipboardData: { files: [png("b.png", 1)], types: ["Files"] } });
    await isStored("Image");
    expect(await screen.findByText("b.png")).toBeVisible();
  });

  it("orders several files by buttons", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-pro");
    await address("Reference images");
    dropOnWindow([png("a.png"), png("b.png", 1), png("c.png", 2)]);
    await waitFor(() => expect(sandbox.sandbox.inspect().uploads.filter((one) => one.isStored)).toHaveLength(3));
    await isStored("Reference images 3");
    const last = (await address("Reference images 3")).value;
    await user.click(screen.getByRole("button", { name: "Move Reference images 3 up" }));
    expect(await address("Reference images 2")).toHaveValue(last);
    await user.click(screen.getByRole("button", { name: "Clear Reference images 2" }));
    expect(screen.queryByRole("textbox", { name: "Reference images 3" })).not.toBeInTheDocument();
    expect(await address("Reference images 2")).not.toHaveValue(last);
  });

  it("picks results and earlier uploads from a dialog, several with their order", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-pro");
    await sandbox.imageJob({ prompt: "A lamp" });
    await sandbox.imageJob({ prompt: "A boat" });
    await address("Reference images");
    await user.click(screen.getByRole("button", { name: "From library" }));
    const dialog = await screen.findByRole("dialog", { name: "From library: Reference images" });
    await user.click(await within(dialog).findByRole("button", { name: "A lamp" }));
    await user.click(within(dialog).getByRole("button", { name: "A boat" }));
    expect(within(dialog).getByRole("button", { name: "A boat, number 2" })).toHaveAttribute("aria-pressed", "true");
    await user.click(within(dialog).getByRole("button", { name: "Use 2 files" }));
    expect((await address("Reference images")).value).not.toBe("");
    expect((await address("Reference images 2")).value).not.toBe("");
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
    await user.click(await within(field).findByRole("button", { name: "Re-host" }));
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

  it("says that Run waits for an upload, which can be cancelled", async () => {
    const { user, sandbox } = await visitCreate("/create/grainfield-edit");
    sandbox.sandbox.configure({ faults: [{ endpoint: "upload-url", status: 503, times: 20 }] });
    const image = await address("Image");
    dropOnWindow([png("a.png")]);
    expect(await screen.findByText("Waiting for an upload")).toBeInTheDocument();
    const field = screen.getByRole("group", { name: "Image" });
    await user.click(await within(field).findByRole("button", { name: "Cancel the upload of a.png" }));
    await waitFor(() => expect(screen.queryByText("Waiting for an upload")).not.toBeInTheDocument());
    expect(image).toHaveValue("");
  });
});
