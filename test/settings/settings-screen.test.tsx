import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connect, disconnect, getConnection, useConnection } from "#connection/connection-store.ts";
import { noteRequest, writeRequests } from "#connection/request-history.ts";
import { ArchiveWaiting } from "#history/expiry-banner.tsx";
import {
  archiveFolder,
  chooseArchiveFolder,
  type FolderHandle,
  loseArchiveFolder,
} from "#media/download/archive-folder.ts";
import { setArchiving } from "#results/archive/archive-store.ts";
import { DOCUMENTED_INPUTS } from "#sandbox/documented-inputs.ts";
import { SANDBOX_LIMITS } from "#sandbox/limits.ts";
import { ConnectionSettings } from "#settings/connection-settings.tsx";
import { openRows, reopenRows } from "#storage/database.ts";
import { DATABASE_NAME } from "#storage/keys.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import { strayCommands, unknownActs } from "../app/acts-on-screen.ts";
import { openStudio } from "../app/open-studio.tsx";
import { fakeHost, leaveHost } from "../connection/fake-host.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

beforeEach(() => {
  freshDatabase();
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function openSettings(name: string) {
  const opened = await openStudio("/settings");
  const part = await screen.findByRole("region", { name });
  return { ...opened, part, scope: getConnection()?.accountId ?? "" };
}

describe("Settings of the sandbox", () => {
  const settingsNow = async () => (await fetch("http://localhost:4173/sandbox/settings")).json();

  test("set its speed in both places and its quirks, and list what it does", async () => {
    const { user, part } = await openSettings("Sandbox speed");
    await waitFor(() => expect(within(part).getByRole("radio", { name: "1×" })).toBeChecked());
    await user.click(within(part).getByRole("radio", { name: "60×" }));
    await waitFor(async () => expect(await settingsNow()).toMatchObject({ speed: 60 }));
    for (const radio of await screen.findAllByRole("radio", { name: "60×" })) expect(radio).toBeChecked();

    const answers = screen.getByRole("region", { name: "Sandbox behavior" });
    const toggle = await within(answers).findByRole("switch", { name: "outcome-null" });
    await user.click(toggle);
    await waitFor(async () => expect(await settingsNow()).toMatchObject({ quirks: ["outcome-null"] }));
    await waitFor(() => expect(toggle).toBeChecked());
    await user.click(toggle);
    await waitFor(async () => expect(await settingsNow()).toMatchObject({ quirks: [] }));

    const inputs = screen.getByRole("region", { name: "Sandbox inputs" });
    expect(await within(inputs).findByText("fail:moderation")).toBeVisible();
    for (const { input, effect } of DOCUMENTED_INPUTS) expect(inputs.textContent).toContain(input + effect);
    const limits = screen.getByRole("region", { name: "Sandbox limits" });
    for (const { about, sentence } of SANDBOX_LIMITS) expect(limits.textContent).toContain(about + sentence);

    const connection = screen.getByRole("region", { name: "Connection" });
    expect(within(connection).getByText("/sandbox/api/v1/queue")).toBeVisible();
    expect(connection.textContent).not.toContain("sandbox-key");

    const licences = screen.getByRole("link", { name: "Third-party licenses" });
    expect(licences).toHaveAttribute("href", "/licences/third-party.txt");
    expect(licences).toHaveAttribute("target", "_blank");
    await waitFor(() => expect([unknownActs(), strayCommands()]).toEqual([[], []]));
  });
});

describe("local data", () => {
  const put = (rows: RowStore, row: StoredRow) =>
    rows.edit({ store: "jobs", key: row.key }, () => ({
      changes: [{ kind: "put", store: "jobs", row }],
      result: undefined,
    }));
  const alerts = () => screen.getByRole("region", { name: "Notifications" });

  // P25
  test("of an import that was cut off say how far it came, and goes on", async () => {
    const { user, part } = await openSettings("Local data");
    const entry = (key: string) => ({ key, scope: "a", v: 1, body: {} });
    const stores = { marks: [entry("1"), entry("2"), entry("3")] };
    const file = new File([JSON.stringify({ format: "safelight-rows", version: 1, stores })], "a.json");
    const realPut = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value) {
      if (value.key === "3") throw new DOMException("full", "QuotaExceededError");
      return realPut.call(this, value);
    });
    await user.upload(within(part).getByLabelText("Export file"), file);
    expect(
      await screen.findByText("2 of 3 records were read. 2 records added, 0 already here. Imported records are saved."),
    ).toBeVisible();
    expect(
      await within(part).findByText(/^An import was interrupted. At least 0 of 3 records are saved/),
    ).toBeVisible();
    full.mockRestore();
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("1 record added, 2 already here.")).toBeVisible();
    await waitFor(() => expect(within(part).queryByText(/^An import was interrupted/)).toBeNull());
  });

  // M28, P16.
  test("of a newer version are counted and kept, and a deletion under the page is reported with what stays", async () => {
    const { part, scope } = await openSettings("Local data");
    const rows = await openRows();
    await put(rows, { key: "1", scope, v: 9, body: "unknown" });
    await put(rows, { key: "2", scope, v: 9, body: "unknown" });
    expect(await within(part).findByRole("status")).toHaveTextContent(
      "2 records can’t be read by this version of Safelight. Exports include unreadable records.",
    );
    expect(await within(alerts()).findByText("Reload to update Safelight")).toBeVisible();
    expect(within(alerts()).getByRole("button", { name: "Reload" })).toBeVisible();
    expect(await rows.all("jobs")).toHaveLength(2);

    await put(rows, { key: "3", scope, v: 1, body: { requestId: "job-1", submittedAtMs: 1, status: "success" } });
    indexedDB.deleteDatabase(DATABASE_NAME);
    expect(await within(alerts()).findByText("Local data was cleared")).toBeVisible();
    expect(within(alerts()).getByText(/Your jobs and files stay at the service/)).toBeVisible();
  });
});

