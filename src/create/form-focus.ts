import { useEffect, useEffectEvent } from "react";
import { type FormHandle, rowId } from "#schema-form/form/form-handle.ts";
import { fieldNames } from "#schema-form/read/field.ts";

/** Puts the focus into the prompt, else into the first field. */
export function focusPrompt(form: FormHandle): void {
  const names = fieldNames(form.schema);
  const at = form.schema.fields.findIndex(({ role }) => role === "prompt");
  const name = names[Math.max(0, at)];
  const row = name === undefined ? null : document.getElementById(rowId(form, name));
  row?.querySelector<HTMLElement>("textarea, input:not([type=hidden])")?.focus({ preventScroll: true });
}

/**
 * Puts the focus into the prompt, so that one can type at once. Not on touch, where a keyboard would cover the screen,
 * and not where the focus is somewhere on purpose.
 */
export function focusFreePrompt(form: FormHandle): void {
  if (!window.matchMedia?.("(hover: hover) and (pointer: fine)").matches) return;
  const { activeElement } = document;
  const isFree = activeElement === null || activeElement === document.body || activeElement.closest("nav, h1") !== null;
  if (isFree) focusPrompt(form);
}

/** `focusFreePrompt` when Create opens. */
export function useFirstFocus(form: FormHandle): void {
  const focus = useEffectEvent(() => focusFreePrompt(form));
  useEffect(() => focus(), []);
}

/**
 * Makes the focused field take over what was typed into it, as some fields do only when they are left. The focus stays.
 */
export function finishTyping(form: HTMLFormElement | null): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLInputElement) || !form?.contains(activeElement)) return;
  activeElement.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
}
