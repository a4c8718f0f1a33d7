import "fake-indexeddb/auto";
import { expect, it, vi } from "vitest";
import { archiveFolder, chooseArchiveFolder, type FolderHandle } from "#media/download/archive-folder.ts";

it("stays with the folder that was chosen while storage was still being read", async () => {
  const folder = { name: "Pictures" } as FolderHandle;
  vi.stubGlobal("showDirectoryPicker", async () => folder);
  const reading = archiveFolder();
  expect(await chooseArchiveFolder()).toBe(true);
  await reading;
  expect(await archiveFolder()).toBe(folder);
});
