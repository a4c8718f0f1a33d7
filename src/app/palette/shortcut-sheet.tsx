import { useLocation } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { historyCommands } from "#history/commands.ts";
import { SearchTerms } from "#history/search-help.tsx";
import { formatNumber } from "#lib/numbers.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { type CommandInfo, PLACES, type Place, useCommandStore } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import {
  changeKeys,
  getChord,
  isSingleKey,
  keyProblem,
  resetAllKeys,
  setSingleKeys,
  shortcutLabel,
  useKeyChoices,
} from "#ui/keys.ts";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { commandsIn, KEYED_COMMANDS } from "./all-commands.ts";
import type { CommandPlace } from "./press-keys.ts";

interface ShortcutSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Where the person was when it was opened. */
  place: CommandPlace;
}

/**
 * All keys of the place or of all of Safelight. Each can be changed, taken away and set back; a switch turns single
 * keys off.
 */
export function ShortcutSheet({ open, onOpenChange, place }: ShortcutSheetProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="sm" atTop title="Keyboard shortcuts">
      <SheetBody place={place} />
    </Dialog>
  );
}

function SheetBody({ place }: { place: CommandPlace }) {
  const ownPlace = usePlace(place);
  const [shown, setShown] = useState<"here" | "all">(ownPlace === undefined ? "all" : "here");
  const [changingId, setChangingId] = useState<string>();
  const { changed, singleKeys } = useKeyChoices();
  const switchId = useId();
  const offered = useCommandStore(({ commands }) => commands);
  // In a window such as the viewer only what it offers now is listed: of an image no keys of a player.
  const canAct = ({ id, isEverywhere }: CommandInfo) =>
    isEverywhere || ownPlace !== place.layer || offered.some((one) => one.layer === ownPlace && one.id === id);
  const entries = shown === "here" ? commandsIn(ownPlace).filter(canAct) : KEYED_COMMANDS;
  const count = KEYED_COMMANDS.filter(({ id, keys = "" }) => Object.hasOwn(changed, id) && changed[id] !== keys).length;
  return (
    <>
      <div className="flex flex-col gap-3 border-line border-b pb-3">
        {ownPlace !== undefined && (
          <Segmented
            label="Shown shortcuts"
            options={[
              { value: "here", label: PLACES[ownPlace] },
              { value: "all", label: "All" },
            ]}
            value={shown}
            onChange={setShown}
          />
        )}
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <label htmlFor={switchId} className="font-medium">
              Single-key shortcuts
            </label>
            <p id={`${switchId}-hint`} className="m-0 text-xs text-ink-3 leading-snug">
              Single letters run commands, such as D for Download. They’re off while you type.
            </p>
          </div>
          <Switch
            id={switchId}
            aria-describedby={`${switchId}-hint`}
            checked={singleKeys}
            onChange={(event) => setSingleKeys(event.currentTarget.checked)}
          />
        </div>
      </div>
      {groupsOf(entries, shown === "all").map(([name, list]) => (
        <section key={name} aria-label={name} className="-mx-2.5 mt-2">
          <h3 className="m-0 px-2.5 py-1 font-medium text-xs text-ink-3">{name}</h3>
          <ul className="m-0 list-none p-0">
            {list.map((entry) => (
              <ShortcutRow
                key={entry.id}
                entry={entry}
                isChanging={changingId === entry.id}
                onChanging={(isChanging) => setChangingId(isChanging ? entry.id : undefined)}
              />
            ))}
          </ul>
        </section>
      ))}
      <details className="mt-3">
        <summary className="flex min-h-8 cursor-pointer items-center font-medium text-sm pointer-coarse:min-h-11">
          {historyCommands.searchHelp.label}
        </summary>
        <div className="pt-1">
          <SearchTerms />
        </div>
      </details>
      <div className="sticky -bottom-5 -mx-5 mt-3 -mb-5 short:bottom-0 flex min-h-11 items-center justify-between gap-3 border-line border-t bg-panel px-5 text-sm text-ink-3">
        <span role="status">{count === 0 ? "No shortcuts changed" : `${formatNumber(count)} changed`}</span>
        <Button size="sm" variant="ghost" aria-disabled={count === 0} onClick={resetAllKeys}>
          Reset all
        </Button>
      </div>
    </>
  );
}

