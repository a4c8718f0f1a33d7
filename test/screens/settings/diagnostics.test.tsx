import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { noteRequest } from "#connection/request-history.ts";
import { writeRequests } from "#connection/stored-requests.ts";
import { reopenRows } from "#storage/database.ts";
import { openStudio } from "../../app/open-studio.tsx";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { expectNoViolations } from "../../ui/expect-no-violations.ts";

const PROMPT = "a canary over the lighthouse";
let saved: Blob[];

beforeEach(() => {
  freshDatabase();
  saved = [];
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      saved.push(blob);
      return "blob:saved";
    },
    revokeObjectURL: () => {},
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function openDiagnostics() {
  const { user } = await openStudio("/settings");
  const part = await screen.findByRole("region", { name: "Diagnostics" });
  const { accountId = "" } = getConnection() ?? {};
  const at = { sentAtMs: Date.UTC(2026, 10, 22, 12), tookMs: 1200, answer: PROMPT, body: PROMPT };
  const base = `https://q.example/${PROMPT}`;
  noteRequest(accountId, { ...at, method: "POST", url: `${base}/apikey/requests`, response: { status: 200 } }, PROMPT);
  noteRequest(accountId, { ...at, method: "GET", url: `${base}/apikey/models/${PROMPT}?k=1`, response: undefined });
  return { user, part };
}

test("requests of an earlier page load are listed", async () => {
  const { user, part } = await openDiagnostics();
  await writeRequests();
  reopenRows();
  await user.click(within(part).getByRole("button", { name: "Show requests" }));
  const list = await screen.findByRole("table", { name: "Requests, newest first" });
  expect(await within(list).findByRole("cell", { name: "POST /apikey/requests" })).toBeVisible();
  expect(within(list).getByRole("cell", { name: "GET /apikey/models/{model}" })).toBeVisible();
  expect(list).not.toHaveTextContent("canary");
  await expectNoViolations();
});

test("diagnostics are shown as a whole before they are saved, without what must not leave", async () => {
  const { user, part } = await openDiagnostics();
  await user.click(within(part).getByRole("button", { name: "Save diagnostics" }));
  const dialog = await screen.findByRole("dialog", { name: "Save diagnostics" });
  const preview = await within(dialog).findByRole<HTMLTextAreaElement>("textbox", { name: "Diagnostics" });
  expect(saved).toEqual([]);
  await expectNoViolations();
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

test("nothing is saved where the person cancels", async () => {
  const { user, part } = await openDiagnostics();
  await user.click(within(part).getByRole("button", { name: "Save diagnostics" }));
  const dialog = await screen.findByRole("dialog", { name: "Save diagnostics" });
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(saved).toEqual([]);
});

test("the licences of parts by others are a file of the studio, in a new tab", async () => {
  await openStudio("/settings");
  const link = await screen.findByRole("link", { name: "Third-party licences" });
  expect(link).toHaveAttribute("href", "/licences/third-party.txt");
  expect(link).toHaveAttribute("target", "_blank");
});
