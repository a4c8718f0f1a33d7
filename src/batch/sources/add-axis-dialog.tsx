import { useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";
import { Dialog } from "#ui/dialog.tsx";
import { filterOptions } from "#ui/filter-options.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { Picker, PickerRow } from "#ui/picker.tsx";
import { type AxisKind, axisKind, axisLabel } from "./axis-edits.ts";

const KIND_WORDS: Record<AxisKind, string> = {
  text: "text",
  options: "options",
  numbers: "number",
  seeds: "random or listed",
  booleans: "on or off",
  files: "files",
  lines: "values",
};

/** Prompts and seeds are varied most, sizes next. */
const FIRST: readonly Field["role"][] = [
  "prompt",
  "seed",
  "size",
  "aspect-ratio",
  "resolution",
  "duration",
  "image",
  "video",
];

/** The parameters of the first model that no axis varies yet. A press makes an axis of one. */
export function AddAxisDialog({
  axes,
  schema,
  onPick,
  onClose,
}: {
  axes: BatchAxes;
  /** Undefined while it loads. */
  schema: FormSchema | undefined;
  onPick: (field: Field) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState("");
  const entries = filterOptions(axisChoices(axes, schema), search);
  return (
    <Dialog
      open
      atTop
      onOpenChange={(open) => !open && onClose()}
      title="Add axis"
      description={`Parameters of ${visibleLine(axes.models[0] ?? "the first model", 60)}. Each value adds a set of runs.`}
    >
      {schema === undefined ? (
        <Skeleton className="h-60" />
      ) : (
        <Picker
          label="Parameters"
          placeholder="Search"
          search={search}
          onSearch={setSearch}
          items={entries}
          onPick={({ field }) => onPick(field)}
          row={({ label, detail }) => <PickerRow title={label} aside={detail} />}
          rowHeight={40}
          status={entries.length === 1 ? "1 parameter" : `${entries.length} parameters`}
          empty={() => <p className="m-0 py-4 text-center text-ink-2">No matching parameters</p>}
        />
      )}
    </Dialog>
  );
}

function axisChoices(axes: BatchAxes, schema: FormSchema | undefined) {
  const taken = new Set(axes.parameters.map(({ key }) => key));
  const rank = ({ role, advanced }: Field) => {
    const at = FIRST.indexOf(role);
    return at >= 0 && role !== undefined ? at : FIRST.length + (advanced ? 1 : 0);
  };
  return (schema?.fields ?? [])
    .filter(({ key }) => !taken.has(key))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((field) => ({
      id: field.key,
      value: field.key,
      label: axisLabel(field, field.key),
      detail: detailOf(field),
      field,
    }));
}

function detailOf(field: Field): string {
  if (field.kind === "choice") return field.options.length === 1 ? "1 option" : `${field.options.length} options`;
  if (field.kind === "number" && field.role !== "seed" && field.min !== undefined && field.max !== undefined) {
    return `${field.min} to ${field.max}`;
  }
  return KIND_WORDS[axisKind(field)];
}
