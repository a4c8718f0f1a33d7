import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connect, disconnect, getConnection, getFetch } from "#connection/connection-store.ts";
import { serveAnswers, serveJson } from "../api/answer-server.ts";
import { fakeHost, leaveHost } from "../connection/fake-host.ts";
import { isLongSuite } from "../setup/cases.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { checkList, fillConnection, studioOpens, visitConnect, write } from "./visit-connect.tsx";

beforeEach(() => localStorage.clear());
afterEach(disconnect);

const KEY = "canary-key-9f3c";
/** A service that breaks every connection. */
const serveNothing = () => serveAnswers((request) => void request.socket.resetAndDestroy());

describe("two addresses of a service elsewhere", () => {
  it("that both answer are shown with counts, and the studio opens", async () => {
    const queue = await serveJson({ model_ids: ["a", "b"] });
    const text = await serveJson({ data: [{ id: "t" }] });
    const { user, where } = await visitConnect("/connect?back=%2Fspend");
    await fillConnection(user, { key: KEY, queue: `${queue.url}/api/v1/queue`, inference: text.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue, 2 models")).toBeVisible();
    expect(await within(checkList()).findByText("Text, 1 model")).toBeVisible();
    expect(screen.getByRole("button", { name: "Continue" })).toBeVisible();
    await studioOpens();
    expect(where()).toBe("/spend");
    expect(getConnection()).toMatchObject({ keyHint: "9f3c", name: new URL(queue.url).host });
    expect([...queue.seen.slice(0, 1), ...text.seen].map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/api/v1/queue/apikey/models", `Bearer ${KEY}`],
      ["/v1/models", `Bearer ${KEY}`],
    ]);
  });

  it("are asked again when one is changed, and never opened with the old result", async () => {
    const queue = await serveJson({ model_ids: ["a"] });
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: `${queue.url}/api/v1/queue`, inference: queue.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText("Queue, 1 model");
    await write(user, "API key", "x");
    expect(screen.queryByRole("list", { name: "Checks" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Connect" })).toBeVisible();
    expect(getConnection()).toBeNull();
  });

  it("that do not answer are reported without a guess at the cause", async () => {
    const { url } = await serveNothing();
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: `${url}/api/v1/queue`, inference: url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue: No response from the service")).toBeVisible();
    expect(checkList()).toHaveTextContent("The browser gives no reason");
    expect(screen.getByRole("button", { name: "Check again" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Continue" })).not.toBeInTheDocument();
  });

  it("that are a web page's are recognised as such", async () => {
    const page = await serveAnswers((_request, response) => response.end("<!doctype html><title>Hello</title>"));
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: page.url, inference: page.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    const sentence = "Queue: This URL returns a web page, not a list of models";
    expect(await within(checkList()).findByText(sentence)).toBeVisible();
    expect(await within(checkList()).findByText("Text: same problem")).toBeVisible();
    expect(screen.getByText("Queue URLs usually end in /api/v1/queue.")).toBeVisible();
  });

  it("that are swapped get an explanation of 405", async () => {
    const other = await serveJson({ error: "method not allowed" }, 405);
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: `${other.url}/api/v1/queue`, inference: other.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText(/^Queue: Wrong URL for this request/);
    expect(checkList()).toHaveTextContent("not swapped");
    await user.click(within(checkList()).getByRole("button", { name: "Swap URLs" }));
    expect(screen.getByLabelText("Queue URL")).toHaveValue(other.url);
    expect(screen.getByLabelText("Inference URL")).toHaveValue(`${other.url}/api/v1/queue`);
    await within(checkList()).findByText(/^Queue: Wrong URL for this request/);
    expect(other.seen.at(-1)?.url).toMatch(/^\/(api\/v1\/queue\/v1|apikey)\/models$/);
  });

  it("that are swapped by their ends are offered to be swapped at 404", async () => {
    const other = await serveJson({ error: "not found" }, 404);
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: other.url, inference: `${other.url}/api/v1/queue` });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue: The two URLs may be swapped")).toBeVisible();
    expect(within(checkList()).getByText("Text: same problem")).toBeVisible();
    await user.click(within(checkList()).getByRole("button", { name: "Swap URLs" }));
    expect(screen.getByLabelText("Queue URL")).toHaveValue(`${other.url}/api/v1/queue`);
    expect(screen.getByLabelText("Inference URL")).toHaveValue(other.url);
  });
});

describe("without a host of its own, the page", () => {
  it("says that it talks to the service directly, and on request what that costs", async () => {
    const { user } = await visitConnect();
    const note = screen.getByText(/^This page sends requests directly to the service/);
    expect(screen.getByText(/may repeat a request when/)).not.toBeVisible();
    await user.click(note);
    expect(
      screen.getByText(/may repeat a request when a connection breaks.*reports a possible duplicate/),
    ).toBeVisible();
    expect(screen.getByText(/^It is sent only to the two URLs below\. Reloading/)).toBeVisible();
  });

  it("waits with opening the studio while that is read", async () => {
    const service = await serveJson({ model_ids: ["a"], data: [] });
    const { user } = await visitConnect();
    await user.click(screen.getByText(/^This page sends requests directly to the service/));
    await fillConnection(user, { key: KEY, queue: `${service.url}/api/v1/queue`, inference: service.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText("Queue, 1 model");
    await within(checkList()).findByText("Text, 0 models");
    // Where the studio is about to open by itself, there is no other button.
    expect(await screen.findByRole("button", { name: "Check again" })).toBeVisible();
    await user.click(screen.getByText(/^This page sends requests directly to the service/));
    // A part that folds tells it a moment later.
    await waitFor(() => expect(screen.queryByRole("button", { name: "Check again" })).not.toBeInTheDocument());
    await studioOpens();
  });
});

describe("served by the Safelight server, the page", () => {
  afterEach(leaveHost);
  const ADDRESSES = { key: KEY, queue: "https://api.example.com/api/v1/queue", inference: "https://api.example.com" };

  it("says so of the key, and sends both checks by way of the host", async () => {
    const host = fakeHost({ mode: "typed" });
    const { user } = await visitConnect();
    expect(screen.queryByText(/talks to the service directly/)).not.toBeInTheDocument();
    expect(screen.getByText(/^The Safelight server stores it.* This page doesn’t have it\.$/)).toBeVisible();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText(/^Queue: Unreadable response/);
    expect(host.relayed.map(([, path]) => path).sort()).toEqual([
      "/relay/api/https/api.example.com/api/v1/queue/apikey/models",
      "/relay/api/https/api.example.com/v1/models",
    ]);
  });

  it("says in the host's words that it may not go there, and what to do", async () => {
    fakeHost({ mode: "configured", refuses: "https://api.example.com" });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue: This URL is not allowed")).toBeVisible();
    expect(checkList()).toHaveTextContent(
      "Said so Check the URL, or ask your administrator to allow it.",
    );
    expect(screen.getByRole("button", { name: "Check again" })).toBeVisible();
  });

  it("asks the host anew when the check is repeated", async () => {
    const host = fakeHost({ mode: "typed", knowsPage: false });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText("Queue: Safelight was opened at the wrong URL");
    const before = host.requests.length;
    await user.click(screen.getByRole("button", { name: "Check again" }));
    await within(checkList()).findByText("Queue: Safelight was opened at the wrong URL");
    expect(host.requests.slice(before)).toContain("POST /session");
  });

  it("gives the key away once, and opens the studio without it", async () => {
    const answers = () => Response.json({ model_ids: ["a"], data: [] });
    const host = fakeHost({ answers });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await studioOpens();
    expect(host.orders.map(({ key }) => key)).toEqual([KEY]);
    expect(JSON.stringify([getConnection(), { ...localStorage }, { ...sessionStorage }])).not.toContain(KEY);
    expect([...host.sessions.values()]).toEqual([KEY]);
  });

  it("has the host forget a key that is changed before the studio opens", async () => {
    const host = fakeHost({ answers: () => Response.json({ model_ids: ["a"] }) });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText("Queue, 1 model");
    await write(user, "API key", "x");
    await waitFor(() => expect([...host.sessions.values()]).toEqual([]));
    // Another tab may hold the same key.
    expect(host.requests.filter((request) => request.startsWith("DELETE"))).toEqual(["DELETE /session?only=this"]);
  });

  it("opens in every tab where the person chose that", async () => {
    fakeHost({ answers: () => Response.json({ model_ids: ["a"], data: [] }) });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("checkbox", { name: "Use in all tabs of this browser" }));
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await studioOpens();
    expect(getConnection()).toMatchObject({ isShared: true });
  });

  it("says why a session ended, with the addresses filled in and the key not", async () => {
    const host = fakeHost({ answers: () => Response.json({ model_ids: ["a"], data: [] }) });
    const connection = await connect({
      key: KEY,
      queueBaseUrl: ADDRESSES.queue,
      inferenceBaseUrl: ADDRESSES.inference,
    });
    host.restart();
    await getFetch(connection)(`${ADDRESSES.queue}/apikey/models`);
    const { user, where } = await visitConnect("/connect?back=%2Fhistory");
    expect(screen.getByText(/^Disconnected from api\.example\.com/)).toBeVisible();
    expect(screen.getByText(/^Said so/)).toBeVisible();
    expect(screen.getByLabelText("Queue URL")).toHaveValue(ADDRESSES.queue);
    expect(screen.getByLabelText("API key")).toHaveValue("");
    await write(user, "API key", KEY);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await studioOpens();
    expect(where()).toBe("/history");
    expect(getConnection()?.accountId).toBe(connection.accountId);
  });
});

describe("the sandbox", () => {
  it("opens in one press and goes to Create, wherever a foreign address would lead", async () => {
    const { user, where } = await visitConnect(`/connect?back=${encodeURIComponent("https://evil.example/")}`);
    await user.click(screen.getByRole("button", { name: "Open sandbox" }));
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
    expect(screen.queryByRole("button", { name: "Open sandbox" })).toBeNull();
  });

  it("returns to the address that the visitor wanted", async () => {
    const { user, where } = await visitConnect(`/connect?back=${encodeURIComponent("/history?status=failed")}`);
    await user.click(screen.getByRole("button", { name: "Open sandbox" }));
    await screen.findByText("The studio");
    expect(where()).toBe("/history?status=failed");
  });
});

// Spec 5.2: one key for both catalogues.
describe("a key for the sandbox's own service", () => {
  let server: SandboxServer;
  beforeEach(() => {
    server = startSandboxServer();
  });
  afterEach(() => server.close());

  function fill(user: UserEvent, values: { key?: string; queue?: string; inference?: string } = {}) {
    const { queueBaseUrl: queue, inferenceBaseUrl: inference } = server;
    // Where the sandbox knows nothing.
    const nowhere = `${inference}/nowhere`;
    return fillConnection(user, { key: "sandbox-key", queue, inference: nowhere, ...values });
  }

  it("opens the studio with the queue alone when the text catalogue fails, and keeps the addresses only", async () => {
    const { user, where } = await visitConnect();
    await fill(user);
    await user.keyboard("{Enter}");
    expect(await within(checkList()).findByText(/^Queue, \d+ models$/)).toBeVisible();
    expect(within(checkList()).getByText(/^\d+ ms$/)).toBeVisible();
    await within(checkList()).findByText(/Text: No service at this URL/);
    await user.click(await screen.findByRole("button", { name: "Continue" }));
    await screen.findByText("The studio");
    expect(where()).toBe("/create");
    expect(getConnection()).toMatchObject({ keyHint: "-key", isSandbox: false, queueBaseUrl: server.queueBaseUrl });
    const kept = JSON.stringify({ ...localStorage });
    expect(kept).toContain(server.queueBaseUrl);
    expect(kept).not.toContain("sandbox-key");
  });

  // Spec 5.5.
  it.each(isLongSuite ? ["revoked-key", "no-such-key"] : ["revoked-key"])(
    "is said to be missing, invalid or revoked where it is %s",
    async (wrong) => {
      const { user } = await visitConnect();
      await fill(user, { key: wrong });
      await user.click(screen.getByRole("button", { name: "Connect" }));
      await within(checkList()).findByText(/missing, invalid or revoked/);
      expect(checkList()).toHaveTextContent(/Queue: API key rejected 401.*missing, invalid or revoked/);
      expect(screen.queryByRole("button", { name: "Continue" })).not.toBeInTheDocument();
      expect(document.body).not.toHaveTextContent(wrong);
    },
  );

  // Spec 5.5, 7.
  it("is asked about again by itself while authentication is unavailable", async () => {
    server.sandbox.configure({ faults: [{ endpoint: "models", status: 503, times: 1 }] });
    const { user } = await visitConnect();
    await fill(user);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(
      await within(checkList()).findByText(/can’t check keys or reach its models right now.*Trying again in/),
    ).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(await within(checkList()).findByText(/^Queue, \d+ models$/)).toBeVisible();
  });

  it("is not sent while something is wrong with the form, which says what", async () => {
    const { user } = await visitConnect();
    await fill(user, { key: " ", queue: "queue.example", inference: "ftp://x" });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(screen.getByLabelText("API key")).toHaveFocus();
    for (const [field, problem] of [
      ["API key", "Enter the API key."],
      ["Queue URL", "Start the URL with https://."],
      ["Inference URL", "Only https:// and http:// URLs work."],
    ] as const) {
      expect(screen.getByLabelText(field)).toHaveAccessibleDescription(problem);
      expect(screen.getByLabelText(field)).toBeInvalid();
    }
    expect(server.sandbox.inspect().requests).toEqual([]);
  });

  it("is hidden until shown, and hidden from password managers", async () => {
    const { user } = await visitConnect();
    const key = screen.getByLabelText("API key");
    expect(key).toHaveAttribute("type", "password");
    expect(key).toHaveAttribute("autocomplete", "off");
    await user.click(screen.getByRole("button", { name: "Show key" }));
    expect(key).toHaveAttribute("type", "text");
    await user.click(screen.getByRole("button", { name: "Hide key" }));
    expect(key).toHaveAttribute("type", "password");
  });
});
