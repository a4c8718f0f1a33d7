import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cellText, readCell } from "#batch/rows/cell-value.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Field } from "#schema-form/read/field.ts";
import { fitHeight } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";

interface CellEditorProps {
  label: string;
  field: Field | undefined;
  value: unknown;
  /** What is typed first takes the place of the value. */
  typed: string | undefined;
  /** How many rows are like this one in this cell, itself included. */
  alike: number;
  /** They are the selected rows. */
  isSelection: boolean;
  isAtEnd: boolean;
  onSave: (value: unknown, all: boolean) => void;
  onCancel: () => void;
}

/**
 * A cell that is edited in its place. Enter changes this run, Ctrl or Cmd with Enter all that are like it, Escape nothing.
 * What cannot be read stays as it was typed, and is named as the row's problem.
 */
export function CellEditor(props: CellEditorProps) {
  const { label, field, value, typed, alike, isSelection, isAtEnd, onSave, onCancel } = props;
  const hintId = useId();
  const isChoice = field?.kind === "choice" || field?.kind === "boolean";
  const [text, setText] = useState(() => (isChoice ? cellText(value, field) : (typed ?? cellText(value, field))));
  const box = useRef<HTMLTextAreaElement & HTMLSelectElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    const element = box.current;
    element?.focus();
    if (element instanceof HTMLTextAreaElement) {
      fitHeight(element);
      const end = element.value.length;
      element.setSelectionRange(typed === undefined ? 0 : end, end);
    }
  }, [typed]);

  function save(all: boolean) {
    if (isOver.current) return;
    isOver.current = true;
    onSave(readCell(field, text), all);
  }
  const shared = {
    ref: box,
    value: text,
    "aria-label": label,
    "aria-describedby": hintId,
    onBlur: (event: FocusEvent) => {
      if (!event.currentTarget.parentElement?.contains(event.relatedTarget)) save(false);
    },
    onKeyDown: (event: KeyboardEvent) => {
      // The table's own keys do not act while a text is written.
      event.stopPropagation();
      if (event.key === "Escape") {
        event.preventDefault();
        isOver.current = true;
        onCancel();
      } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
        event.preventDefault();
        save(event.ctrlKey || event.metaKey);
      } else if (event.key === "Tab") {
        event.preventDefault();
        save(false);
      }
    },
  };
  const inputClass =
    "block w-full resize-none border-0 bg-transparent p-0 text-ink outline-none [font:inherit] leading-[1.42]";
  return (
    <fieldset
      onDoubleClick={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      className={`absolute top-0 z-20 m-0 min-w-full rounded-[5px] border-0 bg-canvas px-2 py-[5px] shadow-float outline-2 outline-accent ${isAtEnd ? "end-0" : "start-0"} ${isChoice ? "w-max" : "w-[max(100%,300px)]"}`}
    >
      {isChoice ? (
        <select {...shared} className={`${inputClass} cursor-pointer`} onChange={({ target }) => setText(target.value)}>
          {choicesOf(field, text).map((choice) => (
            <option key={choice.text} value={choice.text}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...shared}
          dir="auto"
          rows={1}
          spellCheck={field?.kind === "text"}
          className={inputClass}
          onChange={({ target }) => {
            setText(target.value);
            fitHeight(target);
          }}
        />
      )}
      <p id={hintId} className="m-0 mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-[12px] text-ink-3">
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <Kbd keys="enter" /> this run
        </span>
        {alike > 1 && (
          <button
            type="button"
            tabIndex={-1}
            onClick={() => save(true)}
            className="flex cursor-pointer items-center gap-1.5 whitespace-nowrap border-0 bg-transparent p-0 text-ink-3 hover:text-ink"
          >
            <Kbd keys="mod+enter" /> all {alike} {isSelection ? "selected" : "like it"}
          </button>
        )}
      </p>
    </fieldset>
  );
}

function choicesOf(field: Field | undefined, now: string): { text: string; label: string }[] {
  const known =
    field?.kind === "choice"
      ? field.options.map(({ value, label }) => ({ text: cellText(value, field), label: visibleLine(label, 80) }))
      : [
          { text: "yes", label: "Yes" },
          { text: "no", label: "No" },
        ];
  const none = field?.required && field.defaultValue === undefined ? [] : [{ text: "", label: "Default" }];
  const all = [...none, ...known];
  // A value that is none of them is there as well, so that opening the cell changes nothing.
  return all.some(({ text }) => text === now) ? all : [...all, { text: now, label: visibleLine(now, 80) }];
}
