import { ArrowLeftRight, ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { ModelTile } from "#models/model-card.tsx";
import { ModelPicker } from "#models/model-picker.tsx";
import type { Field } from "#schema-form/read/field.ts";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Select, TextInput } from "#ui/field.tsx";
import { priceCommands } from "./commands.ts";
import { axisFields, NO_AXIS, type PriceAxis } from "./price-axes.ts";
import type { PriceSearch } from "./price-search.ts";
import type { PriceTable } from "./use-price-table.ts";

/** The button that opens the list of models. */
export function ModelChooser({
  modelId,
  type,
  onSelect,
}: {
  modelId: string;
  type: string | undefined;
  onSelect: (id: string) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  useCommands([{ ...modelCommands.choose, run: () => setIsOpen(true) }]);
  return (
    <>
      <button
        type="button"
        {...useCommandProps(modelCommands.choose)}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="flex min-h-[34px] min-w-0 max-w-full cursor-pointer items-center gap-2 rounded-sm border-0 bg-raised py-1 ps-1.5 pe-2.5 font-medium text-ink hover:bg-hover max-sm:w-full pointer-coarse:min-h-11"
      >
        <ModelTile id={modelId} type={type} className="!size-6 !rounded-[5px]" />
        <span className="sr-only">Model:</span>
        <span dir="auto" className="truncate">
          {visibleLine(modelId)}
        </span>
        <ChevronDown aria-hidden="true" className="ms-auto size-3.5 shrink-0 text-ink-3" />
      </button>
      <ModelPicker open={isOpen} onOpenChange={setIsOpen} selectedId={modelId} startType={type} onSelect={onSelect} />
    </>
  );
}

interface ToolbarProps {
  table: PriceTable;
  search: PriceSearch;
  onChange: (search: PriceSearch) => void;
  chooser: ReactNode;
}

/** Which model, which two parameters, and what all prices have in common. */
export function PriceToolbar({ table, search, onChange, chooser }: ToolbarProps) {
  const { schema, axes, common } = table;
  const fields = axisFields(schema);
  const keyOf = (axis: PriceAxis | undefined) => axis?.field.key ?? NO_AXIS;
  const shown = { rows: keyOf(axes.rows), columns: keyOf(axes.columns) };
  const { rowValues, columnValues } = search;
  const swap = () =>
    onChange({ rows: shown.columns, columns: shown.rows, rowValues: columnValues, columnValues: rowValues });
  function choose(side: "rows" | "columns", key: string) {
    const other = side === "rows" ? "columns" : "rows";
    // The parameter of the other side changes places with this one.
    if (key !== NO_AXIS && key === shown[other]) return swap();
    onChange({ ...shown, [side]: key, ...(side === "rows" ? { columnValues } : { rowValues }) });
  }
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
        {chooser}
        {fields.length > 0 && (
          <AxisChooser
            side="rows"
            label="Rows"
            axis={axes.rows}
            fields={fields}
            search={search}
            choose={choose}
            onChange={onChange}
          />
        )}
        {fields.length > 1 && (
          <>
            <CommandButton
              isIcon
              size="sm"
              command={{
                ...priceCommands.swap,
                icon: ArrowLeftRight,
                run: swap,
              }}
            />
            <AxisChooser
              side="columns"
              label="Columns"
              axis={axes.columns}
              fields={fields}
              search={search}
              choose={choose}
              onChange={onChange}
            />
          </>
        )}
      </div>
      {common.length > 0 && (
        <p dir="auto" className="m-0 max-w-full py-[7px] text-[12px] text-ink-3">
          Same for all: {commonWords(common)}
        </p>
      )}
    </div>
  );
}

const MAX_NAMED = 5;

/** The settings in one line; a long list is cut. */
function commonWords(words: readonly string[]): string {
  const more = words.length - MAX_NAMED;
  return more > 1 ? `${words.slice(0, MAX_NAMED).join(", ")} and ${more} more` : words.join(", ");
}

interface AxisChooserProps {
  side: "rows" | "columns";
  label: string;
  axis: PriceAxis | undefined;
  fields: readonly Field[];
  search: PriceSearch;
  choose: (side: "rows" | "columns", key: string) => void;
  onChange: (search: PriceSearch) => void;
}

function AxisChooser({ side, label, axis, fields, search, choose, onChange }: AxisChooserProps) {
  const id = useId();
  const valuesKey = side === "rows" ? "rowValues" : "columnValues";
  return (
    <fieldset className="m-0 flex min-w-0 items-center gap-1.5 border-0 p-0 max-sm:flex-1">
      <div className="flex min-h-[34px] min-w-0 flex-1 items-center gap-1 rounded-sm bg-raised ps-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-0 max-sm:pt-1 pointer-coarse:min-h-11">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <Select
          id={id}
          className="min-w-0 max-sm:-ms-2.5 max-sm:w-[calc(100%+10px)] [&>select]:border-transparent [&>select]:bg-transparent [&>select]:text-ink-2"
          value={axis?.field.key ?? NO_AXIS}
          onChange={({ target }) => choose(side, target.value)}
        >
          {fields.map(({ key, label: name }) => (
            <option key={key} value={key}>
              {visibleLine(name, 40)}
            </option>
          ))}
          <option value={NO_AXIS}>None</option>
        </Select>
      </div>
      {axis?.isTyped && (
        <TypedValues
          key={axis.field.key}
          label={`Values of ${visibleLine(axis.field.label, 40)}`}
          text={search[valuesKey] ?? axis.values.map(({ value }) => String(value)).join(", ")}
          onText={(text) => onChange({ ...search, [side]: axis.field.key, [valuesKey]: text })}
        />
      )}
    </fieldset>
  );
}

/** The values of a number, written down. They count once the field is left, or Enter is pressed. */
function TypedValues({ label, text, onText }: { label: string; text: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const done = () => {
    if (typed.trim() !== "" && typed !== text) onText(typed.trim().slice(0, 200));
  };
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      className="w-[110px] tabular-nums"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={done}
      onKeyDown={({ key }) => key === "Enter" && done()}
    />
  );
}
