import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, getConnection } from "#connection/connection-store.ts";
import { serveAnswers } from "../api/answer-server.ts";
import { fakeHost, leaveHost } from "../connection/fake-host.ts";
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
import { studioOpens, visitConnect, write } from "./visit-connect.tsx";

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
    expect(value("Queue URL")).toBe(`${API}/api/v1/queue`);
    expect(value("Inference URL")).toBe(API);
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
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    fakeHost({ answers: (path) => held.then(() => service({ ...QUEUE, ...TEXT })(path)) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    await user.click(connectButton());
    answer();
    await studioOpens();
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
    expect(value("Queue URL")).toBe(`${API}/api/v1/queue`);
    expect(host.orders).toEqual([]);
  });

  it("that was typed is read by a press of Connect, at the place where it was pressed", async () => {
    const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await user.type(box(), `${API}/v1/models ${KEY}`);
    await user.click(connectButton());
    await studioOpens();
    expect(host.orders).toHaveLength(1);
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
    await waitFor(() => expect(value("Inference URL")).toBe(`${API}/api`));
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
    expect(value("Queue URL")).toBe(`${API}/api/v1/queue`);
    expect(host.requests).toEqual([]);
    await write(user, "API key", KEY);
    await user.click(connectButton());
    await studioOpens();
  });

  it("and then the key are enough, pasted one after the other", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await pasteInto(user, "api.example.com");
    expect(value("Inference URL")).toBe(API);
    await user.clear(box());
    await user.paste(KEY);
    expect(await within(found()).findByText("Accepted")).toBeVisible();
    expect(box()).toHaveValue("····k3Qp");
  });

  it("typed into its field is enough, too", async () => {
    fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
    const { user } = await visitConnect();
    await write(user, "API key", KEY);
    await write(user, "Queue URL", `${API}/api/v1/queue/apikey/models`);
    await user.click(connectButton());
    await studioOpens();
    expect(getConnection()).toMatchObject({ queueBaseUrl: `${API}/api/v1/queue`, inferenceBaseUrl: API });
  });
});

it("nothing that can be used says what to paste", async () => {
  await visitConnect();
  fireEvent.input(box(), { target: { value: "Hello there" } });
  expect(await screen.findByText(/^No URL or key found/)).toBeVisible();
});

it("a change of an address ends the session that a paste has opened", async () => {
  const host = fakeHost({ answers: service({ ...QUEUE, ...TEXT }) });
  const { user } = await visitConnect();
  await pasteInto(user, CURL);
  await within(found()).findByText("Accepted");
  await write(user, "Queue URL", "x");
  await waitFor(() => expect(host.sessions.size).toBe(0));
  expect(screen.queryByRole("list", { name: "Found in your paste" })).not.toBeInTheDocument();
});

