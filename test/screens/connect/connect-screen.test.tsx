import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { disconnect, getConnection } from "#connection/connection-store.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { checkList, fillConnection, visitConnect } from "./visit-connect.tsx";

let server: SandboxServer;
beforeEach(() => {
  localStorage.clear();
  server = startSandboxServer();
});
afterEach(() => {
  disconnect();
  server.close();
});

const key = () => screen.getByLabelText("API key");

function fill(user: UserEvent, values: { key?: string; queue?: string; inference?: string }) {
  const { queueBaseUrl: queue, inferenceBaseUrl: inference } = server;
  return fillConnection(user, { key: "sandbox-key", queue, inference, ...values });
}

/** An inference address where the sandbox knows nothing. */
const nowhere = () => `${server.inferenceBaseUrl}/nowhere`;

describe("the sandbox", () => {
  it("opens in one press and goes to Create", async () => {
    const { user, where } = await visitConnect();
    await user.click(screen.getByRole("button", { name: "Open the sandbox" }));
    expect(await screen.findByText("The studio")).toBeVisible();
    expect(where()).toBe("/create");
    expect(getConnection()).toMatchObject({ isSandbox: true, name: "Sandbox" });
  });

  it("is not offered by a host whose settings leave it out", async () => {
    const mark = document.createElement("meta");
    mark.name = "safelight-host";
    mark.content = "here";
    mark.dataset.sandbox = "off";
    document.head.append(mark);
    onTestFinished(() => mark.remove());
    await visitConnect();
    expect(screen.getByRole("button", { name: "Connect" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Open the sandbox" })).toBeNull();
  });

  it("returns to the address that the visitor wanted", async () => {
    const { user, where } = await visitConnect(`/connect?back=${encodeURIComponent("/history?status=failed")}`);
    await user.click(screen.getByRole("button", { name: "Open the sandbox" }));
    await screen.findByText("The studio");
    expect(where()).toBe("/history?status=failed");
  });

  it.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/connect", "7"])(
    "does not return to %s",
    async (back) => {
      const { user, where } = await visitConnect(`/connect?back=${encodeURIComponent(back)}`);
      await user.click(screen.getByRole("button", { name: "Open the sandbox" }));
      await screen.findByText("The studio");
      expect(where()).toBe("/create");
    },
  );
});

// Spec 5.2: one key for both catalogues.
describe("connecting with a key", () => {
  it("shows how many models the queue has and how fast it answered", async () => {
    const { user } = await visitConnect();
    await fill(user, { inference: nowhere() });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText(/^Queue, \d+ models$/)).toBeVisible();
    expect(within(checkList()).getByText(/^\d+ ms$/)).toBeVisible();
  });

  it("opens the studio with the queue alone when the text catalogue fails", async () => {
    const { user, where } = await visitConnect();
    await fill(user, { inference: nowhere() });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText(/Text: No service at this address/);
    await user.click(screen.getByRole("button", { name: "Open the studio" }));
    await screen.findByText("The studio");
    expect(where()).toBe("/create");
    expect(getConnection()).toMatchObject({ keyHint: "-key", isSandbox: false, queueBaseUrl: server.queueBaseUrl });
  });

  // Spec 5.5.
  it.each(["revoked-key", "no-such-key"])("says of %s that it is missing, invalid or revoked", async (wrong) => {
    const { user } = await visitConnect();
    await fill(user, { key: wrong });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await waitFor(() => {
      expect(checkList()).toHaveTextContent(/Queue: The key was not accepted 401.*missing, invalid or revoked/);
    });
    expect(screen.queryByRole("button", { name: "Open the studio" })).not.toBeInTheDocument();
    expect(document.body).not.toHaveTextContent(wrong);
  });

  // Spec 5.5, 7.
  it("says that authentication is temporarily unavailable and asks again by itself", async () => {
    server.sandbox.configure({ faults: [{ endpoint: "models", status: 503, times: 1 }] });
    const { user } = await visitConnect();
    await fill(user, { inference: nowhere() });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(
      await within(checkList()).findByText(/cannot check keys or reach its models right now.*Trying again in/),
    ).toBeVisible();
    expect(await within(checkList()).findByText(/^Queue, \d+ models$/)).toBeVisible();
  });

  it.each([
    [{ key: " " }, "API key", "Enter the API key."],
    [{ queue: "queue.example" }, "Queue address", "Start the address with https://."],
    [{ inference: "ftp://x" }, "Inference address", "Only https:// and http:// addresses work."],
  ])("says what is wrong with %j before anything is sent", async (values, field, problem) => {
    const { user } = await visitConnect();
    await fill(user, values);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(screen.getByLabelText(field)).toHaveFocus();
    expect(screen.getByLabelText(field)).toHaveAccessibleDescription(problem);
    expect(screen.getByLabelText(field)).toBeInvalid();
    expect(server.sandbox.inspect().requests).toEqual([]);
  });

  it("hides the key until shown, and from password managers", async () => {
    const { user } = await visitConnect();
    expect(key()).toHaveAttribute("type", "password");
    expect(key()).toHaveAttribute("autocomplete", "off");
    await user.click(screen.getByRole("button", { name: "Show key" }));
    expect(key()).toHaveAttribute("type", "text");
    await user.click(screen.getByRole("button", { name: "Hide key" }));
    expect(key()).toHaveAttribute("type", "password");
  });

  it("remembers the addresses on this device and never the key", async () => {
    const { user } = await visitConnect();
    await fill(user, { inference: nowhere() });
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("button", { name: "Open the studio" }));
    await screen.findByText("The studio");
    const kept = JSON.stringify({ ...localStorage });
    expect(kept).toContain(server.queueBaseUrl);
    expect(kept).not.toContain("sandbox-key");
  });

  it("has no accessibility violation, with problems and results shown", async () => {
    const { user } = await visitConnect();
    await user.click(screen.getByRole("button", { name: "Connect" }));
    const options = { rules: { "color-contrast": { enabled: false } } };
    expect((await axe.run(document.body, options)).violations).toEqual([]);
    await fill(user, { inference: nowhere() });
    await user.keyboard("{Enter}");
    await within(checkList()).findByText(/^Queue, \d+ models$/);
    expect((await axe.run(document.body, options)).violations).toEqual([]);
  });
});
