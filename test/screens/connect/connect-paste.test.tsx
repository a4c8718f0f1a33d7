import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, getConnection } from "#connection/connection-store.ts";
import { fakeHost, leaveHost } from "../../connection/fake-host.ts";
import {
  API,
  box,
  CURL,
  connectButton,
  found,
  KEY,
  PAGE,
  pasteInto,
  QUEUE,
  service,
  TEXT,
  value,
} from "./paste-steps.ts";
import { visitConnect } from "./visit-connect.tsx";

beforeEach(() => localStorage.clear());
afterEach(() => {
  disconnect();
  leaveHost();
});

describe("a curl command with a key", () => {
  it("fills in key and both addresses, and they are checked", async () => {
    const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    expect(await within(found()).findByText("2 models")).toBeVisible();
    expect(await within(found()).findByText("1 model")).toBeVisible();
    expect(within(found()).getByText("Accepted")).toBeVisible();
    expect(value("API key")).toBe(KEY);
    expect(value("Queue address")).toBe(`${API}/api/v1/queue`);
    expect(value("Inference address")).toBe(API);
    expect(host.orders).toHaveLength(1);
    expect(getConnection()).toBeNull();
  });

  it("opens the studio with one press, and the key is given away once", async () => {
    const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user, where } = await visitConnect();
    await pasteInto(user, CURL);
    await within(found()).findByText("Accepted");
    await within(found()).findByText("1 model");
    await user.click(connectButton());
    expect(await screen.findByText("The studio")).toBeVisible();
    expect(where()).toBe("/create");
    expect(host.orders.map(({ key }) => key)).toEqual([KEY]);
    expect(JSON.stringify([getConnection(), { ...localStorage }, { ...sessionStorage }])).not.toContain(KEY);
  });

  it("opens the studio also where Connect is pressed during the checks", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    await user.click(connectButton());
    expect(await screen.findByText("The studio")).toBeVisible();
  });

  it("shows only the last four characters of the key outside its field", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    expect(box()).toHaveValue(CURL.replace(KEY, "····k3Qp"));
    expect(await within(found()).findByText("····k3Qp")).toBeVisible();
    const shown = document.documentElement.outerHTML;
    expect(shown).not.toContain(KEY);
    expect(screen.getByLabelText("API key")).toHaveAttribute("type", "password");
  });

  it.each([
    ["is filled in by a program", () => fireEvent.input(box(), { target: { value: CURL } })],
    [
      "is pasted while nothing has the focus",
      () => fireEvent.paste(document.body, { clipboardData: { getData: () => CURL } }),
    ],
    [
      "is pasted into another field",
      () => fireEvent.paste(screen.getByLabelText("API key"), { clipboardData: { getData: () => CURL } }),
    ],
  ])("is read as well where it %s", async (_how, act) => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    await visitConnect();
    act();
    expect(await within(found()).findByText("2 models")).toBeVisible();
    expect(box()).toHaveValue(CURL.replace(KEY, "····k3Qp"));
    expect(value("API key")).toBe(KEY);
  });

  it("whose key is typed letter by letter is read when the box is left", async () => {
    const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await user.type(box(), `${API} ${KEY}`);
    expect(host.orders).toEqual([]);
    await user.tab();
    expect(value("API key")).toBe(KEY);
    expect(box()).toHaveValue(`${API} ····k3Qp`);
    expect(value("Queue address")).toBe(`${API}/api/v1/queue`);
    expect(host.orders).toEqual([]);
  });

  it("that was typed is read by a press of Connect, at the place where it was pressed", async () => {
    const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await user.type(box(), `${API}/v1/models ${KEY}`);
    await user.click(connectButton());
    expect(await screen.findByText("The studio")).toBeVisible();
    expect(host.orders).toHaveLength(1);
  });

  it("has no accessibility violation, with results and problems shown", async () => {
    fakeHost({ answers: service({ ...QUEUE }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    await within(found()).findByText("Check failed");
    const options = { rules: { "color-contrast": { enabled: false } } };
    expect((await axe.run(document.body, options)).violations).toEqual([]);
  });
});

describe("one address", () => {
  it("is enough: the other half is found below /api", async () => {
    const host = fakeHost({
      answers: service({
        ...QUEUE,
        [`${API}/v1/models`]: new Response(PAGE),
        [`${API}/api/v1/models`]: Response.json(["t"]),
      }),
    });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    expect(await within(found()).findByText(`${API}/api`)).toBeVisible();
    await waitFor(() => expect(value("Inference address")).toBe(`${API}/api`));
    expect(host.orders.map(({ queueBaseUrl, inferenceBaseUrl }) => [queueBaseUrl, inferenceBaseUrl])).toEqual([
      [`${API}/api/v1/queue`, API],
      [`${API}/api/v1/queue`, `${API}/api`],
    ]);
    // Each session but the one that is used has ended.
    expect(host.sessions.size).toBe(1);
  });

  it("waits with a placeholder for the key until Connect is pressed", async () => {
    const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL.replace(KEY, "$API_KEY"));
    expect(within(found()).getByText("Placeholder")).toBeVisible();
    expect(within(found()).getByText("Enter your key below")).toBeVisible();
    expect(value("Queue address")).toBe(`${API}/api/v1/queue`);
    expect(host.requests).toEqual([]);
    await user.type(screen.getByLabelText("API key"), KEY);
    await user.click(connectButton());
    expect(await screen.findByText("The studio")).toBeVisible();
  });

  it("and then the key are enough, pasted one after the other", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, "api.example.com");
    expect(value("Inference address")).toBe(API);
    await user.clear(box());
    await user.paste(KEY);
    expect(await within(found()).findByText("Accepted")).toBeVisible();
    expect(box()).toHaveValue("····k3Qp");
  });

  it("typed into its field is enough, too", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await user.type(screen.getByLabelText("API key"), KEY);
    await user.type(screen.getByLabelText("Queue address"), `${API}/api/v1/queue/apikey/models`);
    await user.click(connectButton());
    await screen.findByText("The studio");
    expect(getConnection()).toMatchObject({ queueBaseUrl: `${API}/api/v1/queue`, inferenceBaseUrl: API });
  });
});

