import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, getConnection } from "#connection/connection-store.ts";
import { serveAnswers } from "../../api/answer-server.ts";
import { fakeHost, leaveHost } from "../../connection/fake-host.ts";
import { API, CURL, connectButton, found, KEY, PAGE, pasteInto, QUEUE, service, TEXT, value } from "./paste-steps.ts";
import { visitConnect } from "./visit-connect.tsx";

beforeEach(() => localStorage.clear());
afterEach(() => {
  disconnect();
  leaveHost();
});

describe("what does not answer like the service", () => {
  it("is told as a web page, and the host of the other address is offered", async () => {
    fakeHost({
      answers: service({ ...QUEUE, ...TEXT, "https://docs.example.com/v1/models": new Response(PAGE) }),
    });
    const { user } = await visitConnect();
    await pasteInto(user, `${CURL}\n\nhttps://docs.example.com/v1/chat`);
    expect(await screen.findByText("This address returns a web page, not a list of models.")).toBeVisible();
    expect(screen.getByText("It may be the address of the docs. Use the host of the queue address.")).toBeVisible();
    expect(screen.getByText("Images, video and audio work now. Playground needs the inference address.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Use api.example.com" }));
    expect(await within(found()).findByText("1 model")).toBeVisible();
    expect(value("Inference address")).toBe(API);
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
    expect(
      await screen.findByText("Playground works now. Images, video and audio need the queue address."),
    ).toBeVisible();
    await user.click(connectButton());
    await screen.findByText("The studio");
    expect(where()).toBe("/playground");
  });

  it("sends the key to no host that was not pasted", async () => {
    const host = fakeHost({ answers: () => new Response(PAGE) });
    const { user } = await visitConnect();
    await pasteInto(user, `https://docs.example.com/quickstart\n${KEY}`);
    await user.click(await screen.findByRole("button", { name: "Use api.example.com" }));
    expect(value("Queue address")).toBe(`${API}/api/v1/queue`);
    expect(value("Inference address")).toBe(API);
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
    expect(await within(found()).findByText("Not accepted")).toBeVisible();
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
    expect(await within(found()).findByText("This address is not allowed here")).toBeVisible();
    expect(
      within(found()).getByText(/add https:\/\/api\.example\.com to SAFELIGHT_UPSTREAMS and restart it/),
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

  it.each([
    ["ENOTFOUND", "This host does not exist"],
    ["ECONNREFUSED", "Nothing responds at this address"],
    ["CERT_HAS_EXPIRED", "The connection is not secure"],
    ["ETIMEDOUT", "The host does not respond"],
  ])("tells %s as what it is", async (code, title) => {
    const error = { message: `The studio's server cannot reach ${API} (${code}). Nothing was sent.` };
    const headers = { "X-Safelight-Relay": "unreachable" };
    fakeHost({ answers: () => Response.json({ error }, { status: 502, headers }) });
    const { user } = await visitConnect();
    await pasteInto(user, CURL);
    expect(await within(found()).findByText(title)).toBeVisible();
    expect(within(found()).getAllByText("Check failed")).toHaveLength(2);
  });

  it.each([
    [{ hostReason: "redirect", status: 502 }, "The address redirects elsewhere"],
    [{ hostReason: "private_address", status: 403 }, "This address is not public"],
    [{ status: 403 }, "Access denied"],
    [{ status: 500 }, "The service failed"],
    [{ status: 200, text: "{" }, "The response cannot be read"],
    [{ status: 200, text: '{"hello": 1}' }, "The response cannot be read"],
  ])(
    "tells %j with the next step",
    async ({ hostReason, status, text }: { hostReason?: string; status: number; text?: string }, title) => {
      const headers = hostReason === undefined ? {} : { "X-Safelight-Relay": hostReason };
      const body = text ?? JSON.stringify({ error: { message: "Said so." } });
      fakeHost({ answers: () => new Response(body, { status, headers }) });
      const { user } = await visitConnect();
      await pasteInto(user, CURL);
      const [problem] = await within(found()).findAllByText(title);
      expect(problem?.nextElementSibling?.textContent).toMatch(/(Check|Open|Ask|Wait|Use) /);
    },
  );
});

it("without a host a missing answer is told with what may cure it", async () => {
  const server = await serveAnswers((_request, response) => response.destroy());
  const { user } = await visitConnect();
  await pasteInto(user, `${server.url}/v1/models ${KEY}\n`);
  expect(value("Inference address")).toBe(server.url);
  expect(await within(found()).findByText("No response from the service")).toBeVisible();
  expect(
    within(found()).getByText(/may not allow requests from web pages \(CORS\)\. Run the studio with its own server/),
  ).toBeVisible();
});
