import { create } from "zustand";
import { safeLocalStorage } from "#lib/safe-storage.ts";

/** What a person asked to be told while away. Both are off until asked for. */
export interface AlertChoice {
  notify: boolean;
  sound: boolean;
}

const STORAGE_KEY = "safelight:alerts";

function stored(): AlertChoice {
  const words = (safeLocalStorage.getItem(STORAGE_KEY) ?? "").split(" ");
  return { notify: words.includes("notify"), sound: words.includes("sound") };
}

export const useAlertChoice = create<AlertChoice>(stored);

/** Changes what is told, and keeps it on this device where storage allows. */
export function setAlertChoice(change: Partial<AlertChoice>): void {
  useAlertChoice.setState(change);
  const { notify, sound } = useAlertChoice.getState();
  safeLocalStorage.setItem(STORAGE_KEY, [notify && "notify", sound && "sound"].filter(Boolean).join(" "));
}

/** Asks the browser for notifications. False where it or the person says no. */
export async function allowNotifications(): Promise<boolean> {
  if (typeof Notification === "undefined") return false;
  return (await Notification.requestPermission()) === "granted";
}
