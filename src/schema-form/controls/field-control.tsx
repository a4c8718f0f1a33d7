import { Plus, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { isRecord, parseJson } from "#lib/read.ts";
import { visibleText } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { TextArea, TextInput } from "#ui/field.tsx";
import { fitsField } from "../check/fits-field.ts";
import { carryUploads, withoutUploads } from "../draft.ts";
import { mediaAddresses, mediaValue } from "../media-value.ts";
import type { ColourField, Field, MediaField } from "../read/field.ts";
import { BooleanControl, ChoiceControl, ChoicesControl } from "./choice-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { useLocalText } from "./control-text.ts";
import { numberOptions } from "./is-group-control.ts";
import { GroupControl, ListControl, MapControl, TupleControl, UnionControl } from "./nested-controls.tsx";
import { NumberControl, SeedControl, TextControl } from "./text-controls.tsx";

/** The control for a field of any kind. A value that its own control cannot show is edited as JSON. */
export function FieldControl(props: ControlProps): ReactNode {
  const { field, ...rest } = props;
  const { value, context } = rest;
  if (needsJson(field, value)) return <StructuredControl {...props} shownAs="json" />;
  if (value === null && field.nullable && field.kind !== "choice")
    return <StructuredControl {...props} shownAs="null" />;
  switch (field.kind) {
    case "text":
      return <TextControl {...rest} field={field} />;
    case "number": {
      if (field.role === "seed") return <SeedControl {...rest} field={field} />;
      const options = numberOptions(field);
      const isListed = value === undefined || options?.some((option) => option.value === value);
      if (!options || !isListed) return <NumberControl {...rest} field={field} />;
      return <ChoiceControl {...rest} field={{ ...field, kind: "choice", options, nullable: false }} />;
    }
    case "boolean":
      return <BooleanControl {...rest} field={field} />;
    case "choice":
      return <ChoiceControl {...rest} field={field} />;
    case "media":
      return context.renderMedia ? (
        context.renderMedia({ ...rest, field })
      ) : (
        <StructuredControl {...props} shownAs="itself" />
      );
    case "choices":
    case "colour":
    case "group":
    case "list":
    case "tuple":
    case "map":
    case "union":
    case "json":
      return <StructuredControl {...props} shownAs="itself" />;
    default:
      return field satisfies never;
  }
}

/** Whether the field's own control cannot show a value. The controls of the other kinds show any value. */
function needsJson(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "choices":
    case "media":
    case "group":
    case "list":
    case "tuple":
    case "map":
      return value !== undefined && !fitsField(field, value);
    case "text":
    case "number":
    case "boolean":
    case "choice":
    case "colour":
    case "union":
    case "json":
      return false;
  }
}

/** What a structured control shows: the field as it is, a chosen null, or the value as JSON. */
type StructuredAs = "itself" | "null" | "json";

/** The controls for structures, colors, null and JSON, which most forms do without. */
function StructuredControl({ field, shownAs, ...rest }: ControlProps & { shownAs: StructuredAs }): ReactNode {
  if (shownAs === "json") return <JsonControl {...rest} field={field} />;
  if (shownAs === "null") return <NullControl {...rest} field={field} />;
  switch (field.kind) {
    case "choices":
      return <ChoicesControl {...rest} field={field} />;
    case "media":
      return <MediaControl {...rest} field={field} />;
    case "colour":
      return <ColourControl {...rest} field={field} />;
    case "group":
      return <GroupControl {...rest} field={field} />;
    case "list":
      return <ListControl {...rest} field={field} />;
    case "tuple":
      return <TupleControl {...rest} field={field} />;
    case "map":
      return <MapControl {...rest} field={field} />;
    case "union":
      return <UnionControl {...rest} field={field} />;
    // The first four have a control of their own in `FieldControl`.
    case "text":
    case "number":
    case "boolean":
    case "choice":
    case "json":
      return <JsonControl {...rest} field={field} />;
    default:
      return field satisfies never;
  }
}

const toText = (value: unknown) => JSON.stringify(withoutUploads(value), null, 2) ?? "";
const readText = (text: string) => (text.trim() === "" ? { value: undefined, problem: undefined } : parseJson(text));

/** Any value as JSON. While the text is no JSON, the form has the last value and cannot run. */
function JsonControl({ field, value, onChange, onBlur, ids, place, context }: ControlProps<Field>) {
  const [text, setText] = useLocalText(value, toText);
  const [isBroken, setBroken] = useState(false);
  const { setUnreadable, isUnreadable } = context;
  // The form forgot the broken text, because the value was set from outside, perhaps to the same one.
  if (isBroken && !isUnreadable(place)) {
    setBroken(false);
    setText(toText(value), value);
  }
  useEffect(() => () => setUnreadable(place, undefined), [setUnreadable, place]);
  function type(next: string) {
    const { problem, value: read } = readText(next);
    const given = problem === undefined ? carryUploads(value, read, field) : value;
    setText(next, given);
    setBroken(problem !== undefined);
    setUnreadable(place, problem && `${field.label} isn’t valid JSON: ${problem}`);
    if (problem === undefined) onChange(given);
  }
  return (
    <TextArea
      id={ids.id}
      mono
      rows={3}
      spellCheck={false}
      placeholder={
        field.defaultValue === undefined ? "{ }" : visibleText(JSON.stringify(field.defaultValue).slice(0, 2000))
      }
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid || isBroken || undefined}
      aria-required={field.required || undefined}
      value={text}
      onChange={(event) => type(event.target.value)}
      onBlur={onBlur}
    />
  );
}

