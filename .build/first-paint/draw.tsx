import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { createStudioRouter } from "#app/router.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";

const QUIET_MS = 150;
/** Ends what hangs. Loading every module has taken more than 15 s on a busy machine. */
const LONGEST_MS = 180_000;

/** The HTML of a screen as the studio itself draws it before any answer of a service. Rejects where no heading comes. */
export async function drawScreen(path: string): Promise<string> {
  const place = document.createElement("div");
  document.body.append(place);
  const router = createStudioRouter({ history: createMemoryHistory({ initialEntries: [path] }) });
  createRoot(place).render(
    <ConnectionProvider clients={router.options.context.clients}>
      <RouterProvider router={router} />
    </ConnectionProvider>,
  );
  await untilQuiet(place);
  const still = place.cloneNode(true) as HTMLElement;
  for (const element of still.querySelectorAll("*")) makeStill(element);
  // Examples, a job or nothing: which of them is not known before the scripts have come.
  for (const result of still.querySelectorAll('[data-part="Result"]')) result.replaceChildren();
  return still.innerHTML;
}

/** Until a heading is there and nothing has changed for a moment. */
async function untilQuiet(place: HTMLElement): Promise<void> {
  let before = "";
  for (let waitedMs = 0; waitedMs < LONGEST_MS; waitedMs += QUIET_MS) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    if (place.querySelector("h1") && place.innerHTML === before) return;
    before = place.innerHTML;
  }
  throw new Error(`Nothing was drawn within ${LONGEST_MS / 1000} s.`);
}

// The names and addresses of what takes over stay its own, and the content policy allows no style attribute.
const DROPPED = /^(id|for|name|role|title|style|tabindex|data-status|aria-(?!current|disabled|busy|hidden).*)$/;

/** A picture of an element: nothing that can be found by its name, filled in or followed. */
function makeStill(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    if (name === "aria-label" && element.tagName === "SECTION") element.setAttribute("data-part", value);
    if (name === "href") element.setAttribute("data-to", value);
    if (DROPPED.test(name) || name === "href") element.removeAttribute(name);
  }
  if (element instanceof HTMLAnchorElement) element.removeAttribute("aria-current");
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element.type === "password") element.setAttribute("type", "text");
    element.setAttribute("readonly", "");
  }
  if (element.className === "sr-only") element.textContent = "";
  // Who is connected is not drawn.
  if (element.childElementCount === 0 && element.textContent?.startsWith("key ·")) element.textContent = "\u00a0";
}
