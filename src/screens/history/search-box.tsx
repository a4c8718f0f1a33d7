import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { TextInput } from "#ui/text-input.tsx";

interface SearchBoxProps {
  /** From the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const REST_MS = 150;

/** A search of what this browser has indexed. What is typed is pushed into the address once it rests. */
export function SearchBox({ value, onChange }: SearchBoxProps) {
  const shown = value === "*" ? "" : (value ?? "");
  const [text, setText] = useState(shown);
  const pushed = useRef(shown);
  const push = useRef(onChange);
  useEffect(() => {
    push.current = onChange;
  });
  // Another address, such as by the back button, is taken over; what was typed here is not.
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
  return (
    <search className="relative w-[248px] max-sm:w-auto max-sm:min-w-0 max-sm:flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3"
      />
      <TextInput
        type="text"
        role="searchbox"
        aria-label="Search indexed jobs"
        title='Words, "phrases", model: status: type: seed: tag: is:starred is:expiring is:saved cost>0.5 before:2026-11-01, - for not'
        placeholder="Search prompts, ids, cost>0.5"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pr-8! pl-8!"
      />
      {text && (
        <IconButton label="Clear the search" size="sm" className="absolute top-1 right-1" onClick={() => setText("")}>
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
    </search>
  );
}
