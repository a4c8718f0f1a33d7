import { X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { inputClass } from "#ui/field.tsx";

interface ChipFieldProps {
  id: string;
  describedBy: string | undefined;
  /** One value in a word, such as "stop sequence": for the names of the buttons. */
  noun: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

const shown = (text: string) => text.replaceAll("\n", "\\n");
const meant = (text: string) => text.replaceAll("\\n", "\n");

/**
 * A few short texts, each with a button that removes it. Enter or leaving the line adds what is written; Backspace in an
 * empty line takes the last one back. `\n` stands for the end of a line.
 */
export function ChipField({ id, describedBy, noun, values, onChange }: ChipFieldProps) {
  const [text, setText] = useState("");
  const line = useRef<HTMLInputElement>(null);
  const add = () => {
    const value = meant(text);
    if (value !== "" && !values.includes(value)) onChange([...values, value]);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && text !== "") {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && text === "" && values.length > 0) onChange(values.slice(0, -1));
  };
  return (
    <div
      data-field
      className={inputClass(
        "flex min-h-[34px] flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:border-focus pointer-coarse:min-h-11",
      )}
    >
      {values.map((value) => (
        <span
          key={value}
          className="inline-flex max-w-full items-center gap-0.5 rounded-[5px] bg-hover ps-1.5 font-mono text-[12px]"
        >
          <span className="truncate">{visibleLine(shown(value), 60)}</span>
          <button
            type="button"
            aria-label={`Remove ${noun} ${visibleLine(shown(value), 60)}`}
            onClick={() => {
              onChange(values.filter((one) => one !== value));
              line.current?.focus();
            }}
            className="grid size-6 shrink-0 cursor-pointer place-items-center rounded-[5px] text-ink-3 hover:text-ink pointer-coarse:size-11"
          >
            <X aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <input
        ref={line}
        id={id}
        aria-describedby={describedBy}
        autoComplete="off"
        spellCheck={false}
        placeholder="Add"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={add}
        className="min-h-6 w-16 min-w-0 flex-1 border-0 bg-transparent px-1 font-mono text-[12px] text-ink outline-none placeholder:font-sans placeholder:text-ink-3 pointer-coarse:text-[16px]"
      />
    </div>
  );
}
