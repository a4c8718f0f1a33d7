import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { openRows } from "#storage/database.ts";
import { DATABASE_NAME } from "#storage/keys.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import { openStudio } from "../../app/open-studio.tsx";
import { freshDatabase } from "../../storage/fresh-database.ts";

const put = (rows: RowStore, row: StoredRow) =>
  rows.edit({ store: "jobs", key: row.key }, () => ({
    changes: [{ kind: "put", store: "jobs", row }],
    result: undefined,
  }));
const alerts = () => screen.getByRole("region", { name: "Notifications" });

async function openSettings() {
  freshDatabase();
  const opened = await openStudio("/settings");
  const part = await screen.findByRole("region", { name: "Local data" });
  return { ...opened, part, scope: getConnection()?.accountId ?? "" };
}

// M28.
test("records of a newer version are said to be kept, and counted in Settings", async () => {
  const { part, scope } = await openSettings();
  const rows = await openRows();
  await put(rows, { key: "1", scope, v: 9, body: "unknown" });
  await put(rows, { key: "2", scope, v: 9, body: "unknown" });
  expect(await within(part).findByRole("status")).toHaveTextContent(
    "2 records were written by a newer version of Safelight, or not readable by this one. They are kept and included in exports.",
  );
  expect(await within(alerts()).findByText("Some local data is newer than this page")).toBeVisible();
  expect(within(alerts()).getByRole("button", { name: "Reload" })).toBeVisible();
  expect(await rows.all("jobs")).toHaveLength(2);
});

// P16.
test("records deleted under the page are reported, with what stays", async () => {
  const { scope } = await openSettings();
  await put(await openRows(), {
    key: "1",
    scope,
    v: 1,
    body: { requestId: "job-1", submittedAtMs: 1, status: "success" },
  });
  indexedDB.deleteDatabase(DATABASE_NAME);
  expect(await within(alerts()).findByText("The local data of this browser was deleted")).toBeVisible();
  expect(within(alerts()).getByText(/Jobs, files and charges are still at the service/)).toBeVisible();
});
