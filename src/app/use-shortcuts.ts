import { useEffect } from "react";
import { useCommandStore } from "#ui/command-store.ts";
import { isTyping, matchesShortcut } from "#ui/match-shortcut.ts";

/**
 * Gives the commands whose keys are pressed, the newest first. A key without `mod` never acts inside a text field, and
 * none acts behind an open dialog.
 */
export function useShortcuts(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      if (document.querySelector("[aria-modal=true]")) return;
      const typing = isTyping(event.target);
      const command = useCommandStore
        .getState()
        .commands.findLast(({ keys }) => keys && !(typing && !keys.includes("mod")) && matchesShortcut(keys, event));
      if (!command) return;
      event.preventDefault();
      command.run();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
