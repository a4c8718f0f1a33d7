import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { until } from "../../setup/until.ts";
import { visitCreate, write } from "../visit-create.tsx";

test("two presses of Improve at once ask the text model once", async () => {
  const { user } = await visitCreate("/create/lumen-2");
  const sent = vi.spyOn(globalThis, "fetch");
  await write(user, screen.getByRole("textbox", { name: "Prompt" }), "A harbour");
  await user.click(screen.getByRole("button", { name: "Improve prompt" }));
  const improve = await screen.findByRole("button", { name: "Improve" });
  await until(() => expect(improve).not.toHaveAttribute("aria-disabled", "true"));
  // Both before React has drawn Stop in its place.
  await act(async () => {
    improve.click();
    improve.click();
  });
  await until(() => screen.getByRole("button", { name: "Use prompt" }));
  const asked = sent.mock.calls.filter(([request]) =>
    (request instanceof Request ? request.url : String(request)).endsWith("/v1/messages"),
  );
  expect(asked).toHaveLength(1);
});
