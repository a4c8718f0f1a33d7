import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "#connection/connection-store.ts";
import { loadDraft } from "#storage/drafts.ts";
import { openSandboxMedia } from "./media/sandbox-media.ts";
import { freshDatabase } from "./storage/fresh-database.ts";
import { visitStudio } from "./visit-studio.tsx";

const KEY = "sandbox-key-9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const OTHER = "sk-0a1B2c3D4e5F6g7H8i9J0k1L";

/** The studio with a key of its own, over a sandbox that logs what it is asked. */
async function visitWithKey(path: string) {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  const opened = openSandboxMedia();
  onTestFinished(() => {
    disconnect();
    opened.close();
  });
  const connection = await connect({ queueBaseUrl: "/sandbox/api/v1/queue", inferenceBaseUrl: "/sandbox", key: KEY });
  const visit = visitStudio(path);
  const sent = () => opened.sandbox.inspect().requests.filter(({ method }) => method === "POST");
  return { ...visit, sent, accountId: connection.accountId };
}

const prompt = () => screen.findByRole("textbox", { name: "Prompt" });
const OWN = "This text contains your API key. Nothing was sent. Remove the key and try again.";

// K9
describe("the connection's own key in a form", () => {
  it("is said at the field; no price is asked for, nothing runs and no draft holds it", async () => {
    const { user, sent, accountId } = await visitWithKey("/create/lumen-2");
    const run = await screen.findByRole("button", { name: "Run" });
    const before = sent().length;
    await user.click(await prompt());
    await user.paste(`A lamp, key ${KEY}`);
    expect(await screen.findByText(OWN)).toBeVisible();
    await user.click(run);
    expect(screen.queryByRole("button", { name: "Send anyway" })).toBeNull();
    expect(sent()).toHaveLength(before);
    expect(JSON.stringify((await loadDraft(accountId, "lumen-2")) ?? {})).not.toContain(KEY);
    await user.clear(await prompt());
    await user.paste("A lamp");
    await waitFor(() => expect(sent().length).toBeGreaterThan(before));
    expect(screen.queryByText(OWN)).toBeNull();
  });
});

describe("what looks like a key in a form", () => {
  it("is not sent before the person sends it anyway", async () => {
    const { user, sent } = await visitWithKey("/create/lumen-2");
    await screen.findByRole("button", { name: "Run" });
    const before = sent().length;
    await user.click(await prompt());
    await user.paste(`A lamp ${OTHER}`);
    const anyway = await screen.findByRole("button", { name: "Send anyway" });
    expect(screen.getAllByText(/may contain an API key/)[0]).toBeVisible();
    expect(sent()).toHaveLength(before);
    await user.click(anyway);
    await waitFor(() => expect(sent().length).toBeGreaterThan(before));
    expect(screen.queryByText(/may contain an API key/)).toBeNull();
  });
});

describe("a key in a message", () => {
  it("of the connection is not sent, and stays out of the stored draft", async () => {
    const { user, sent } = await visitWithKey("/playground");
    await user.click(await screen.findByRole("textbox", { name: /^Message/ }));
    const before = sent().length;
    await user.paste(`Use ${KEY}`);
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("This message contains your API key");
    expect(screen.queryByRole("button", { name: "Send anyway" })).toBeNull();
    expect(sent()).toHaveLength(before);
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(KEY);
  });

  it("that looks like one is sent once the person says so", async () => {
    const { user, sent } = await visitWithKey("/playground");
    await user.click(await screen.findByRole("textbox", { name: /^Message/ }));
    const before = sent().length;
    await user.paste("Use sk-9z8Y7x6W5v4U3t2S1r0Q9p8O tps:2000");
    await user.keyboard("{Enter}");
    const anyway = await screen.findByRole("button", { name: "Send anyway" });
    expect(sent()).toHaveLength(before);
    await user.click(anyway);
    await waitFor(() => expect(sent().length).toBe(before + 1));
  });
});
