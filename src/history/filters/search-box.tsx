import { clsx } from "clsx";
import { CircleHelp, Search, TriangleAlert, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { useLeave } from "#ui/popover.ts";
import { historyCommands } from "../commands.ts";
import { SearchHelp } from "./search-help.tsx";
import { SearchSuggestions } from "./search-suggestions.tsx";
import { queryParts, withTerm } from "./search-terms.ts";

interface SearchBoxProps {
  /** From the address. */
  value: string | undefined;
  nowMs: number;
  onChange: (value: string | undefined) => void;
}

const REST_MS = 150;

/** The search of jobs. Typed text goes into the address after a short pause; terms in it are marked. */
export function SearchBox({ value, nowMs, onChange }: SearchBoxProps) {
  const shown = value === "*" ? "" : (value ?? "");
  const [text, setText] = useState(shown);
  const [isOpen, setIsOpen] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const pushed = useRef(shown);
  const push = useRef(onChange);
  const root = useRef<HTMLElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const listId = useId();
  const wrongId = useId();
  const { "aria-keyshortcuts": keys } = useCommandProps(historyCommands.search);
  useCommands([
    { ...historyCommands.search, icon: Search, run: () => box.current?.focus() },
    { ...historyCommands.searchHelp, icon: CircleHelp, run: () => setIsHelpOpen(true) },
  ]);
  const parts = queryParts(text);
  const wrongs = parts.flatMap(({ wrong }) => wrong ?? []);
  useEffect(() => {
    push.current = onChange;
  });
  // An address that changed elsewhere, such as by the back button, replaces the text.
  useEffect(() => {
    if (shown !== pushed.current) setText(shown);
    pushed.current = shown;
  }, [shown]);
  useEffect(() => {
    if (text === pushed.current) return;
    const wait = setTimeout(() => {
      pushed.current = text.trim();
      push.current(text.trim() || undefined);
    }, REST_MS);
    return () => clearTimeout(wait);
  }, [text]);
  useLeave(isOpen, root, () => setIsOpen(false));

  function add(term: string) {
    setText(`${withTerm(text, term)} `);
    box.current?.focus();
    setIsOpen(false);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      box.current?.focus();
      setIsOpen(false);
    }
    if (event.key === "ArrowDown" && event.target === box.current) {
      event.preventDefault();
      if (isOpen) document.getElementById(listId)?.querySelector("button")?.focus();
      else setIsOpen(true);
    }
  }
  return (
    <search
      ref={root}
      onKeyDown={onKeyDown}
      className="relative min-w-[190px] max-w-[332px] grow-[1000] basis-[190px] max-sm:max-w-none"
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 z-20 size-4 -translate-y-1/2 text-ink-3"
      />
      <div
        ref={marks}
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-9 left-[33px] z-10 flex items-center overflow-hidden whitespace-pre text-transparent pointer-coarse:right-12"
      >
        <span className="pointer-coarse:text-[16px]">
          {parts.map(({ text: part, isTerm, wrong }, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
              key={place}
              className={clsx(
                isTerm && "rounded-[4px] bg-ink/10",
                wrong && "underline decoration-failed decoration-wavy",
              )}
            >
              {part}
            </span>
          ))}
        </span>
      </div>
      <TextInput
        ref={box}
        aria-keyshortcuts={keys}
        type="text"
        role="searchbox"
        aria-label="Search jobs"
        aria-describedby={wrongId}
        placeholder="Search prompts, IDs"
        value={text}
        onFocus={() => setIsOpen(true)}
        onPointerDown={() => setIsOpen(true)}
        onScroll={(event) => {
          if (marks.current) marks.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
        onChange={(event) => {
          setText(event.target.value);
          setIsOpen(queryParts(event.target.value).some(({ wrong }) => wrong !== undefined));
        }}
        className="pr-9! pl-8! pointer-coarse:pr-12!"
      />
      <span id={wrongId} role="status" className="sr-only">
        {wrongs.join(" ")}
      </span>
      {wrongs.length > 0 && (
        <TriangleAlert
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-9 z-20 size-4 -translate-y-1/2 bg-well text-unconfirmed pointer-coarse:right-12"
        />
      )}
      {text === "" ? (
        <IconButton
          size="sm"
          label={historyCommands.searchHelp.label}
          data-command={historyCommands.searchHelp.id}
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          className={IN_BOX}
          onClick={() => {
            box.current?.focus();
            setIsOpen(true);
          }}
        >
          <CircleHelp aria-hidden="true" className="size-4" />
        </IconButton>
      ) : (
        <IconButton
          label="Clear the search"
          size="sm"
          className={IN_BOX}
          onClick={() => {
            setText("");
            box.current?.focus();
          }}
        >
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {isOpen && (
        <SearchSuggestions
          id={listId}
          anchor={root}
          query={text}
          nowMs={nowMs}
          wrongs={wrongs}
          onAdd={add}
          onAll={() => {
            setIsOpen(false);
            setIsHelpOpen(true);
          }}
          onLeave={() => box.current?.focus()}
        />
      )}
      <SearchHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} />
    </search>
  );
}

/** At the end of the text, in the middle of its height. */
const IN_BOX = "absolute! top-1/2 right-1 z-20 -translate-y-1/2 pointer-coarse:right-0";
