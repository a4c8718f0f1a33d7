import { create } from "zustand";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

/** How the person wants to learn, while away, that a job finished. Both are off until asked for. */
interface AlertChoice {
  notify: boolean;
  sound: boolean;
}

function storedChoice(): AlertChoice {
  const words = (readText(KEYS.alerts) ?? "").split(" ");
  return { notify: words.includes("notify"), sound: words.includes("sound") };
}

export const useAlertChoice = create<AlertChoice>(storedChoice);

/** Changes the choice, and stores it on this device where storage allows. */
export function setAlertChoice(change: Partial<AlertChoice>): void {
  useAlertChoice.setState(change);
  const { notify, sound } = useAlertChoice.getState();
  writeText(KEYS.alerts, [notify && "notify", sound && "sound"].filter(Boolean).join(" "));
}

/**
 * Whether this browser shows notifications. `open`: it asks the person first. `insecure`: the page's URL is not https,
 * so that no browser allows it.
 */
export function notificationAccess(): "granted" | "open" | "denied" | "insecure" | "unsupported" {
  if (globalThis.isSecureContext === false) return "insecure";
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "default") return "open";
  return Notification.permission;
}

/**
 * Asks the browser for notifications. Resolves to false where it has none, or the person declines. Rejects with what
 * the browser rejects with.
 */
export async function allowNotifications(): Promise<boolean> {
  const access = notificationAccess();
  if (access !== "open") return access === "granted";
  return (await Notification.requestPermission()) === "granted";
}
