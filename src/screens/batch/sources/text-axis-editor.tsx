import { Plus, X } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { expandParts } from "#jobs/batch-rows/text-template.ts";
import type { ParameterAxis } from "#jobs/stored-batches.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { textAxis, textsOf } from "./axis-edits.ts";

export const EXAMPLE = "A {red|blue} lighthouse at dusk, 35 mm\nA harbour town in fog, frame {1..2}";

/** So many texts of the list are drawn. */
const MOST_SHOWN = 40;
const MOST_REPEATS = 100;

const WAYS = [
  { value: "lines", label: "One per line" },
  { value: "boxes", label: "One per box" },
] as const;

/** The texts of an axis: one per line with `{a|b}` and `{1..4}`, or each in a box of its own, where it may have lines. */
export function TextAxisEditor({
  axis,
  label,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [way, setWay] = useState<"lines" | "boxes">(
    axis.text === undefined && axis.values.length > 0 ? "boxes" : "lines",
  );
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={`How ${label} is entered`}
        options={WAYS}
        value={way}
        onChange={(next) => {
          setWay(next);
          if (next === "lines") onChange(textAxis(axis.key, textOfValues(axis.values)));
          else onChange({ key: axis.key, values: axis.values });
        }}
      />
      {way === "lines" ? (
        <TextLines axis={axis} label={label} onChange={onChange} />
      ) : (
        <TextBoxes axis={axis} label={label} onChange={onChange} />
      )}
    </div>
  );
}

/** Texts as lines. A line break inside of one becomes a space, and braces are no alternatives. */
const textOfValues = (values: readonly unknown[]): string =>
  values
    .map((value) => (typeof value === "string" ? value : "").trim().replace(/\s*[\r\n]+\s*/g, " "))
    .map((line) => line.replace(/[{}|]/g, "\\$&"))
    .join("\n");

function TextLines({
  axis,
  label,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [start] = useState(() => unrepeated(axis.text ?? ""));
  const [text, setText] = useState(start.text);
  const [times, setTimes] = useState(String(start.times));
  const repeats = readTimes(times);
  const change = (nextText: string, nextTimes: number) =>
    onChange(textAxis(axis.key, nextTimes === 1 ? nextText : repeated(nextText, nextTimes)));
  return (
    <>
      <PromptLines
        label={label}
        text={text}
        onChange={(next) => {
          setText(next);
          change(next, repeats ?? 1);
        }}
      />
      <Field
        label="Repeat each"
        note={`1 to ${MOST_REPEATS}`}
        hint="Equal runs differ where the seed is random."
        error={repeats === undefined ? `A whole number from 1 to ${MOST_REPEATS}` : undefined}
      >
        {({ id, describedBy, invalid }) => (
          <TextInput
            id={id}
            inputMode="numeric"
            className="w-24"
            aria-describedby={describedBy}
            aria-invalid={invalid}
            value={times}
            onChange={(event) => {
              setTimes(event.target.value);
              change(text, readTimes(event.target.value) ?? 1);
            }}
          />
        )}
      </Field>
      <TextPreview text={text} />
    </>
  );
}

/** The box of texts, with its count and an example. */
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
  const late = useDeferredValue(text);
  const { texts, problem } = textsOf(late);
  const word = /^prompts?$/i.test(label) ? "prompt" : "value";
  return (
    <div data-field="">
      <Field
        label={label}
        note="one per line"
        aside={
          <span role="status" className="text-ink-2 tabular-nums">
            {texts.length === 1 ? `1 ${word}` : `${texts.length.toLocaleString("en-US")} ${word}s`}
          </span>
        }
        error={problem}
        hint={
          <span className="flex flex-wrap items-center gap-x-2">
            <span>
              <Code>{"{red|blue}"}</Code> makes one of each, <Code>{"{1..4}"}</Code> counts.
            </span>
            {text.trim() === "" && (
              <Button size="sm" variant="ghost" onClick={() => onChange(EXAMPLE)}>
                Insert an example
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
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}

const Code = ({ children }: { children: string }) => (
  <code className="rounded-sm bg-raised px-1 font-mono text-[11.5px] text-ink-2">{children}</code>
);

/** The texts that come of the lines, what differs between them in bold. */
export function TextPreview({ text }: { text: string }) {
  const late = useDeferredValue(text);
  const title = useId();
  if (!late.includes("{")) return null;
  const lines = late.split("\n").filter((line) => line.trim() !== "");
  const all = lines.flatMap((line) => expandParts(line.trim())).slice(0, 2000);
  if (all.length < 2) return null;
  return (
    <div>
      <h3 id={title} className="m-0 mb-1.5 font-medium text-[12.5px]">
        Preview
      </h3>
      <ol
        aria-labelledby={title}
        className="m-0 flex max-h-44 list-none flex-col gap-1 overflow-y-auto rounded-sm border border-line bg-well p-2.5 text-[12.5px] text-ink-2 short:max-h-none"
      >
        {all.slice(0, MOST_SHOWN).map((parts, at) => (
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
        {all.length > MOST_SHOWN && <li className="text-ink-3">{all.length - MOST_SHOWN} more</li>}
      </ol>
    </div>
  );
}

/** Each text in a box of its own. Braces are no alternatives there. */
function TextBoxes({
  axis,
  label,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [boxes, setBoxes] = useState(() =>
    (axis.values.length > 0 ? axis.values : [""]).map((value, id) => ({
      id,
      text: typeof value === "string" ? value : "",
    })),
  );
  const change = (next: typeof boxes) => {
    setBoxes(next);
    onChange({ key: axis.key, values: next.map(({ text }) => text).filter((text) => text.trim() !== "") });
  };
  return (
    <div className="flex flex-col gap-2">
      {boxes.map(({ id, text }, at) => (
        <div key={id} className="flex items-start gap-1">
          <TextArea
            aria-label={`${label} ${at + 1}`}
            rows={2}
            value={text}
            onChange={(event) => change(boxes.map((box) => (box.id === id ? { id, text: event.target.value } : box)))}
          />
          <IconButton
            label={`Remove ${label} ${at + 1}`}
            disabled={boxes.length === 1}
            onClick={() => change(boxes.filter((box) => box.id !== id))}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ))}
      <Button
        variant="ghost"
        size="sm"
        className="self-start"
        onClick={() => setBoxes([...boxes, { id: Math.max(0, ...boxes.map(({ id }) => id)) + 1, text: "" }])}
      >
        <Plus aria-hidden="true" className="size-4" />
        Add another
      </Button>
    </div>
  );
}

const readTimes = (text: string): number | undefined => {
  const times = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return times >= 1 && times <= MOST_REPEATS ? times : undefined;
};

/** Every line so many times: equal runs beside one another. Never throws. */
export const repeated = (text: string, times: number): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => Array.from({ length: times }, () => line))
    .join("\n");

/** Of a text in which every line stands equally often, each once, and how often. Never throws. */
export function unrepeated(text: string): { text: string; times: number } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const groups: { line: string; count: number }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.line === line) last.count += 1;
    else groups.push({ line, count: 1 });
  }
  const times = groups[0]?.count ?? 1;
  if (times === 1 || groups.some(({ count }) => count !== times)) return { text, times: 1 };
  return { text: groups.map(({ line }) => line).join("\n"), times };
}
