import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { getConnection } from "#connection/connection-store.ts";
import { useEarlierResults } from "#results/earlier-files.tsx";
import { newRecord, trackedKey, trackedRows } from "#storage/job-records.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { markDeleted } from "./deletion/deletion-sandbox.ts";

const sandbox = openSandboxPage();

it("has each result once, by its newest address, and none that was deleted", async () => {
  const accountId = getConnection()?.accountId ?? "";
  const own = await sandbox().imageJob({ prompt: "A lamp" });
  const gone = await sandbox().imageJob({ prompt: "A boat" });
  const [file] = own.media;
  const signedBefore = {
    ...own,
    media: own.media.map((item) => ({ ...item, url: `${item.url}?Expires=1&Signature=a` })),
  };
  const row = newRecord({ ...signedBefore, origin: "answered", submittedAtMs: 1 });
  await saveOne(trackedRows, accountId, trackedKey(accountId, own.requestId), row);
  const images = renderHook(() => useEarlierResults("image"), { wrapper: ConnectionProvider });
  const found = () => images.result.current.files.map(({ name, file: { url } }) => [name, url]);
  await waitFor(() => expect(found()).toHaveLength(2));
  expect(found()).toContainEqual(["A lamp", file?.url]);
  act(() => markDeleted(gone));
  expect(found()).toEqual([["A lamp", file?.url]]);
  const videos = renderHook(() => useEarlierResults("video"), { wrapper: ConnectionProvider });
  await waitFor(() => expect(videos.result.current.isReading).toBe(false));
  expect(videos.result.current.files).toEqual([]);
});
