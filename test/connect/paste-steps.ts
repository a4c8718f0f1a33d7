// What the stories of a paste on Connect share.
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

export const KEY = "gq-7Hd92kLmQ4xVb81ZsTk3Qp";
export const API = "https://api.example.com";
export const CURL = [
  `curl -X POST ${API}/api/v1/queue/apikey/requests \\`,
  `  -H "Authorization: Bearer ${KEY}" \\`,
  `  -d '{"model": "lumen-2", "payload": {"prompt": "A lighthouse"}}'`,
].join("\n");
export const PAGE = "<!doctype html><title>Docs</title>";

export const box = () => screen.getByLabelText(/^Paste a URL, or a curl command/);
export const found = () => screen.getByRole("list", { name: "Found in your paste" });
export const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
export const connectButton = () => screen.getByRole("button", { name: "Connect" });

/** A service by the paths at which it answers; anything else there is 404. */
export function service(models: Record<string, Response | (() => Response)>) {
  return (path: string) => {
    const answer = models[path.replace("/relay/api/https/", "https://")];
    return (
      (typeof answer === "function" ? answer() : answer?.clone()) ?? Response.json({ error: "none" }, { status: 404 })
    );
  };
}
export const QUEUE = { [`${API}/api/v1/queue/apikey/models`]: Response.json({ model_ids: ["a", "b"] }) };
export const TEXT = { [`${API}/v1/models`]: Response.json({ data: [{ id: "t" }] }) };

export async function pasteInto(user: UserEvent, text: string) {
  await user.click(box());
  await user.paste(text);
}