test("diagnostics and requests are shown whole before they are saved, without what must not leave", async () => {
  const PROMPT = "a canary over the lighthouse";
  const saved: Blob[] = [];
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      saved.push(blob);
      return "blob:saved";
    },
    revokeObjectURL: () => {},
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { user, part, scope } = await openSettings("Diagnostics");
  const at = { sentAtMs: Date.UTC(2026, 10, 22, 12), tookMs: 1200, answer: PROMPT, body: PROMPT };
  const base = `https://q.example/${PROMPT}`;
  noteRequest(scope, { ...at, method: "POST", url: `${base}/apikey/requests`, response: { status: 200 } }, PROMPT);
  await writeRequests();
  // As after another load of the page: only what is on the disk is known.
  reopenRows();
  await user.click(within(part).getByRole("button", { name: "Show requests" }));
  const list = await screen.findByRole("table", { name: "Requests, latest first" });
  expect(await within(list).findByRole("cell", { name: "POST /apikey/requests" })).toBeVisible();
  // The list grows with what is sent meanwhile.
  noteRequest(scope, { ...at, method: "GET", url: `${base}/apikey/models/${PROMPT}?k=1`, response: undefined });
  expect(await within(list).findByRole("cell", { name: "GET /apikey/models/{model}" })).toBeVisible();
  expect(list).not.toHaveTextContent("canary");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(list).not.toBeInTheDocument());

  const openDialog = async () => {
    await user.click(within(part).getByRole("button", { name: "Save diagnostics" }));
    const dialog = await screen.findByRole("dialog", { name: "Save diagnostics" });
    const preview = await within(dialog).findByRole<HTMLTextAreaElement>("textbox", { name: "Diagnostics" });
    return { dialog, preview };
  };
  const cancelled = await openDialog();
  await user.click(within(cancelled.dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(cancelled.dialog).not.toBeInTheDocument());
  expect(saved).toEqual([]);

  const { dialog, preview } = await openDialog();
  expect(saved).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]?.text()).toBe(preview.value);

  expect(preview.value).not.toMatch(/canary|sandbox-key|lighthouse/);
  const { studio, browser, connection, settings, storage, requests } = JSON.parse(preview.value);
  expect(studio.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(browser.userAgent).toBe(navigator.userAgent);
  expect(connection).toMatchObject({ to: "the sandbox", queue: "localhost:4173" });
  expect(settings).toMatchObject({ fileNames: "default" });
  expect(storage).toMatchObject({ kind: "durable", rows: { outbox: 0 } });
  expect(requests).toContainEqual({
    at: "2026-11-22T12:00:00.000Z",
    method: "POST",
    path: "/apikey/requests",
    status: 200,
    tookMs: 1200,
    sent: PROMPT.length,
    received: PROMPT.length,
  });
});

// Spec 5.3.
test("the header of the key for the messages endpoint is changed in Settings, and kept", async () => {
  fakeHost({});
  await connect({
    key: "sk-canary-0123456789",
    queueBaseUrl: "https://api.example.com/q",
    inferenceBaseUrl: "https://api.example.com",
  });
  function Part() {
    const connection = useConnection();
    return connection && <ConnectionSettings connection={connection} />;
  }
  const history = createMemoryHistory({ initialEntries: ["/"] });
  render(<RouterProvider router={createRouter({ routeTree: createRootRoute({ component: Part }), history })} />);
  const choice = await screen.findByRole("radiogroup", { name: "Messages key header" });
  expect(within(choice).getByRole("radio", { name: "Authorization: Bearer" })).toBeChecked();
  await userEvent.click(within(choice).getByRole("radio", { name: "x-api-key" }));
  expect(within(choice).getByRole("radio", { name: "x-api-key" })).toBeChecked();
  expect(getConnection()).toMatchObject({ usesApiKeyHeader: true });
  expect(JSON.stringify({ ...sessionStorage })).toContain('\\"usesApiKeyHeader\\":true');
  disconnect();
  leaveHost();
});

test("saving finished jobs asks for permission to write once it is gone, and disappears with it", async () => {
  const requestPermission = vi.fn(async () => "granted" as PermissionState);
  const folder = { name: "Pictures", getFileHandle: async () => undefined, requestPermission };
  vi.stubGlobal("showDirectoryPicker", async () => folder as unknown as FolderHandle);
  setArchiving(true);
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
