import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";
import type { Job } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { confirmDeletion, noteDeletion } from "#media/deleted-media.ts";
import { rememberUpload } from "#media/upload/upload-memory.ts";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { openSandboxPage } from "../../media/sandbox-page.ts";
import type { visitStudio } from "../../visit-studio.tsx";

export const MODEL = "grainfield-edit";
export const GONE = "This file was deleted. Choose another file.";

export const accountId = () => getConnection()?.accountId ?? "";
export const image = () => screen.findByRole("textbox", { name: "Image" });
export const run = () => screen.findByRole("button", { name: "Run" });

/** A page of its own, connected to a fresh sandbox, for each test of a file. */
export function openDeletionSandbox() {
  const sandbox = openSandboxPage();
  const count = (route: string) =>
    sandbox()
      .sandbox.inspect()
      .requests.filter((one) => one.route === route).length;
  return {
    sandbox,
    count,
    /** Stores a picture with the service, as this browser's upload. */
    async upload(name: string): Promise<string> {
      const { publicUrl, uploadUrl } = await sandbox().api.requestUpload("png");
      await fetch(uploadUrl, { method: "PUT", body: PNG_BYTES.slice(), headers: { "content-type": "image/png" } });
      await rememberUpload(accountId(), { hash: name, publicUrl, name, kind: "image", uploadedAtMs: Date.now() });
      return publicUrl;
    },
    edit: (image_url: string, instruction = "Blue") =>
      sandbox().api.submit({ model: MODEL, payload: { instruction, image_url } }),
    /** The form shows that its file is gone, asks for no price, and sends nothing. */
    async expectBlocked(user: ReturnType<typeof visitStudio>["user"]): Promise<void> {
      expect(await screen.findByText(GONE)).toBeVisible();
      // The field comes with a chunk of its own.
      await image();
      const sent = count("submit");
      await user.click(await run());
      await waitFor(async () => expect(await image()).toHaveFocus());
      expect(await image()).toHaveAccessibleDescription(expect.stringContaining(GONE));
      expect(await run()).not.toHaveTextContent("$");
      expect(count("submit")).toBe(sent);
      const field = screen.getByRole("group", { name: "Image" });
      expect(within(field).getByRole("img", { name: "Deleted" })).toBeVisible();
      expect(within(field).getByRole("button", { name: "Choose another file" })).toBeVisible();
      expect(screen.queryByRole("button", { name: "Upload a copy" })).not.toBeInTheDocument();
    },
  };
}

/** As if the media of a job had been deleted from this browser. */
export function markDeleted(job: Job, inputs: string[] = []): void {
  noteDeletion(accountId(), { requestId: job.requestId, files: job.media.map(({ url }) => url), inputs });
  confirmDeletion(accountId(), job.requestId);
}