/** The commands by group. With `isAll`, a heading also names the place of commands that have only one. */
function groupsOf(entries: readonly CommandInfo[], isAll: boolean): [string, CommandInfo[]][] {
  const groups = new Map<string, CommandInfo[]>();
  for (const entry of entries) {
    const [place, ...others] = entry.places;
    const isNamed = isAll && place !== undefined && others.length === 0 && PLACES[place] !== entry.group;
    const name = isNamed ? `${PLACES[place]}: ${entry.group}` : entry.group;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups];
}

/** The place of the person: a window such as the viewer, else the screen that the URL names. */
function usePlace({ layer }: CommandPlace): Place | undefined {
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (layer !== undefined && isPlace(layer)) return layer;
  const name = path.split("/")[1] ?? "";
  return name === "jobs" ? "job" : isPlace(name) ? name : undefined;
}

const isPlace = (name: string): name is Place => Object.hasOwn(PLACES, name);

interface ShortcutRowProps {
  entry: CommandInfo;
  isChanging: boolean;
  onChanging: (isChanging: boolean) => void;
}

/** A command with its keys, and the ways to change them and to set them back. */
function ShortcutRow({ entry, isChanging, onChanging }: ShortcutRowProps) {
  const { changed, singleKeys } = useKeyChoices();
  const pencil = useRef<HTMLButtonElement>(null);
  const { id, label, keys: defaultKeys = "" } = entry;
  const keys = Object.hasOwn(changed, id) ? (changed[id] ?? "") : defaultKeys;
  const isChanged = keys !== defaultKeys;
  const isOff = keys !== "" && !singleKeys && isSingleKey(keys);
  if (isChanging) {
    return (
      <KeyRecorder
        entry={entry}
        keys={keys}
        onDone={() => {
          onChanging(false);
          requestAnimationFrame(() => pencil.current?.focus());
        }}
      />
    );
  }
  return (
    <li className="flex min-h-7.5 flex-wrap items-center gap-x-2.5 rounded-sm px-2.5 hover:bg-raised pointer-coarse:min-h-11">
      <span className="min-w-0 flex-1">
        {label}
        {isChanged && (
          <span aria-hidden="true" className="ms-2 inline-block size-1.25 rounded-full bg-accent align-[3px]" />
        )}
      </span>
      {isChanged && (
        <span className="text-xs text-ink-3">
          Default: {defaultKeys === "" ? "none" : shortcutLabel(defaultKeys)} ·{" "}
          <button
            type="button"
            aria-label={`Reset ${label}`}
            onClick={() => {
              changeKeys({ [id]: undefined });
              pencil.current?.focus();
            }}
            className="min-h-6 cursor-pointer border-0 bg-transparent p-0 font-medium text-ink underline decoration-line-strong underline-offset-[3px] pointer-coarse:min-h-11"
          >
            Reset
          </button>
        </span>
      )}
      <ShownKeys keys={keys} isOff={isOff} />
      <IconButton ref={pencil} size="sm" label={`Change ${label}`} onClick={() => onChanging(true)}>
        <Pencil aria-hidden="true" className="size-3.5" />
      </IconButton>
    </li>
  );
}

/** "G then C", for the eye and for a screen reader. */
function ShownKeys({ keys, isOff }: { keys: string; isOff: boolean }) {
  if (keys === "") return <span className="text-xs text-ink-3">No shortcut</span>;
  return (
    <span className={clsx("flex items-center gap-1", isOff && "opacity-45")}>
      <span className="sr-only">
        {keys
          .split(" ")
          .map((step) => shortcutLabel(step))
          .join(" then ")}
        {isOff && ", off"}
      </span>
      {keys.split(" ").map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one shortcut have no other name
        <Fragment key={place}>
          {place > 0 && (
            <span aria-hidden="true" className="text-xs text-ink-3">
              then
            </span>
          )}
          <Kbd keys={step} className="pointer-coarse:inline!" />
        </Fragment>
      ))}
    </span>
  );
}

interface KeyRecorderProps {
  entry: CommandInfo;
  keys: string;
  onDone: () => void;
}

const NEEDS_MODIFIER = "This command spends money. Use a shortcut with Ctrl, ⌘ or Alt.";

type Refusal = { keys: string; sentence: string; holder?: CommandInfo };

/**
 * Waits for the new keys. A command that has two, such as "G then C", waits for a second letter. Esc leaves things as they
 * are, Backspace takes the keys away.
 */
