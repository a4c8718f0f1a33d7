import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { openStudio } from "../../app/open-studio.tsx";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { expectNoViolations } from "../../ui/expect-no-violations.ts";

async function openSettings() {
  const opened = await openStudio("/settings");
  await screen.findByRole("heading", { level: 1, name: "Settings" });
  return opened;
}

const settingsNow = async () => (await fetch("http://localhost:4173/sandbox/settings")).json();

describe("Settings", () => {
  test("sets the sandbox's speed to 1, 10 or 60 in both places", async () => {
    const { user } = await openSettings();
    const part = screen.getByRole("region", { name: "Sandbox speed" });
    await waitFor(() => expect(within(part).getByRole("radio", { name: "1×" })).toBeChecked());
    await user.click(within(part).getByRole("radio", { name: "60×" }));
    await waitFor(async () => expect(await settingsNow()).toMatchObject({ speed: 60 }));
    for (const radio of await screen.findAllByRole("radio", { name: "60×" })) expect(radio).toBeChecked();
  });

  test("switches a quirk on and off", async () => {
    const { user } = await openSettings();
    const part = screen.getByRole("region", { name: "Sandbox answers" });
    const toggle = await within(part).findByRole("switch", { name: "outcome-null" });
    await user.click(toggle);
    await waitFor(async () => expect(await settingsNow()).toMatchObject({ quirks: ["outcome-null"] }));
    await waitFor(() => expect(toggle).toBeChecked());
    await user.click(toggle);
    await waitFor(async () => expect(await settingsNow()).toMatchObject({ quirks: [] }));
  });

  test("lists what the sandbox does not do", async () => {
    await openSettings();
    const part = screen.getByRole("region", { name: "Sandbox limits" });
    const { SANDBOX_LIMITS } = await import("#sandbox/limits.ts");
    for (const { about, sentence } of SANDBOX_LIMITS) {
      expect((await within(part).findByText(about)).nextElementSibling).toHaveTextContent(sentence);
    }
  });

  test("lists every documented input of the sandbox", async () => {
    await openSettings();
    const part = screen.getByRole("region", { name: "Sandbox inputs" });
    const { DOCUMENTED_INPUTS } = await import("#sandbox/documented-inputs.ts");
    await within(part).findByText("fail:moderation");
    for (const { input, effect } of DOCUMENTED_INPUTS) {
      expect(within(part).getByText(input)).toBeVisible();
      expect(within(part).getByText(effect)).toBeVisible();
    }
    await expectNoViolations();
  });

  test("shows the addresses and never the key", async () => {
    await openSettings();
    const part = screen.getByRole("region", { name: "Connection" });
    expect(within(part).getByText("/sandbox/api/v1/queue")).toBeVisible();
    expect(document.body).not.toHaveTextContent("sandbox-key ");
    expect(within(part).queryByText("sandbox-key")).not.toBeInTheDocument();
  });

  // P25
  test("says of an import that was cut off how far it came, and goes on", async () => {
    freshDatabase();
    const { user } = await openSettings();
    const part = screen.getByRole("region", { name: "Local data" });
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
      await screen.findByText("2 of 3 records were read. 2 records added, 0 already here. What was read is kept."),
    ).toBeVisible();
    expect(await within(part).findByText(/^An import was cut off. At least 0 of 3 records were read/)).toBeVisible();
    full.mockRestore();
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("1 record added, 2 already here.")).toBeVisible();
    await waitFor(() => expect(within(part).queryByText(/^An import was cut off/)).toBeNull());
  });
});
