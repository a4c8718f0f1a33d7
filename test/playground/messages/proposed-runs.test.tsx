// Loaded already, so that a line which came too early would be seen.
import "#playground/messages/proposed-runs.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { projectRows } from "#runs/ledger/projects.ts";
import { projectsKey } from "#runs/ledger/spend-limits.ts";
import { browserRows } from "#storage/database.ts";
import { type Batch, batchRows } from "#storage/stored-batches.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { runCommand } from "#ui/commands.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { visitPlayground } from "../visit-playground.tsx";
import { holdAnswer } from "./hold-answer.ts";

let server: SandboxServer;
/** What the service was asked for since its answers are held. */
let addresses: string[];
beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  addresses = [];
  server = startSandboxServer({ seed: 1, speed: 60 });
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

/** The playground on an endpoint, as a chat. */
async function visit(endpoint = "messages") {
  const { user, router } = visitPlayground(`/playground/${endpoint}`);
  await screen.findByRole("radiogroup", { name: "Endpoint" });
  const ask = async (text: string) => {
    await user.click(await screen.findByRole("textbox", { name: /^Message/ }));
    await user.paste(text);
    await user.keyboard("{Enter}");
  };
  return { user, router, ask };
}

/** What the service answers is written by the test. */
function holdAnswers() {
  const { fetch } = server.sandbox;
  const answer = holdAnswer();
  vi.spyOn(server.sandbox, "fetch").mockImplementation(async (request) => {
    addresses.push(request.url);
    return request.url.endsWith("/v1/messages") ? answer.response : fetch(request);
  });
  return answer;
}

/** An answer that is there as a whole. */
async function answered(text: string) {
  const answer = holdAnswers();
  const visited = await visit();
  await visited.ask("Propose something");
  await answer.say(text);
  await answer.end();
  await screen.findByRole("button", { name: "Regenerate" });
  return visited;
}

const lines = () => screen.queryAllByRole("group", { name: "Proposed runs" });
const line = () => screen.findByRole("group", { name: "Proposed runs" });
const openButton = () => screen.findByRole("button", { name: "Open in Batch" });
const block = (json: unknown, text = JSON.stringify(json)) => `Here:\n\n\`\`\`safelight-runs\n${text}\n\`\`\`\n`;
const RUN = { model: "lumen-2", payload: { prompt: "A tram" } };

/** The batches that are stored. */
async function batches(): Promise<Batch[]> {
  const { accountId = "" } = getConnection() ?? {};
  const rows = await browserRows.all("batches", accountId);
  return rows.flatMap((row) => batchRows.read(row.body, row) ?? []);
}
const submits = () => server.sandbox.inspect().requests.filter(({ route }) => route === "submit");

