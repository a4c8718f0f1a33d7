import { useEffect } from "react";
import { type PlacedCommand, useCommandStore } from "#ui/commands.ts";
import { getChord, isKeyForCommand, isOfControl, isTyping, keysNow, useKeyChoices } from "#ui/keys.ts";

/** How long the first key of two, such as G of "G then C", waits for the second, ms. */
const PATIENCE_MS = 1500;

/** Where the person is: on the screen, or in the dialog in front of it. */
export interface CommandPlace {
  /** The dialog's name, "" for the screen. Undefined in a dialog that has no commands. */
  layer: string | undefined;
  /** The screen, or a window that is a place of its own: there the commands of all of Safelight act, too. */
  isPlace: boolean;
}

/** The place that is in front now, read from the document: dialogs stand in it in the order of their opening. */
export function readCommandPlace(): CommandPlace {
  const front = [...document.querySelectorAll<HTMLElement>("[aria-modal=true]")].at(-1);
  if (!front) return { layer: "", isPlace: true };
  return { layer: front.dataset.commandLayer, isPlace: front.dataset.commandPlace !== undefined };
}

/** The commands of a place; of two with one id the one that came last. */
export function getPlaceCommands(
  { layer, isPlace }: CommandPlace,
  commands: readonly PlacedCommand[],
): PlacedCommand[] {
  const ofPlace = commands.filter((command) => (command.isEverywhere ? isPlace : command.layer === layer));
  return [...new Map(ofPlace.map((command) => [command.id, command])).values()];
}

/**
 * Runs the command whose keys are pressed. Keys without Ctrl or Cmd never act while a text is written. Under an open dialog
 * the screen's keys do not act. A key that stays pressed acts once, unless the command says otherwise.
 */
export function useCommandKeys(): void {
  useEffect(() => {
    let first: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = (chord: string | undefined) => {
      clearTimeout(timer);
      first = chord;
      if (chord !== undefined) timer = setTimeout(begin, PATIENCE_MS, undefined);
    };
    function onKeyDown(event: KeyboardEvent) {
      const chord = getChord(event);
      if (chord === undefined || event.defaultPrevented || event.isComposing) return;
      const isText = isTyping(event.target) && !chord.startsWith("mod+");
      if (isText || isOfControl(chord, event.target)) return begin(undefined);
      const choices = useKeyChoices.getState();
      const keyed = getPlaceCommands(readCommandPlace(), useCommandStore.getState().commands).map((command) => ({
        command,
        keys: keysNow(choices, command),
      }));
      const step = first === undefined ? chord : `${first} ${chord}`;
      // The keys that a command has now go before further ones by which another command is found.
      const found =
        keyed.findLast(({ keys }) => keys === step)?.command ??
        keyed.findLast(({ command }) => isKeyForCommand(choices, command, step))?.command;
      const isFirst = first === undefined && keyed.some(({ keys }) => keys?.startsWith(`${step} `));
      if (event.repeat && !found?.repeats) {
        if (found) event.preventDefault();
        return;
      }
      begin(found === undefined && isFirst ? step : undefined);
      if (!found) return;
      event.preventDefault();
      if (found.unavailable === undefined) found.run();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      clearTimeout(timer);
    };
  }, []);
}
