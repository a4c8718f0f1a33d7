import { create } from "zustand";
import { onStoredChange, readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

type ThemeChoice = "system" | "light" | "dark";

/** The color of the browser's own bar, for each theme. */
const BROWSER_BAR = { light: "#f7f6f4", dark: "#0d0b0a" };

const isChoice = (value: unknown): value is ThemeChoice => value === "light" || value === "dark" || value === "system";

function storedChoice(): ThemeChoice {
  const stored = readText(KEYS.theme);
  return isChoice(stored) ? stored : "system";
}

const useThemeStore = create<{ choice: ThemeChoice }>(() => ({ choice: storedChoice() }));

const prefersLight = () => window.matchMedia?.("(prefers-color-scheme: light)");

/** The theme that the person chose; `system` follows the device. */
export function useThemeChoice(): ThemeChoice {
  return useThemeStore((state) => state.choice);
}

/** `useThemeChoice` for code outside React. */
export const getThemeChoice = (): ThemeChoice => useThemeStore.getState().choice;

/** Chooses a theme, shows it at once and stores it on this device where storage allows. */
export function setThemeChoice(choice: ThemeChoice): void {
  writeText(KEYS.theme, choice);
  useThemeStore.setState({ choice });
}

function show(choice: ThemeChoice): void {
  const theme = choice === "system" ? (prefersLight()?.matches ? "light" : "dark") : choice;
  document.documentElement.dataset.theme = theme;
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", BROWSER_BAR[theme]);
}

/** Shows the chosen theme and follows every change: of the choice, of the device, of another tab. Call once. */
export function startTheme(): void {
  const showCurrent = () => show(useThemeStore.getState().choice);
  showCurrent();
  useThemeStore.subscribe(showCurrent);
  prefersLight()?.addEventListener("change", showCurrent);
  onStoredChange(KEYS.theme, () => useThemeStore.setState({ choice: storedChoice() }));
}
