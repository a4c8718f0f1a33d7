import { useId } from "react";
import { expandParts, type TextPart } from "#batch/rows/text-template.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Field, TextArea } from "#ui/field.tsx";
import { readTexts } from "./axis-edits.ts";
import { useMade, useQuietText } from "./use-expanded.ts";

const EXAMPLE = "A {red|blue} lighthouse at dusk, 35 mm\nA harbor town in fog, frame {1..2}";

/** Texts that the preview lists. */
const MAX_SHOWN = 40;

/** A text area with one prompt or value per line, their count, and an example. */
export function PromptLines({
  label,
  text,
  rows = 5,
  onChange,
}: {
  label: string;
  text: string;
  rows?: number;
  onChange: (text: string) => void;
}) {
  const { typed, setTyped, onBlur } = useQuietText(text, onChange);
  const { texts, problem } = useMade(text, readTexts);
  const word = /^prompts?$/i.test(label) ? "prompt" : "value";
  return (
    <div data-field="">
      <Field
        label={label}
        note={`one ${word} per line`}
        aside={
          <span role="status" className="text-ink-2 tabular-nums">
            {counted(texts.length, word)}
          </span>
        }
        error={problem}
        hint={
          <span className="flex flex-wrap items-center gap-x-2">
            <span>
              Use <Code>{"{red|blue}"}</Code> for variations and <Code>{"{1..4}"}</Code> for numbers.
            </span>
            {typed.trim() === "" && (
              <Button size="sm" variant="ghost" onClick={() => onChange(EXAMPLE)}>
                Insert example
              </Button>
            )}
          </span>
        }
      >
        {({ id, describedBy, invalid }) => (
          <TextArea
            id={id}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            rows={rows}
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={onBlur}
          />
        )}
      </Field>
    </div>
  );
}

const Code = ({ children }: { children: string }) => (
  <code className="rounded-sm bg-raised px-1 font-mono text-xs text-ink-2">{children}</code>
);

/** A preview of the texts that the lines expand to, with the varying parts in bold. */
export function TextPreview({ text }: { text: string }) {
  const titleId = useId();
  const all = useMade(text, expandLines);
  if (all.length < 2) return null;
  return (
    <div>
      <h3 id={titleId} className="m-0 mb-1.5 font-medium text-sm">
        Preview
      </h3>
      <ol
        aria-labelledby={titleId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys, too
        tabIndex={0}
        className="m-0 flex max-h-44 list-none flex-col gap-1 overflow-y-auto rounded-sm border border-line bg-well p-2.5 text-sm text-ink-2 short:max-h-none"
      >
        {all.slice(0, MAX_SHOWN).map((parts, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn as a whole
          <li key={at} dir="auto" className="wrap-anywhere">
            {parts.map((part, place) =>
              part.varies ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name
                <b key={place} className="font-semibold text-ink">
                  {part.text}
                </b>
              ) : (
                part.text
              ),
            )}
          </li>
        ))}
        {all.length > MAX_SHOWN && <li className="text-ink-3">{formatNumber(all.length - MAX_SHOWN)} more</li>}
      </ol>
    </div>
  );
}

/** Expands lines, each text as its parts; none where no line has braces. */
function expandLines(text: string): TextPart[][] {
  if (!text.includes("{")) return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line) => expandParts(line.trim())).slice(0, MAX_ITEMS);
}