/** A color by the platform's picker or as text, sent in the form that the listing asks for. */
function ColourControl({ field, value, onChange, onBlur, ids }: ControlProps<ColourField>) {
  const [text, setText] = useLocalText(
    value,
    (given) => hexOfColour(field, given) ?? (typeof given === "string" ? given : ""),
  );
  const shown = hexOfColour(field, value === undefined ? field.defaultValue : value);
  function type(next: string) {
    // An incomplete color is sent as it was typed.
    const sent = next === "" ? undefined : (colourFromHex(field, next) ?? next);
    setText(next, sent);
    onChange(sent);
  }
  return (
    <div className="flex items-center gap-2">
      <input
        type="color"
        aria-label={`Choose ${field.label}`}
        value={shown ?? "#000000"}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
        className="h-8.5 w-11 flex-none cursor-pointer rounded-sm border border-line bg-well p-1 pointer-coarse:h-11"
      />
      <TextInput
        id={ids.id}
        mono
        aria-labelledby={ids.labelId}
        aria-describedby={ids.describedBy}
        aria-invalid={ids.invalid || undefined}
        aria-required={field.required || undefined}
        placeholder={hexOfColour(field, field.defaultValue) ?? "#rrggbb"}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
      />
    </div>
  );
}

const isByte = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 255;

/** A color's value as `#rrggbb`; undefined where it is no color in the field's form. */
function hexOfColour(field: ColourField, value: unknown): string | undefined {
  if (field.form === "hex") return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;
  const parts = Array.isArray(value) ? value : isRecord(value) ? [value.r, value.g, value.b] : [];
  if (parts.length !== 3 || !parts.every(isByte)) return undefined;
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** `#rrggbb` in the field's form; undefined where the text is no complete color. */
function colourFromHex(field: ColourField, text: string): unknown {
  const hex = text.trim().match(/^#?([0-9a-f]{6})$/i)?.[1];
  if (!hex) return field.form === "hex" ? text : undefined;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (field.form === "tuple") return [r, g, b];
  return field.form === "object" ? { r, g, b } : `#${hex}`;
}

/** A chosen null: some services take it as "you decide" (in-the-wild 1, trap 4). */
function NullControl({ field, onChange, ids }: ControlProps) {
  return (
    <div className="flex items-center gap-1">
      <TextInput
        id={ids.id}
        aria-labelledby={ids.labelId}
        aria-describedby={ids.describedBy}
        readOnly
        mono
        value="null"
      />
      <IconButton label={`Remove null from ${field.label}`} onClick={() => onChange(undefined)}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}

/** Media by address, one or several. A screen that can upload draws its own control instead (`renderMedia`). */
export function MediaControl({ field, value, onChange, onBlur, ids }: ControlProps<MediaField>) {
  const addresses = mediaAddresses(value);
  const rows = addresses.length > 0 ? addresses : [""];
  const takesSeveral = field.shape !== "one";
  const set = (position: number, address: string) => {
    const next = rows.map((row, at) => (at === position ? address : row));
    onChange(mediaValue(field, next.length === 1 && next[0] === "" ? [] : next));
  };
  const remove = (position: number) =>
    onChange(
      mediaValue(
        field,
        rows.filter((_, at) => at !== position),
      ),
    );
  return (
    <div className="flex flex-col gap-2">
      {rows
        .map((address, position) => ({ address, position, id: `row${position}` }))
        .map(({ address, position, id }) => (
          <div key={id} className="flex items-center gap-1">
            <TextInput
              id={position === 0 ? ids.id : undefined}
              aria-label={position === 0 ? undefined : `${field.label} ${position + 1}`}
              mono
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://"
              aria-describedby={ids.describedBy}
              aria-invalid={ids.invalid || undefined}
              aria-required={field.required || undefined}
              value={address}
              onChange={(event) => set(position, event.target.value.trim())}
              onBlur={onBlur}
            />
            {takesSeveral && addresses.length > 0 && (
              <IconButton label={`Remove ${field.label} ${position + 1}`} onClick={() => remove(position)}>
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            )}
          </div>
        ))}
      {takesSeveral && addresses.length > 0 && addresses.length < (field.maxItems ?? Infinity) && (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => onChange([...addresses, ""])}>
          <Plus aria-hidden="true" className="size-4" />
          Add another
        </Button>
      )}
    </div>
  );
}
