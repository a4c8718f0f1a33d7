import { type ClipboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { Field, TextArea } from "#ui/field.tsx";
import { maskKey, type Pasted, readPaste } from "./paste/read-paste.ts";

/** More than any example has, and what `readPaste` reads. */
const MAX_CHARACTERS = 20_000;
/** Fewer characters at once may come from a keyboard. */
const MAX_TYPED = 3;

export interface PasteBoxHandle {
  /** Takes a text that was pasted elsewhere on the screen. */
  take: (text: string) => void;
  /** Reads what was typed and not read yet. Whether there was anything. */
  flush: () => boolean;
}

/**
 * Where anything is pasted that holds an address or a key. A key never stays in it: its place shows the last four
 * characters. The box is uncontrolled, so that no state of the page holds what was in it.
 */
export function PasteBox({
  onFound,
  ref,
}: {
  /** With what stands in the box now. `isWhole`: pasted at once, and not typed letter by letter. */
  onFound: (pasted: Pasted, options: { isWhole: boolean }) => void;
  ref?: Ref<PasteBoxHandle>;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  /** How long the text was when it was read last, or before the last letter. */
  const lastLength = useRef(0);
  const isRead = useRef(true);

  /** Puts a text where the selection is. */
  function insert(text: string): void {
    const box = area.current;
    if (!box) return;
    const pasted = readPaste(text);
    const shown = text.slice(0, MAX_CHARACTERS);
    box.setRangeText(
      pasted.key === undefined ? shown : maskKey(shown, pasted.key),
      box.selectionStart,
      box.selectionEnd,
      "end",
    );
    // An address from before still stands there, and so does another key that was typed.
    const whole = readPaste(box.value);
    if (whole.key !== undefined) box.value = maskKey(box.value, whole.key);
    settle(box);
    onFound(pasted.key === undefined ? whole : { ...pasted, addresses: whole.addresses }, { isWhole: true });
  }

  function read(options: { isWhole: boolean }): void {
    const box = area.current;
    if (!box) return;
    const pasted = readPaste(box.value);
    if (pasted.key !== undefined) box.value = maskKey(box.value, pasted.key);
    settle(box);
    if (box.value.trim() !== "") onFound(pasted, options);
  }

  function settle(box: HTMLTextAreaElement): void {
    lastLength.current = box.value.length;
    isRead.current = true;
  }

  const flush = () => {
    const isNew = !isRead.current;
    if (isNew) read({ isWhole: false });
    return isNew;
  };
  useImperativeHandle(ref, () => ({ take: insert, flush }));
  const latest = useRef(insert);
  useEffect(() => {
    latest.current = insert;
  });
  useEffect(() => {
    // With the clipboard at hand nobody has to find the box first.
    const onPaste = (event: globalThis.ClipboardEvent) => {
      const isInField = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
      const text = isInField ? "" : (event.clipboardData?.getData("text/plain") ?? "");
      if (text.trim() !== "") latest.current(text);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);

  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    if (text === "") return;
    event.preventDefault();
    insert(text);
  };

  return (
    <Field label="Paste an address, or a curl command from the service’s docs">
      {({ id, describedBy }) => (
        <TextArea
          ref={area}
          mono
          id={id}
          rows={5}
          aria-describedby={describedBy}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={'curl https://api.example.com/api/v1/queue/apikey/models \\\n  -H "Authorization: Bearer …"'}
          className="max-h-60 leading-[21px]"
          onPaste={onPaste}
          onInput={(event) => {
            const { length } = event.currentTarget.value;
            const grown = length - lastLength.current;
            const isWhole = grown > MAX_TYPED;
            // A browser may send several events for one text.
            if (grown !== 0) isRead.current = false;
            lastLength.current = length;
            // A text that was dropped or filled in comes without a paste.
            if (isWhole) read({ isWhole });
          }}
          onBlur={({ relatedTarget }) => {
            // A button must stay where it is until it is pressed; Connect reads the rest itself.
            if (!(relatedTarget instanceof HTMLButtonElement)) flush();
          }}
        />
      )}
    </Field>
  );
}