function KeyRecorder({ entry, keys, onDone }: KeyRecorderProps) {
  const { changed } = useKeyChoices();
  const field = useRef<HTMLButtonElement>(null);
  const [first, setFirst] = useState<string>();
  const [refusal, setRefusal] = useState<Refusal>();
  const defaultKeys = entry.keys ?? "";
  const takesTwo = defaultKeys.includes(" ");
  useEffect(() => field.current?.focus(), []);

  function assign(pressed: string) {
    const problem = keyProblem(pressed);
    if (problem !== undefined) return setRefusal({ keys: pressed, sentence: `${shortcutLabel(pressed)} ${problem}` });
    if (entry.spends && isSingleKey(pressed)) return setRefusal({ keys: pressed, sentence: NEEDS_MODIFIER });
    const keysOf = ({ id, keys: theirs = "" }: CommandInfo) =>
      Object.hasOwn(changed, id) ? (changed[id] ?? "") : theirs;
    const holder = holderOf(pressed, entry, keysOf);
    if (holder) {
      const sentence = `${shortcutLabel(keysOf(holder))} is used by “${holder.label}”.`;
      // Only whole keys can change places.
      const canSwap = keysOf(holder) === pressed && !(holder.spends && isSingleKey(keys));
      return setRefusal({ keys: pressed, sentence, ...(canSwap ? { holder } : {}) });
    }
    changeKeys({ [entry.id]: pressed === defaultKeys ? undefined : pressed });
    onDone();
  }
  function swap({ keys: wanted, holder }: Refusal) {
    if (!holder) return;
    changeKeys({
      [entry.id]: wanted === defaultKeys ? undefined : wanted,
      [holder.id]: keys === (holder.keys ?? "") ? undefined : keys,
    });
    onDone();
  }
  function onKeyDown(event: KeyboardEvent) {
    // Tab moves on through the dialog, as everywhere.
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === "Escape") return onDone();
    const chord = getChord(event.nativeEvent);
    if (chord === "backspace" || chord === "delete") {
      changeKeys({ [entry.id]: defaultKeys === "" ? undefined : "" });
      return onDone();
    }
    if (chord === undefined) return;
    setRefusal(undefined);
    if (takesTwo && first === undefined && isSingleKey(chord) && keyProblem(chord) === undefined)
      return setFirst(chord);
    setFirst(undefined);
    assign(first !== undefined && isSingleKey(chord) ? `${first} ${chord}` : chord);
  }
  return (
    <li className="rounded-sm bg-raised px-2.5 py-1">
      <div className="flex min-h-7.5 flex-wrap items-center gap-2">
        <span className="min-w-24 flex-1">{entry.label}</span>
        <button
          ref={field}
          type="button"
          data-owns-escape=""
          aria-label={`New shortcut for ${entry.label}: ${first === undefined ? "press the keys" : `${shortcutLabel(first)}, then`}`}
          onKeyDown={onKeyDown}
          className="min-h-6 rounded-sm border-0 bg-canvas px-2.5 text-xs text-ink-2 outline-2 outline-accent pointer-coarse:min-h-11"
        >
          {first === undefined ? "Press the new keys" : `${shortcutLabel(first)} then …`}
        </button>
        <Button size="sm" variant="ghost" onClick={onDone} aria-label={`Cancel: ${entry.label}`}>
          Cancel <Kbd keys="esc" />
        </Button>
      </div>
      <div role="alert" className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
        {refusal?.sentence}
        {refusal?.holder && (
          <Button size="sm" className="my-1" onClick={() => swap(refusal)}>
            Swap with “{refusal.holder.label}”
          </Button>
        )}
      </div>
      <p className="m-0 text-xs text-ink-3">Backspace removes the shortcut.</p>
    </li>
  );
}

/** The command that would act on the same keys in some place, or begins or continues them ("G" and "G then C"). */
function holderOf(
  keys: string,
  { id, places }: Pick<CommandInfo, "id" | "places">,
  keysOf: (entry: CommandInfo) => string,
): CommandInfo | undefined {
  const meets = (other: CommandInfo) =>
    places.length === 0 || other.places.length === 0 || other.places.some((place) => places.includes(place));
  return KEYED_COMMANDS.find((other) => {
    const theirs = keysOf(other);
    if (other.id === id || theirs === "" || !meets(other)) return false;
    return theirs === keys || theirs.startsWith(`${keys} `) || keys.startsWith(`${theirs} `);
  });
}