describe("an answer that proposes runs", () => {
  it.each([
    ["messages", "runs"],
    ["responses", "tool"],
  ])("on %s as %s says how many and with what, and opens them as a draft in Batch", async (endpoint, how) => {
    const { user, router, ask } = await visit(endpoint);
    await ask(`A lighthouse in fog propose:${how} tps:2000`);
    expect(await line()).toHaveTextContent("This response proposes 6 runs with lumen-2 and lumen-2-pro.");
    await user.click(await openButton());
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/batch\/./));
    const [batch, ...others] = await batches();
    expect(others).toEqual([]);
    expect(router.state.location.pathname).toBe(`/batch/${batch?.id}`);
    expect(batch).toMatchObject({ name: "Lighthouse, fog: three lights", groups: [{ kind: "chat" }] });
    expect(batch?.items.map(({ request }) => request)).toHaveLength(6);
    expect(batch?.items[0]?.request).toEqual({
      model: "lumen-2",
      payload: { prompt: "Lighthouse, fog, at dawn, low mist, long exposure", size: "1024x1024" },
    });
    // Nothing is agreed to, and nothing is sent.
    expect(batch?.items.some(({ priceMicroUsd }) => priceMicroUsd !== undefined)).toBe(false);
    expect(submits()).toEqual([]);
  });

  it("says nothing of them while it is coming, and holds the room for it", async () => {
    const answer = holdAnswers();
    const { ask } = await visit();
    await ask("Propose something");
    await answer.say(block({ runs: [RUN] }));
    expect(await screen.findByRole("group", { name: "Code, safelight-runs" })).toHaveTextContent("A tram");
    expect(lines()).toEqual([]);
    const room = document.querySelector("[data-runs-room]");
    expect(room).not.toBeNull();
    await answer.end();
    expect(await line()).toHaveTextContent("This response proposes 1 run with lumen-2.");
    expect(document.querySelector("[data-runs-room]")).toBeNull();
    // The code stays where it is.
    expect(screen.getByRole("group", { name: "Code, safelight-runs" })).toHaveTextContent("A tram");
  });

  it("as a call says nothing while its arguments come", async () => {
    const answer = holdAnswers();
    const { ask } = await visit();
    await ask("Propose something");
    await answer.call("propose_runs");
    await answer.input(JSON.stringify({ runs: [RUN, RUN] }));
    await within(await screen.findByRole("list", { name: "Messages" })).findByText("propose_runs");
    await answer.input("");
    expect(document.querySelector("[data-runs-room]")).not.toBeNull();
    expect(lines()).toEqual([]);
    await answer.end();
    expect(await line()).toHaveTextContent("This response proposes 2 runs with lumen-2.");
  });

  it("with several blocks names each", async () => {
    await answered(`${block({ runs: [RUN] })}\n${block({ runs: [RUN, RUN] })}`);
    await waitFor(() => expect(lines()).toHaveLength(2));
    expect(lines().map((one) => one.textContent)).toEqual([
      expect.stringContaining("Block 1 proposes 1 run with lumen-2."),
      expect.stringContaining("Block 2 proposes 2 runs with lumen-2."),
    ]);
  });

  it("that was cut says what is wrong, in a sentence, and opens nothing", async () => {
    await answered('Here:\n\n```safelight-runs\n{ "runs": [{ "model": "lum');
    expect((await line()).textContent).toMatch(/\.$/);
    expect(within(await line()).queryByRole("button")).toBeNull();
  });

  it("is opened by its command, once for several presses", async () => {
    const { user, router } = await answered(block({ runs: [RUN] }));
    const button = await openButton();
    await user.dblClick(button);
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/batch\//));
    expect(await batches()).toHaveLength(1);
    await router.navigate({ to: "/playground" });
    await openButton();
    runCommand("answer.batch");
    await waitFor(async () => expect(await batches()).toHaveLength(2));
  });

  it("keeps a model that the catalogue does not list, without asking the service about it", async () => {
    const { user } = await answered(block({ runs: [RUN, { model: "no-such-model", payload: {} }] }));
    await user.click(await openButton());
    await waitFor(async () => expect(await batches()).toHaveLength(1));
    expect((await batches())[0]?.items.map(({ request }) => request.model)).toEqual(["lumen-2", "no-such-model"]);
    expect(addresses.some((one) => one.endsWith("/models/lumen-2"))).toBe(true);
    expect(addresses.filter((one) => one.includes("no-such-model"))).toEqual([]);
  });

  it("is a batch of the conversation's project, by the conversation's name", async () => {
    const { accountId = "" } = getConnection() ?? {};
    const project = { capMicroUsd: undefined, isArchived: false, isDeleted: false, createdAtMs: 1 };
    const projects = ["a", "b"].map((id) => ({ ...project, id, name: `Project ${id}` }));
    // Another one is being worked on.
    await saveOne(projectRows, accountId, projectsKey(accountId), { projects, currentId: "b" });
    const { user } = await answered(block({ runs: [RUN] }));
    runCommand("playground.move");
    await user.click(await screen.findByRole("button", { name: /^Project a/ }));
    await user.click(await openButton());
    await waitFor(async () => expect(await batches()).toMatchObject([{ name: "Propose something", projectId: "a" }]));
  });

  it("says so when the batch cannot be saved", async () => {
    const { user, router } = await answered(block({ runs: [RUN] }));
    vi.spyOn(browserRows, "edit").mockRejectedValue(new Error("The disk is full."));
    await user.click(await openButton());
    expect(await screen.findByText("Couldn’t save the batch")).toBeVisible();
    expect(router.state.location.pathname).toMatch(/^\/playground/);
    expect(await openButton()).not.toHaveAttribute("aria-busy");
  });
});
