import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { loadConversation, loadSummaries } from "#text/conversations/stored-conversations.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { visitPlayground } from "../visit-playground.tsx";
import { holdAnswer } from "./hold-answer.ts";

let server: SandboxServer;
/** One for each request of an answer, in their order: what the test lets the service send. */
let sent: ReturnType<typeof holdAnswer>[];
/** One for each request of a continuation. */
let continued: ReadableStreamDefaultController<Uint8Array>[];

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  server = startSandboxServer({ seed: 1, speed: 60 });
  sent = [];
  continued = [];
  const { fetch } = server.sandbox;
  vi.spyOn(server.sandbox, "fetch").mockImplementation(async (request) => {
    if (request.url.endsWith("/v1/completions")) {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void continued.push(controller) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    if (!request.url.endsWith("/v1/messages")) return fetch(request);
    const answer = holdAnswer();
    sent.push(answer);
    return answer.response;
  });
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

type User = ReturnType<typeof visitPlayground>["user"];

/** Sends a question. */
async function ask(user: User, text: string) {
  await user.click(await screen.findByRole("textbox", { name: /^Message/ }));
  await user.paste(text);
  await user.keyboard("{Enter}");
}

/** The answer to the `count`-th request, for the test to write. */
async function answerOf(count: number) {
  await waitFor(() => expect(sent).toHaveLength(count));
  return sent[count - 1] as ReturnType<typeof holdAnswer>;
}

// Of the messages: a notification is a list's item, too, and comes when it likes.
const answerItem = () =>
  [...screen.getByRole("list", { name: "Messages" }).querySelectorAll<HTMLElement>(":scope > li")].at(
    -1,
  ) as HTMLElement;
const written = () => answerItem().querySelectorAll(".markdown");
const details = () => answerItem().querySelector("details") as HTMLDetailsElement;
const over = () => screen.findByRole("button", { name: "Regenerate" });

describe("an answer that ends", () => {
  test("stays as the reader left it: reasoning open, code wrapped, words selected", async () => {
    const { user } = visitPlayground("/playground");
    await ask(user, "When is low water?");
    const answer = await answerOf(1);
    await answer.think("The moon first.");
    await user.click(await screen.findByText("Reasoning…", { selector: "summary" }));
    await answer.say("Low water is at noon.\n\n```ts\nconst low = 12;\n");
    await user.click(await screen.findByRole("button", { name: "Wrap lines" }));
    const words = screen.getByText("Low water is at noon.").firstChild as Text;
    document.getSelection()?.setBaseAndExtent(words, 0, words, 9);
    const parts = [...written(), details()];
    await answer.say("```\n\nAnd again at midnight.");
    await answer.end();
    await over();
    // A slow machine rests between two writes: all of it is written before anything is looked at.
    expect(await screen.findByText("And again at midnight.")).toBeVisible();
    expect([...written(), details()].every((part, at) => part === parts[at])).toBe(true);
    expect(parts).toHaveLength(3);
    expect(details()).toHaveAttribute("open");
    expect(details()).toHaveTextContent("ReasoningThe moon first.");
    expect(screen.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "true");
    expect(document.getSelection()?.toString()).toBe("Low water");
  });

  test("early goes on with what it had: reasoning, text and calls", async () => {
    const { user } = visitPlayground("/playground");
    await ask(user, "When is low water?");
    const first = await answerOf(1);
    await first.think("The moon first.");
    await first.say("Low water is ");
    await first.call("tide_table");
    await first.breakOff();
    const proceed = await screen.findByRole("button", { name: "Continue" });
    const reasoning = details();
    await user.click(within(reasoning).getByText("Reasoning"));
    await user.click(proceed);
    const second = await answerOf(2);
    const isWhole = (text: string) => {
      expect(details()).toBe(reasoning);
      expect(details()).toHaveAttribute("open");
      expect(written()[1]).toHaveTextContent(text);
      expect(screen.getByText("tide_table")).toBeVisible();
    };
    isWhole("Low water is");
    await second.say("at **noon**.");
    await screen.findByText("noon");
    isWhole("Low water is at noon.");
    await second.end();
    await over();
    isWhole("Low water is at noon.");
    expect(screen.getAllByText("tide_table")).toHaveLength(1);
  });

  test("is shown right beside its other versions, after an edit and on a new visit", async () => {
    const { user } = visitPlayground("/playground");
    const text = () => written()[0]?.textContent?.replace("Show more", "");
    await ask(user, "When is low water?");
    const first = await answerOf(1);
    await first.say("At noon.");
    await first.end();
    await user.click(await over());
    const second = await answerOf(2);
    await second.say("At noon. Or later.");
    await waitFor(() => expect(text()).toBe("At noon. Or later."));
    await second.end();
    await over();
    await user.click(screen.getByRole("button", { name: "Previous version" }));
    expect(text()).toBe("At noon.");
    await user.click(screen.getByRole("button", { name: "Next version" }));
    expect(text()).toBe("At noon. Or later.");

    await user.click(screen.getAllByRole("button", { name: "Edit" })[0] as HTMLElement);
    await user.clear(screen.getByRole("textbox", { name: "Edit message" }));
    await user.paste("When is high water?");
    await user.click(screen.getByRole("button", { name: "Save and send" }));
    const third = await answerOf(3);
    await third.say("At six.");
    await waitFor(() => expect(text()).toBe("At six."));
    await third.end();
    await over();
    cleanup();
    visitPlayground("/playground");
    await over();
    expect(text()).toBe("At six.");
  });
});

describe("while an answer is coming", () => {
  test("nothing else is asked in its column, and no message is deleted under it", async () => {
    const { user } = visitPlayground("/playground");
    await ask(user, "When is low water?");
    const first = await answerOf(1);
    await first.say("At noon.");
    await first.end();
    await over();
    await ask(user, "And high water?");
    const second = await answerOf(2);
    await second.say("At six.");
    const message = within(screen.getByRole("list", { name: "Messages" }).firstElementChild as HTMLElement);
    await user.click(message.getByRole("button", { name: "Edit" }));
    await user.click(message.getByRole("textbox", { name: "Edit message" }));
    await user.paste(" Today");
    await user.click(message.getByRole("button", { name: "Save and send" }));
    expect(message.getByRole("button", { name: "Save and send" })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByRole("button", { name: "Regenerate" }));
    expect(screen.getByRole("button", { name: "Regenerate" })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getAllByRole("button", { name: "More actions" }).at(-1) as HTMLElement);
    expect(screen.getByRole("menuitem", { name: /^Delete/ })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    expect(sent).toHaveLength(2);
    await second.end();
    await waitFor(() =>
      expect(message.getByRole("button", { name: "Save and send" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(message.getByRole("button", { name: "Save and send" }));
    await answerOf(3);
  });

  test("a column that is free is asked at once", async () => {
    const { user } = visitPlayground("/playground");
    await user.click(await screen.findByRole("button", { name: "Add column" }));
    await ask(user, "When is low water?");
    await answerOf(2);
    await sent[0]?.end();
    await user.click(screen.getByRole("textbox", { name: /^Message/ }));
    await user.paste("And high water?");
    expect(screen.getByRole("button", { name: /^Send next/ })).toHaveAttribute("title", "Sent after this response");
    await user.click(within(screen.getByRole("region", { name: /^Column 1/ })).getByText("When is low water?"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Send to" }), "Active column only");
    expect(screen.queryByRole("button", { name: /^Send next/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: /^Send(?! next)/ }));
    await answerOf(3);
  });

  test("a page that goes away has stored every word that came", async () => {
    const { user } = visitPlayground("/playground");
    await ask(user, "When is low water?");
    const answer = await answerOf(1);
    await answer.say("Low water is at ");
    await answer.say("noon.");
    await screen.findByText("Low water is at noon.");
    window.dispatchEvent(new Event("pagehide"));
    const { accountId = "" } = getConnection() ?? {};
    await waitFor(async () => {
      const [summary] = await loadSummaries(accountId);
      const stored = await loadConversation(accountId, summary?.id ?? "");
      expect(stored?.columns[0]?.thread.turns.at(-1)?.text).toBe("Low water is at noon.");
    });
  });
});

/** Gives the pane of the messages a layout, which this platform does not have. */
function measured(scrollHeight: number, scrollTop: number): HTMLElement {
  const pane = screen.getByRole("list", { name: "Messages" }).parentElement?.parentElement as HTMLElement;
  let top = scrollTop;
  const set = (value: number) => {
    top = Math.min(value, scrollHeight - 500);
  };
  Object.defineProperties(pane, {
    scrollHeight: { value: scrollHeight, configurable: true },
    clientHeight: { value: 500, configurable: true },
    scrollTop: { get: () => top, set, configurable: true },
  });
  return pane;
}

describe("the pane of messages", () => {
  beforeEach(async () => {
    const { user } = visitPlayground("/playground");
    await ask(user, "When is low water?");
    const answer = await answerOf(1);
    await answer.say("At noon.");
    await answer.end();
    await over();
    fireEvent.scroll(measured(2000, 1500));
  });
  const latest = () => screen.queryByRole("button", { name: "Jump to latest" });
  const change = () => void fireEvent.click(screen.getAllByRole("button", { name: "Edit" })[0] as HTMLElement);

  test("offers no jump to the latest once all of it is in sight", async () => {
    fireEvent.scroll(measured(2000, 0));
    expect(latest()).toBeVisible();
    // A shorter version of an answer is shown, say.
    measured(500, 0);
    change();
    await waitFor(() => expect(latest()).not.toBeInTheDocument());
  });

  test("stays at the end while the window gets another size, which no reader scrolled", async () => {
    // Without the docks all of it is in sight for a moment; with them it is higher again.
    measured(500, 0);
    await act(async () => change());
    fireEvent.scroll(measured(600, 0));
    expect(latest()).not.toBeInTheDocument();
  });
});

describe("the continuation of a document", () => {
  test("does not come back after it was typed over", async () => {
    const { user } = visitPlayground("/playground/completions");
    const area = await screen.findByRole("textbox", { name: "Document" });
    await user.click(area);
    await user.paste("It was a dark night.");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(continued).toHaveLength(1));
    const frames: FrameRequestCallback[] = [];
    const asking = vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
    const piece = JSON.stringify({ choices: [{ index: 0, text: " Rain fell." }] });
    await act(async () => continued.at(-1)?.enqueue(new TextEncoder().encode(`data: ${piece}\n\n`)));
    await waitFor(() => expect(frames).not.toHaveLength(0));
    await user.type(area, "!");
    asking.mockRestore();
    act(() => frames.forEach((frame) => void frame(0)));
    expect(screen.queryByText("Rain fell.", { exact: false })).not.toBeInTheDocument();
    expect(area).toHaveValue("It was a dark night.!");
  });
});
