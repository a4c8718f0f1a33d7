import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "#ui/button.tsx";
import type { CommandInfo } from "#ui/commands.ts";
import { changeKeys, isSingleKey, useKeyChoices } from "#ui/key-choices.ts";
import { shortcutLabel } from "#ui/key-labels.ts";
import { chordOf, keyProblem } from "#ui/key-press.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { KEYED_COMMANDS } from "./all-commands.ts";

interface ShortcutRowProps {
  entry: CommandInfo;
  isChanging: boolean;
  onChanging: (isChanging: boolean) => void;
}

/** A command with its keys, and the ways to change them and to set them back. */
export function ShortcutRow({ entry, isChanging, onChanging }: ShortcutRowProps) {
  const { changed, singleKeys } = useKeyChoices();
  const pencil = useRef<HTMLButtonElement>(null);
  const { id, label, keys: own = "" } = entry;
  const keys = Object.hasOwn(changed, id) ? (changed[id] ?? "") : own;
  const isChanged = keys !== own;
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
    <li className="flex min-h-[30px] flex-wrap items-center gap-x-2.5 rounded-[7px] px-2.5 hover:bg-raised pointer-coarse:min-h-11">
      <span className="min-w-0 flex-1">
        {label}
        {isChanged && (
          <span aria-hidden="true" className="ms-2 inline-block size-[5px] rounded-full bg-accent align-[3px]" />
        )}
      </span>
      {isChanged && (
        <span className="text-[12px] text-ink-3">
          {own === "" ? "had none" : `was ${shortcutLabel(own)}`} ·{" "}
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
  if (keys === "") return <span className="text-[12px] text-ink-3">No shortcut</span>;
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
            <span aria-hidden="true" className="text-[12px] text-ink-3">
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

const NEEDS_MODIFIER = "This spends. Use a shortcut with Ctrl, ⌘ or Alt.";

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
  const own = entry.keys ?? "";
  const takesTwo = own.includes(" ");
  useEffect(() => field.current?.focus(), []);

  function take(pressed: string) {
    const problem = keyProblem(pressed);
    if (problem !== undefined) return setRefusal({ keys: pressed, sentence: `${shortcutLabel(pressed)} ${problem}` });
    if (entry.spends && isSingleKey(pressed)) return setRefusal({ keys: pressed, sentence: NEEDS_MODIFIER });
    const keysOf = ({ id, keys: theirs = "" }: CommandInfo) =>
      Object.hasOwn(changed, id) ? (changed[id] ?? "") : theirs;
    const holder = holderOf(pressed, entry, keysOf);
    if (holder) {
      const sentence = `${shortcutLabel(keysOf(holder))} belongs to “${holder.label}”.`;
      // Only whole keys can change places.
      const canSwap = keysOf(holder) === pressed && !(holder.spends && isSingleKey(keys));
      return setRefusal({ keys: pressed, sentence, ...(canSwap ? { holder } : {}) });
    }
    changeKeys({ [entry.id]: pressed === own ? undefined : pressed });
    onDone();
  }
  function swap({ keys: wanted, holder }: Refusal) {
    if (!holder) return;
    changeKeys({
      [entry.id]: wanted === own ? undefined : wanted,
      [holder.id]: keys === (holder.keys ?? "") ? undefined : keys,
    });
    onDone();
  }
  function onKeyDown(event: KeyboardEvent) {
    // Tab goes on through the dialog, as everywhere.
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === "Escape") return onDone();
    const chord = chordOf(event.nativeEvent);
    if (chord === "backspace" || chord === "delete") {
      changeKeys({ [entry.id]: own === "" ? undefined : "" });
      return onDone();
    }
    if (chord === undefined) return;
    setRefusal(undefined);
    if (takesTwo && first === undefined && isSingleKey(chord) && keyProblem(chord) === undefined)
      return setFirst(chord);
    setFirst(undefined);
    take(first !== undefined && isSingleKey(chord) ? `${first} ${chord}` : chord);
  }
  return (
    <li className="rounded-[7px] bg-raised px-2.5 py-1">
      <div className="flex min-h-[30px] flex-wrap items-center gap-2">
        <span className="min-w-24 flex-1">{entry.label}</span>
        <button
          ref={field}
          type="button"
          data-owns-escape=""
          aria-label={`New shortcut for ${entry.label}: ${first === undefined ? "press the keys" : `${shortcutLabel(first)}, then`}`}
          onKeyDown={onKeyDown}
          className="min-h-6 rounded-[5px] border-0 bg-canvas px-2.5 text-[12px] text-ink-2 outline-2 outline-accent pointer-coarse:min-h-11"
        >
          {first === undefined ? "Press the new keys" : `${shortcutLabel(first)} then …`}
        </button>
        <Button size="sm" variant="ghost" onClick={onDone} aria-label={`Keep the shortcut of ${entry.label}`}>
          Cancel <Kbd keys="esc" />
        </Button>
      </div>
      <div role="alert" className="flex flex-wrap items-center gap-2 text-[12px] text-ink-2">
        {refusal?.sentence}
        {refusal?.holder && (
          <Button size="sm" className="my-1" onClick={() => swap(refusal)}>
            Swap with “{refusal.holder.label}”
          </Button>
        )}
      </div>
      <p className="m-0 text-[12px] text-ink-3">Backspace removes the shortcut.</p>
    </li>
  );
}

/** The command that would answer to the same keys in some place, or begins or continues them ("G" and "G then C"). */
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
