import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, getConnection } from "#connection/connection-store.ts";
import { serveAnswers, serveJson } from "../../api/answer-server.ts";
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
    expect(await screen.findByText("The studio", {}, { timeout: 3000 })).toBeVisible();
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
    expect(await within(checkList()).findByText("Queue: No answer")).toBeVisible();
    expect(checkList()).toHaveTextContent("The browser does not tell why");
    expect(screen.getByRole("button", { name: "Check again" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Open the studio" })).not.toBeInTheDocument();
  });

  it("that are a web page's are recognised as such", async () => {
    const page = await serveAnswers((_request, response) => response.end("<!doctype html><title>Hello</title>"));
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: page.url, inference: page.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await within(checkList()).findByText("Queue: The answer cannot be read")).toBeVisible();
    expect(checkList()).toHaveTextContent("not a web page's");
    expect(screen.getByText("Queue addresses usually end in /api/v1/queue.")).toBeVisible();
  });

  it("that are swapped get an explanation of 405", async () => {
    const other = await serveJson({ error: "method not allowed" }, 405);
    const { user } = await visitConnect();
    await fillConnection(user, { key: KEY, queue: `${other.url}/api/v1/queue`, inference: other.url });
    await user.click(screen.getByRole("button", { name: "Connect" }));
    await within(checkList()).findByText(/^Queue: The address does not take/);
    expect(checkList()).toHaveTextContent("not swapped");
  });
});
