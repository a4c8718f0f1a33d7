import "fake-indexeddb/auto";
import { afterEach, expect, it, vi } from "vitest";
import { archiveFolder, chooseArchiveFolder, type FolderHandle } from "#media/download/archive-folder.ts";

afterEach(() => void vi.unstubAllGlobals());

it("uses a folder chosen while storage is still being read", async () => {
  const folder = { name: "Pictures" } as FolderHandle;
  vi.stubGlobal("showDirectoryPicker", async () => folder);
  const reading = archiveFolder();
  expect(await chooseArchiveFolder()).toBe(true);
  await reading;
  expect(await archiveFolder()).toBe(folder);
});