it("nothing that can be used says what to paste", async () => {
  await visitConnect();
  fireEvent.input(box(), { target: { value: "Hello there" } });
  expect(await screen.findByText(/^No address or key found/)).toBeVisible();
});

it("a change of an address ends the session that a paste has opened", async () => {
  const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
  const { user } = await visitConnect();
  await pasteInto(user, CURL);
  await within(found()).findByText("Accepted");
  await user.type(screen.getByLabelText("Queue address"), "x");
  await waitFor(() => expect(host.sessions.size).toBe(0));
  expect(screen.queryByRole("list", { name: "Found in what you pasted" })).not.toBeInTheDocument();
});

it("where addresses and key are found stands in three lines", async () => {
  const { user } = await visitConnect();
  const help = screen.getByText("Where do I find these?");
  const line = screen.getByText(/Open the service’s docs, copy a curl example/);
  expect(within(line.closest("ol") as HTMLElement).getAllByRole("listitem")).toHaveLength(3);
  expect(line).toBeVisible();
  await user.click(help);
  expect(line).not.toBeVisible();
});

describe("the header of the key for the messages endpoint", () => {
  it("is a bearer token unless chosen otherwise, and is remembered with the connection", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await user.click(screen.getByText("Advanced"));
    expect(screen.getByRole("radio", { name: "Authorization: Bearer" })).toBeChecked();
    await user.click(screen.getByRole("radio", { name: "x-api-key" }));
    await pasteInto(user, CURL);
    await within(found()).findByText("1 model");
    await user.click(connectButton());
    await screen.findByText("The studio");
    expect(getConnection()).toMatchObject({ usesApiKeyHeader: true });
  });

  it("is taken from a pasted example of that endpoint", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, `curl ${API}/v1/messages -H "x-api-key: ${KEY}"`);
    await within(found()).findByText("Accepted");
    expect(screen.getByRole("radio", { name: "x-api-key" })).toBeChecked();
  });
});
