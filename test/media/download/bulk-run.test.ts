import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BulkFile } from "#media/download/bulk-entries.ts";
import { mountBulkPanel, startBulk, useBulkRun } from "#media/download/bulk-run.ts";
import { useToasts } from "#ui/toast-store.ts";
import { until } from "../../setup/until.ts";
import { memoryFolder } from "./memory-folder.ts";

const CLIP = `data:video/mp4;base64,${btoa("\0\0\0\x18ftypisom and so on")}`;
const file: BulkFile = {
  job: {
    requestId: "r1",
    model: "lumen-2",
    status: "success",
    media: [{ id: "0", url: CLIP, kind: "video" }],
    payload: undefined,
    createdAtSeconds: 1,
  },
  index: 0,
};

beforeEach(() => useToasts.setState({ toasts: [] }));
afterEach(() => void vi.unstubAllGlobals());

it("reports the end of a run in a toast, unless its panel is mounted", async () => {
  vi.stubGlobal("showDirectoryPicker", async () => memoryFolder().handle);
  await startBulk([file], "folder");
  expect(useToasts.getState().toasts).toMatchObject([{ tone: "success", title: "1 file saved to archive" }]);
  const leave = mountBulkPanel();
  useToasts.setState({ toasts: [] });
  await startBulk([file], "folder");
  expect(useBulkRun.getState().run).toMatchObject({ phase: "done", saved: 1 });
  expect(useToasts.getState().toasts).toEqual([]);
  leave();
});

it("reports in a toast why a folder cannot be written, and retries", async () => {
  const full = memoryFolder(() => Promise.reject(new DOMException("full", "QuotaExceededError")));
  vi.stubGlobal("showDirectoryPicker", async () => full.handle);
  await startBulk([file], "folder");
  const [shown] = useToasts.getState().toasts;
  expect(shown).toMatchObject({ tone: "error", body: "The disk is full.", action: { label: "Try again" } });
  vi.stubGlobal("showDirectoryPicker", async () => memoryFolder().handle);
  shown?.action?.onAct();
  await until(() => expect(useBulkRun.getState().run.phase).toBe("done"));
});
