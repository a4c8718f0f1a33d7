import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { openRows } from "#storage/database.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { visitPlayground } from "../visit-playground.tsx";

let server: SandboxServer;
beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pixel = (name = "sea.png") =>
  new File([Uint8Array.from(atob(PIXEL), (one) => one.charCodeAt(0))], name, { type: "image/png" });

async function visit(endpoint: string, ...quirks: string[]) {
  server = startSandboxServer({ seed: 1, speed: 60, quirks });
  const { user } = visitPlayground(`/playground/${endpoint}`);
  const composer = await screen.findByRole("textbox", { name: /^Message/ });
  return { user, composer };
}
const attached = () => screen.findByRole("list", { name: "Attached images" });
/** The rows in which the bytes of pictures stand. */
const stored = async () => (await (await openRows()).all("chats")).filter(({ scope }) => scope.includes("|pictures|"));

// Part 6: pictures in a question.
describe("a picture in a question", () => {
  // Its other form, of /v1/responses: `text/answer-request.ts`.
  it("goes along, is shown and is stored beside the conversation", async () => {
    const { user, composer } = await visit("messages");
    await user.upload(screen.getByLabelText("Images to attach"), pixel());
    expect(await attached()).toBeVisible();
    await user.click(composer);
    await user.paste("What is it? tps:2000");
    await user.keyboard("{Enter}");
    await screen.findByText(/^[\d,]+ tokens$/);
    expect(screen.getByRole("list", { name: "Messages" })).toHaveTextContent("I was given 1 image: a PNG of 1 × 1");
    const asked = screen.getByRole("list", { name: "Message images" });
    expect(await within(asked).findByRole("img", { name: "sea.png" })).toBeInTheDocument();
    expect(screen.queryByRole("list", { name: "Attached images" })).not.toBeInTheDocument();
    await waitFor(async () => expect(await stored()).toHaveLength(1));
    const [row] = await stored();
    expect(row?.scope.startsWith(`${getConnection()?.accountId}|`)).toBe(true);

    await user.click(screen.getByRole("button", { name: /^Actions for What is it/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete chat" }));
    await waitFor(async () => expect(await stored()).toEqual([]));
  });

  it("is taken by pasting and dropping, and removed by its button", async () => {
    const { user, composer } = await visit("messages");
    fireEvent.paste(composer, { clipboardData: { files: [pixel("pasted.png")], types: ["Files"] } });
    expect(await attached()).toHaveTextContent("70 bytes");
    fireEvent.drop(composer, { dataTransfer: { files: [pixel("dropped.png")], types: ["Files"] } });
    await waitFor(async () => expect(within(await attached()).getAllByRole("listitem")).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: "Remove pasted.png" }));
    expect(within(await attached()).getAllByRole("listitem")).toHaveLength(1);
  });

  it("that is no picture is refused with a sentence; one that cannot be read here is attached with a warning", async () => {
    const { user } = await visit("messages");
    const files = screen.getByLabelText("Images to attach");
    await user.upload(files, new File(["<svg/>"], "drawing.png", { type: "image/png" }));
    expect(await screen.findByText("“drawing.png” isn’t a supported image.")).toBeVisible();
    expect(screen.queryByRole("list", { name: "Attached images" })).not.toBeInTheDocument();
    const start = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);
    await user.upload(files, new File([start], "cut.png", { type: "image/png" }));
    expect(await screen.findByText(/^“cut\.png” couldn’t be read here\. It may be damaged/)).toBeVisible();
    expect(await attached()).toHaveTextContent("10 bytes");
  });

  it("comes from History, by a job's picture", async () => {
    const { user } = await visit("messages");
    const job = new Request(`${server.queueBaseUrl}/apikey/requests`, {
      method: "POST",
      headers: { Authorization: "Bearer sandbox-key", "Content-Type": "application/json" },
      body: JSON.stringify({ model: "lumen-2-fast", payload: { prompt: "A lamp" } }),
    });
    expect((await server.sandbox.fetch(job)).status).toBe(200);
    await user.click(screen.getByRole("button", { name: "Attach image" }));
    await user.click(await screen.findByRole("menuitem", { name: "From History" }));
    expect(await screen.findByRole("list", { name: "Images from History" })).toBeVisible();
    expect(screen.getByRole("button", { name: "A lamp" })).toBeVisible();
  });

  it("that the model refuses is explained", async () => {
    const { user, composer } = await visit("messages", "images-refused");
    await user.upload(screen.getByLabelText("Images to attach"), pixel());
    await attached();
    await user.click(composer);
    await user.paste("What is it?");
    await user.keyboard("{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The request with images was rejected");
    expect(alert).toHaveTextContent("Not charged: the service rejected this message.");
    expect(alert).toHaveTextContent("send the message without images");
  });

  it("is not offered on completions, which says why", async () => {
    server = startSandboxServer({ seed: 1 });
    const { user } = visitPlayground("/playground/completions");
    await user.click(await screen.findByRole("radio", { name: "Chat template" }));
    await user.keyboard("{Escape}");
    const button = await screen.findByRole("button", { name: /^Attach image \(not available for completions/ });
    expect(button).toHaveAttribute("aria-disabled", "true");
    const composer = screen.getByRole("textbox", { name: /^Message/ });
    fireEvent.paste(composer, { clipboardData: { files: [pixel()], types: ["Files"] } });
    expect(await screen.findByText("Images not supported here")).toBeVisible();
  });
});

// Part 6: the context before sending.
describe("the context", () => {
  it("is shown from the last answer's count and the new words, and warns before sending where it exceeds the limit", async () => {
    const { user, composer } = await visit("messages");
    await user.click(composer);
    await user.paste("x".repeat(400));
    expect(await screen.findByTitle(/^Context: about 104 of 200,000 tokens/)).toBeVisible();
    await user.clear(composer);
    await user.paste("x".repeat(4 * 199_500));
    const warning = await screen.findByText(/above this model’s limit of 200,000/);
    expect(warning).toHaveTextContent("Lower Max tokens in the parameters.");
    expect(server.sandbox.inspect().requests.filter(({ route }) => route === "messages")).toEqual([]);

    await user.clear(composer);
    await user.paste("Tides tps:2000 long:20");
    await user.keyboard("{Enter}");
    await screen.findByText(/^[\d,]+ tokens$/);
    const [input, output] = [/^(\d+) in$/, /^(\d+) tokens$/].map((words) =>
      Number(words.exec(screen.getByText(words).textContent ?? "")?.[1]),
    );
    expect(
      screen.getByTitle(new RegExp(`^Context: about ${(input ?? 0) + (output ?? 0)} of 200,000 tokens`)),
    ).toBeVisible();
  });
});
