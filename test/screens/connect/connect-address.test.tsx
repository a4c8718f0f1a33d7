import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, disconnect, fetchOf, getConnection } from "#connection/connection-store.ts";
import { serveAnswers, serveJson } from "../../api/answer-server.ts";
import { fakeHost, leaveHost } from "../../connection/fake-host.ts";
import { checkList, fillConnection, visitConnect } from "./visit-connect.tsx";

beforeEach(() => localStorage.clear());
afterEach(disconnect);

const KEY = "canary-key-9f3c";
/** Nothing listens there. */
const CLOSED = "http://127.0.0.1:4329/api/v1/queue";

describe("two addresses of a service elsewhere", () => {
  it("that both answer are shown with counts, and the studio opens", async () => {
    const queue = await serveJson({ model_ids: ["a", "b"] });
    const text = await serveJson({ data: [{ id: "t" }] });
    const { user, where } = await visitConnect("/connect?back=%2Fspend");
    await fillConnection(user, { key: KEY, queue: `${queue.url}/api/v1/queue`, inference: text.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue, 2 models")).toBeVisible();
    expect(await within(checkList()).findByText("Text, 1 model")).toBeVisible();
    expect(screen.getByRole("button", { name: "Open the studio" })).toBeVisible();
    expect(await screen.findByText("The studio")).toBeVisible();
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
    await user.type(screen.getByLabelText("API key"), "x");
    expect(screen.queryByRole("list", { name: "Checks" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Connect" })).toBeVisible();
    expect(getConnection()).toBeNull();
  });

  it("that do not answer are reported without a guess at the cause", async () => {
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: CLOSED, inference: "http://127.0.0.1:4329" });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue: No response from the service")).toBeVisible();
    expect(checkList()).toHaveTextContent("The browser gives no reason");
    expect(screen.getByRole("button", { name: "Check again" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Open the studio" })).not.toBeInTheDocument();
  });

  it("that are a web page's are recognised as such", async () => {
    const page = await serveAnswers((_request, response) => response.end("<!doctype html><title>Hello</title>"));
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: page.url, inference: page.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    const sentence = "Queue: This address returns a web page, not a list of models.";
    expect(await within(checkList()).findByText(sentence)).toBeVisible();
    expect(await within(checkList()).findByText("Text: The same")).toBeVisible();
    expect(screen.getByText("Queue addresses usually end in /api/v1/queue.")).toBeVisible();
  });

  it("that are swapped get an explanation of 405", async () => {
    const other = await serveJson({ error: "method not allowed" }, 405);
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: `${other.url}/api/v1/queue`, inference: other.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText(/^Queue: Wrong address for this request/);
    expect(checkList()).toHaveTextContent("not swapped");
    await user.click(within(checkList()).getByRole("button", { name: "Swap them" }));
    expect(screen.getByLabelText("Queue address")).toHaveValue(other.url);
    expect(screen.getByLabelText("Inference address")).toHaveValue(`${other.url}/api/v1/queue`);
    await within(checkList()).findByText(/^Queue: Wrong address for this request/);
    expect(other.seen.at(-1)?.url).toMatch(/^\/(api\/v1\/queue\/v1|apikey)\/models$/);
  });

  it("that are swapped by their ends are offered to be swapped at 404", async () => {
    const other = await serveJson({ error: "not found" }, 404);
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: other.url, inference: `${other.url}/api/v1/queue` });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue: The two addresses may be swapped")).toBeVisible();
    expect(within(checkList()).getByText("Text: The same")).toBeVisible();
    await user.click(within(checkList()).getByRole("button", { name: "Swap them" }));
    expect(screen.getByLabelText("Queue address")).toHaveValue(`${other.url}/api/v1/queue`);
    expect(screen.getByLabelText("Inference address")).toHaveValue(other.url);
  });
});

describe("without a host of its own, the page", () => {
  it("says that it talks to the service directly, and on request what that costs", async () => {
    const { user } = await visitConnect();
    const note = screen.getByText(/^This page sends requests directly to the service/);
    expect(screen.getByText(/may repeat a request when/)).not.toBeVisible();
    await user.click(note);
    expect(
      screen.getByText(/may repeat a request when a connection breaks.*reports it as a possible duplicate/),
    ).toBeVisible();
    expect(screen.getByText(/^It is sent only to the two addresses below\. A reload/)).toBeVisible();
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
    expect(screen.getByRole("button", { name: "Check again" })).toBeVisible();
    await user.click(screen.getByText(/^This page sends requests directly to the service/));
    expect(screen.queryByRole("button", { name: "Check again" })).not.toBeInTheDocument();
    expect(await screen.findByText("The studio")).toBeVisible();
  });
});

describe("served by the studio's server, the page", () => {
  afterEach(leaveHost);
  const ADDRESSES = { key: KEY, queue: "https://api.example.com/api/v1/queue", inference: "https://api.example.com" };

  it("says so of the key, and sends both checks by way of the host", async () => {
    const host = fakeHost({ mode: "typed" });
    const { user } = await visitConnect();
    expect(screen.queryByText(/talks to the service directly/)).not.toBeInTheDocument();
    expect(screen.getByText(/^The studio’s server stores it.* This page does not keep it\.$/)).toBeVisible();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText(/^Queue: The response cannot be read/);
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
    expect(await within(checkList()).findByText("Queue: This address is not allowed here")).toBeVisible();
    expect(checkList()).toHaveTextContent(
      "Said so Check the address, or ask the administrator of this studio to allow it.",
    );
    expect(screen.getByRole("button", { name: "Check again" })).toBeVisible();
  });

  it("asks the host anew when the check is repeated", async () => {
    const host = fakeHost({ mode: "typed", knowsPage: false });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText("Queue: The studio was opened at the wrong address");
    const before = host.requests.length;
    await user.click(screen.getByRole("button", { name: "Check again" }));
    await within(checkList()).findByText("Queue: The studio was opened at the wrong address");
    expect(host.requests.slice(before)).toContain("POST /session");
  });

  it("gives the key away once, and opens the studio without it", async () => {
    const answers = () => Response.json({ model_ids: ["a"], data: [] });
    const host = fakeHost({ answers });
    const { user } = await visitConnect();
    await fillConnection(user, ADDRESSES);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await screen.findByText("The studio")).toBeVisible();
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
    await user.type(screen.getByLabelText("API key"), "x");
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
    await screen.findByText("The studio");
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
    await fetchOf(connection)(`${ADDRESSES.queue}/apikey/models`);
    const { user, where } = await visitConnect("/connect?back=%2Fhistory");
    expect(screen.getByText(/^The connection to api\.example\.com has ended/)).toBeVisible();
    expect(screen.getByText(/^Said so/)).toBeVisible();
    expect(screen.getByLabelText("Queue address")).toHaveValue(ADDRESSES.queue);
    expect(screen.getByLabelText("API key")).toHaveValue("");
    await user.type(screen.getByLabelText("API key"), KEY);
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await screen.findByText("The studio");
    expect(where()).toBe("/history");
    expect(getConnection()?.accountId).toBe(connection.accountId);
  });
});
