import { flushSync } from "react-dom";
import type { FormStore } from "./form-store.ts";

/** What can take the focus inside a row. */
export const FOCUSABLE = "input:not([type=hidden]):not([tabindex='-1']), textarea, select, button, [tabindex='0']";

/** The id of a field's row: rows are found by it to be scrolled to and focused. */
export const rowId = (store: FormStore, name: string): string => `${store.id}-${name}`;

/** Says everything that is missing, opens what is folded, and puts the focus into the first field with a problem. */
export function focusField(store: FormStore, name?: string): void {
  flushSync(() => store.attempt());
  const target = name ?? store.getProblems().find((problem) => problem.name)?.name ?? store.getRefused()?.name;
  if (target === undefined) return;
  flushSync(() => store.reveal(target));
  const row = document.getElementById(rowId(store, target));
  row?.scrollIntoView?.({ block: "center" });
  const invalid = row?.querySelector<HTMLElement>("[aria-invalid='true']:is(input, textarea, select, button)");
  (invalid ?? row?.querySelector<HTMLElement>(FOCUSABLE))?.focus({ preventScroll: true });
}
