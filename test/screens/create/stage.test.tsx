import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it, onTestFinished } from "vitest";
import { giveLayout } from "../../setup/give-layout.ts";
import { visitCreate } from "./visit-create.tsx";

async function run(user: UserEvent, words: string) {
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await user.clear(prompt);
  await user.type(prompt, words);
  const button = screen.getByRole("button", { name: "Run" });
  await waitFor(() => expect(button).toHaveTextContent("$"));
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
  await user.click(button);
  await screen.findByRole("button", { name: `${words}, success` });
}

it("a result is compared with the run before it, by its key, whatever page the list is on", async () => {
  onTestFinished(giveLayout());
  const { user, router } = await visitCreate("/create/lumen-2-fast");
  await run(user, "Moss");
  await screen.findByRole("link", { name: "Remix" });
  // There is nothing to compare the first one with.
  expect(screen.queryByRole("link", { name: "Compare" })).not.toBeInTheDocument();
  await run(user, "Fern");
  await screen.findByRole("link", { name: "Compare" });
  screen.getByRole("link", { name: "Remix" }).focus();
  await user.keyboard("m");
  const names = ["Moss", "Fern"];
  const shown = async () => {
    const dialog = await screen.findByRole("dialog", { name: /^Compare/ });
    for (const name of names) expect(dialog).toHaveTextContent(name);
  };
  await shown();
  const { compare } = router.state.location.search as { compare: string };
  await router.navigate({ to: "/history", search: { status: "failed", compare } });
  await shown();
});
