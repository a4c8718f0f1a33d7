import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { type SandboxServer, startSandboxServer } from "../../../setup/sandbox-server.ts";
import { freshDatabase } from "../../../storage/fresh-database.ts";
import { visitStudio } from "../../visit-studio.tsx";

let server: SandboxServer;
/** One for each request of a continuation, in their order. */
let sent: ReadableStreamDefaultController<Uint8Array>[];

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  server = startSandboxServer({ seed: 1, speed: 60 });
  sent = [];
  const { fetch } = server.sandbox;
  vi.spyOn(server.sandbox, "fetch").mockImplementation(async (request) => {
    if (!request.url.endsWith("/v1/completions")) return fetch(request);
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void sent.push(controller) });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

const say = (text: string) =>
  act(async () =>
    sent.at(-1)?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ index: 0, text }] })}\n\n`)),
  );

async function writeBeginning() {
  const { user } = visitStudio("/playground/completions");
  const area = await screen.findByRole("textbox", { name: "Document" });
  await user.type(area, "It was a dark night.");
  return { user, area };
}

describe("the continuation of a document", () => {
  it("does not come back after it was typed over", async () => {
    const { user, area } = await writeBeginning();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(sent).toHaveLength(1));
    const frames: FrameRequestCallback[] = [];
    const asking = vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
    await say(" Rain fell.");
    await waitFor(() => expect(frames).not.toHaveLength(0));
    await user.type(area, "!");
    asking.mockRestore();
    act(() => frames.forEach((frame) => void frame(0)));
    expect(screen.queryByText("Rain fell.", { exact: false })).not.toBeInTheDocument();
    expect(area).toHaveValue("It was a dark night.!");
  });
});
