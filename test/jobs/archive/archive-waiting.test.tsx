import "fake-indexeddb/auto";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { setArchiving } from "#jobs/archive/archive-store.ts";
import { ArchiveWaiting } from "#jobs/archive/archive-waiting.tsx";
import {
  archiveFolder,
  chooseArchiveFolder,
  type FolderHandle,
  loseArchiveFolder,
} from "#media/download/archive-folder.ts";

const requestPermission = vi.fn(async () => "granted" as PermissionState);
const folder = { name: "Pictures", getFileHandle: async () => undefined, requestPermission } as unknown as FolderHandle;

beforeEach(() => {
  vi.stubGlobal("showDirectoryPicker", async () => folder);
  setArchiving(true);
});

it("asks for permission to write once it is gone, and disappears with it", async () => {
  await chooseArchiveFolder();
  render(<ArchiveWaiting />);
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
  loseArchiveFolder();
  expect(await screen.findByText("Finished jobs are waiting to be saved")).toBeVisible();
  expect(await archiveFolder()).toBeUndefined();
  await userEvent.click(screen.getByRole("button", { name: "Allow access" }));
  expect(requestPermission).toHaveBeenCalledWith({ mode: "readwrite" });
  expect(screen.queryByText("Finished jobs are waiting to be saved")).not.toBeInTheDocument();
  expect(await archiveFolder()).toBe(folder);
});
