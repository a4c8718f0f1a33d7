import { type KeyboardEvent, useState } from "react";
import type { ComboboxProps } from "./combobox.tsx";
import { type ComboboxOption, filterOptions } from "./filter-options.ts";

/** The behaviour of `Combobox`: what is typed, which options show, which one is active. */
export function useCombobox({ options, value, onChange, allowCustom = false, disabled }: ComboboxProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Undefined: nothing typed since the list opened, so the text is the chosen option's.
  const [typed, setTyped] = useState<string>();
  const [activeIndex, setActiveIndex] = useState(-1);

  const chosenText = options.find((option) => option.value === value)?.label ?? value ?? "";
  const shown = typed === undefined ? [...options] : filterOptions(options, typed);

  function close() {
    setIsOpen(false);
    setTyped(undefined);
    setActiveIndex(-1);
  }
  function open() {
    if (disabled || isOpen) return;
    setIsOpen(true);
    setActiveIndex(options.findIndex((option) => option.value === value));
  }
  function pick(option: ComboboxOption) {
    if (option.value !== value) onChange(option.value);
    close();
  }
  function type(text: string) {
    setIsOpen(true);
    setTyped(text);
    setActiveIndex(text === "" || filterOptions(options, text).length === 0 ? -1 : 0);
  }
  function leave() {
    if (typed !== undefined) {
      const text = typed.trim();
      const same = options.find((option) => option.label === text || option.value === text);
      if (same) onChange(same.value);
      else if (text === "") onChange(undefined);
      else if (allowCustom) onChange(text);
    }
    close();
  }
  function move(step: number) {
    if (!isOpen) open();
    else if (shown.length > 0) setActiveIndex((activeIndex + step + shown.length) % shown.length);
  }
  function onKeyDown(event: KeyboardEvent) {
    const active = shown[activeIndex];
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(activeIndex < 0 ? 0 : -1);
    else if (event.key === "Enter" && isOpen) {
      if (active) pick(active);
      else leave();
    } else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return {
    isOpen,
    open,
    text: typed ?? chosenText,
    type,
    shown,
    activeIndex,
    moveTo: setActiveIndex,
    pick,
    leave,
    onKeyDown,
  };
}
