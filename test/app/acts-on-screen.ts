import { waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect } from "vitest";
import { ALL_COMMANDS } from "#app/palette/all-commands.ts";
import { getPlaceCommands, readCommandPlace } from "#app/palette/press-keys.ts";
import { idWithoutItem, useCommandStore } from "#ui/commands.ts";
import { visitStudio } from "../visit-studio.tsx";

/** What is pressed and is no act of its own, each with the reason. */
const NO_ACTS: readonly { why: string; is: (element: HTMLElement, name: string) => boolean }[] = [
  {
    why: "it only leaves, closes or keeps things as they are",
    is: (_, name) => /^(Close|Cancel|Dismiss|Skip to content)\b/.test(name),
  },
  {
    why: "it opens or closes a part of the screen, or a menu whose entries are looked at themselves",
    is: (element) => element.hasAttribute("aria-expanded"),
  },
  {
    why: "it is a part of a field or a filter, and changes its value",
    is: (element) =>
      element.closest(
        "[data-row], [role=radiogroup], [role=toolbar][aria-label=Filters], [aria-label='Runs by status'], fieldset, search, [data-field]",
      ) !== null,
  },
  {
    why: "it is a row of data, or belongs to one; messages have commands",
    is: (element) =>
      element.closest("[aria-label=Messages]") === null &&
      element.closest(
        "[role=grid], [role=row], tr, ol, [role=listbox], [aria-label='Filmstrip'], [aria-label='Recent jobs'] li",
      ) !== null,
  },
  {
    why: "it unfolds or copies a part of what an answer says",
    is: (element) => element.closest(".markdown") !== null,
  },
  {
    why: "it is a link in a sentence or a fact",
    is: (element) => element.matches("p a, dd a, span > a.underline, a.underline"),
  },
  {
    why: "it belongs to a notification, which goes by itself",
    is: (element) => element.closest("[data-toaster]") !== null,
  },
];

/** Shown on a phone alone, where `PhoneQueue` offers it; jsdom hides nothing by its style. */
const OF_PHONES = new Set(["queue.open"]);

/** The name of a button as a command would have it: without its price and its count. */
const plain = (name: string) =>
  name
    .replace(/[–—:·,]?\s*[$−-]+\d[\d.,]*/g, "")
    .replace(/…/g, "")
    .trim()
    .toLowerCase();

/** Passes once commands and list of keys have all that is pressed: a button is there a moment before its command. */
export const everyActIsKnown = (state?: string) =>
  waitFor(() => expect([unknownActs(), strayCommands()], state).toEqual([[], []]), { onTimeout: (error) => error });

/**
 * Everything in front that is pressed and of which no command knows, by its name and by the id that it names, and all that
 * has no name at all.
 */
export function unknownActs(): string[] {
  const place = readCommandPlace();
  const offered = getPlaceCommands(place, useCommandStore.getState().commands);
  const front = [...document.querySelectorAll<HTMLElement>("[aria-modal=true]")].at(-1) ?? document.body;
  const ids = new Set(offered.map(({ id }) => id));
  const labels = new Set(offered.map(({ label }) => plain(label)));
  return namedElements(front).flatMap(({ element, name }) => {
    if (element.closest("[hidden]")) return [];
    if (name === "" && !element.closest("[aria-hidden=true]")) return [`No name: ${element.outerHTML}`];
    const id = element.dataset.command;
    if (id !== undefined && OF_PHONES.has(id)) return [];
    if (id !== undefined) return ids.has(id) && isKnown(id) ? [] : [`${name} (${id})`];
    if (labels.has(plain(name)) || labels.has(`go to ${plain(name)}`)) return [];
    return NO_ACTS.some(({ is }) => is(element, name)) ? [] : [name];
  });
}

/** Buttons, links and menu items of the accessibility tree, with their names. */
function namedElements(front: HTMLElement): { element: HTMLElement; name: string }[] {
  const found: { element: HTMLElement; name: string }[] = [];
  for (const role of ["button", "link", "menuitem"]) {
    within(front).queryAllByRole(role, {
      name: (name, element) => found.push({ element: element as HTMLElement, name }) > 0,
    });
  }
  return found;
}

/** What no command knows in a place: waits for what shows that it is there, and opens each menu once. */
export async function collectUnknown(path: string, isThere: (user: UserEvent) => Promise<unknown>): Promise<string[]> {
  const { user } = visitStudio(path);
  await isThere(user);
  await waitFor(() => expect(useCommandStore.getState().commands.map(({ id }) => id)).toContain("palette"));
  const unknown = await stillUnknown();
  await openEachMenu(user, async () => void unknown.push(...(await stillUnknown())));
  return [...new Set(unknown)];
}

/** Opens each menu of what is in front, one after the other, and lets the test look at it. */
export async function openEachMenu(user: UserEvent, look: () => Promise<unknown>): Promise<void> {
  const front = [...document.querySelectorAll("[aria-modal=true]")].at(-1) ?? document;
  for (const trigger of front.querySelectorAll<HTMLElement>("[aria-haspopup=menu]")) {
    await user.click(trigger);
    await look();
    await user.keyboard("{Escape}");
  }
}

/** A button is there a moment before its command, which an effect offers. */
async function stillUnknown(): Promise<string[]> {
  let unknown: string[] = [];
  const look = () => {
    unknown = unknownActs();
    expect(unknown).toEqual([]);
  };
  await waitFor(look).catch(() => {});
  return unknown;
}

/** Commands of the place that are not in the list of all, or have other keys there. */
export function strayCommands(): string[] {
  return useCommandStore.getState().commands.flatMap(({ id, keys }) => {
    const command = ALL_COMMANDS.find((one) => one.id === idWithoutItem(id));
    return command && (command.isPerItem || id === command.id ? command.keys === keys : keys === undefined)
      ? []
      : [`${id} ${keys}`];
  });
}

const isKnown = (id: string) => ALL_COMMANDS.some((command) => command.id === idWithoutItem(id));