it("where addresses and key are found stands in three lines", async () => {
  const { user } = await visitConnect();
  const help = screen.getByText("Where to find these");
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

describe("what does not answer like the service", () => {
  it("is told as a web page, and the host of the other address is offered", async () => {
    fakeHost({
      answers: service({ ...QUEUE, ...TEXT, "https://docs.example.com/v1/models": new Response(PAGE) }),
    });
    const { user } = await visitConnect();
    await pasteInto(user, `${CURL}\n\nhttps://docs.example.com/v1/chat`);
    expect(await screen.findByText("This URL returns a web page, not a list of models")).toBeVisible();
    expect(screen.getByText("It may be the URL of the docs. Use the host of the queue URL.")).toBeVisible();
    expect(screen.getByText("Images, video and audio work now. Playground needs the inference URL.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Use api.example.com" }));
    expect(await within(found()).findByText("1 model")).toBeVisible();
    expect(value("Inference URL")).toBe(API);
  });

  it("opens the studio with the half that works", async () => {
    fakeHost({ answers: service(QUEUE) });
    const { user, where } = await visitConnect();
    await pasteInto(user, CURL);
    await within(found()).findByText("Check failed");
    await user.click(connectButton());
    await screen.findByText("The studio");
    expect(where()).toBe("/create");
  });

  it("opens Playground where only the text endpoints work", async () => {
    fakeHost({ answers: service(TEXT) });
    const { user, where } = await visitConnect();
    await pasteInto(user, CURL);
    expect(await screen.findByText("Playground works now. Images, video and audio need the queue URL.")).toBeVisible();
    await user.click(connectButton());
    await screen.findByText("The studio");
    expect(where()).toBe("/playground");
  });

  it("sends the key to no host that was not pasted", async () => {
    const host = fakeHost({ answers: () => new Response(PAGE) });
    const { user } = await visitConnect();
    await pasteInto(user, `https://docs.example.com/quickstart\n${KEY}`);
    await user.click(await screen.findByRole("button", { name: "Use api.example.com" }));
    expect(value("Queue URL")).toBe(`${API}/api/v1/queue`);
    expect(value("Inference URL")).toBe(API);
    expect(host.relayed.map(([, path]) => path.split("/")[4])).not.toContain("api.example.com");
    expect(new Set(host.orders.map(({ queueBaseUrl = "" }) => new URL(queueBaseUrl).host))).toEqual(
      new Set(["docs.example.com"]),
    );
    const before = host.orders.length;
    await user.click(connectButton());
    await waitFor(() => expect(host.orders.length).toBeGreaterThan(before));
  });

  it("says once, at the key, that it is not accepted", async () => {
    const host = fakeHost({
      answers: () => Response.json({ error: { message: "Invalid API key." } }, { status: 401 }),
    });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    expect(await within(found()).findByText("Rejected")).toBeVisible();
    expect(within(found()).getAllByText(/missing, invalid or revoked/)).toHaveLength(1);
    expect(host.orders).toHaveLength(1);
  });

  it("names the setting and what to write where the host's settings are the reason", async () => {
    fakeHost({
      mode: "configured",
      refuses: API,
      refusal: `${API} is not among the addresses in SAFELIGHT_UPSTREAMS.`,
    });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    expect(await within(found()).findByText("This URL is not allowed")).toBeVisible();
    expect(
      within(found()).getByText(
        /add https:\/\/api\.example\.com to SAFELIGHT_UPSTREAMS and restart the Safelight server/,
      ),
    ).toBeVisible();
  });

  it("of two hosts leaves the one that the settings allow", async () => {
    fakeHost({
      refuses: "https://text.example.com",
      refusal: "https://text.example.com is not among the addresses in SAFELIGHT_UPSTREAMS.",
      answers: service(QUEUE),
    });
    const { user } = await visitConnect();
    await pasteInto(user, `${CURL}\nhttps://text.example.com/v1/messages`);
    expect(await within(found()).findByText("2 models")).toBeVisible();
    expect(within(found()).getByText(/add https:\/\/text\.example\.com to SAFELIGHT_UPSTREAMS/)).toBeVisible();
    await user.click(connectButton());
    await screen.findByText("The studio");
    expect(getConnection()).toMatchObject({ queueBaseUrl: `${API}/api/v1/queue` });
  });

  // Each reason of the host and of the service in its own words: checks.test.ts.
  it("is told as what the Safelight server found, at both addresses", async () => {
    const error = { message: `The Safelight server cannot reach ${API} (ENOTFOUND). Nothing was sent.` };
    const headers = { "X-Safelight-Relay": "unreachable" };
    fakeHost({ answers: () => Response.json({ error }, { status: 502, headers }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    const title = await within(found()).findByText("This host doesn’t exist");
    expect(title.nextElementSibling).toHaveTextContent("Check the spelling of the host name.");
    expect(within(found()).getAllByText("Check failed")).toHaveLength(2);
  });
});

it("without a host a missing answer is told with what may cure it", async () => {
  const server = await serveAnswers((_request, response) => response.destroy());
  const { user } = await visitConnect();
  await pasteInto(user, `${server.url}/v1/models ${KEY}\n`);
  expect(value("Inference URL")).toBe(server.url);
  expect(await within(found()).findByText("No response from the service")).toBeVisible();
  expect(
    within(found()).getByText(/may not allow requests from web pages \(CORS\)\. Run Safelight with its own server/),
  ).toBeVisible();
});
