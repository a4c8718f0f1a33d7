import { type ReactNode, useState } from "react";
import { findField } from "#batch/rows/carry-axes.ts";
import type { ExpandedAxes } from "#batch/rows/expand-axes.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { addressesIn, getMediaKind, type MediaItem, mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema, MediaField } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes, ParameterAxis } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, type DialogProps } from "#ui/dialog.tsx";
import { filterOptions } from "#ui/filter-options.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { Picker, PickerRow } from "#ui/picker.tsx";
import { Segmented } from "#ui/segmented.tsx";
import {
  type AxisKind,
  axisCount,
  axisKind,
  axisLabel,
  firstSchema,
  newAxis,
  sumWords,
  withAxis,
  withModels,
  withoutAxis,
  withSettings,
} from "./axis-edits.ts";
import { FileList, useDetachUploads } from "./file-list.tsx";
import { ModelSettings } from "./model-settings.tsx";
import { ModelsEditor } from "./models-editor.tsx";
import {
  BooleansAxisEditor,
  LinesAxisEditor,
  NumbersAxisEditor,
  OptionsAxisEditor,
  SeedsAxisEditor,
  TextAxisEditor,
} from "./value-axis-editors.tsx";

export interface AxesProps {
  axes: BatchAxes;
  schemas: ModelSchemas;
  expanded: ExpandedAxes;
  onChange: (axes: BatchAxes) => void;
}

/** What the dialog shows: a part of the axes, or the parameters of which one may become an axis. */
export type AxisStep =
  | { kind: "models" | "combine" | "add" }
  | { kind: "axis"; key: string }
  | { kind: "settings"; model: string };

interface AxisDialogProps extends AxesProps {
  step: AxisStep;
  /** Goes on to another step; undefined closes the dialog. */
  onStep: (step: AxisStep | undefined) => void;
}

/** What a step puts into the frame of the dialog. */
interface StepView extends Pick<DialogProps, "title" | "description" | "size" | "atTop" | "footer"> {
  body: ReactNode;
  /** What Escape, a press outside and "Close" do. */
  close: () => void;
}

/** What the axes are made of, one part at a time. Whatever is changed is in the table at once. */
export function AxisDialog(props: AxisDialogProps) {
  const { step } = props;
  const view = viewOf(props);
  if (!view) return null;
  const { body, close, ...frame } = view;
  const name =
    step.kind === "axis" ? `axis ${step.key}` : step.kind === "settings" ? `settings ${step.model}` : step.kind;
  return (
    <Dialog open onOpenChange={(open) => !open && close()} step={name} {...frame}>
      {body}
    </Dialog>
  );
}

/** Undefined where the axis is not there any more. */
function viewOf(props: AxisDialogProps): StepView | undefined {
  const { step } = props;
  switch (step.kind) {
    case "models":
      return modelsView(props);
    case "settings":
      return settingsView(props, step.model);
    case "combine":
      return combineView(props);
    case "axis":
      return axisView(props, step.key);
    case "add":
      return addView(props);
  }
}

/** Which models the runs are for. */
function modelsView({ axes, schemas, expanded, onChange, onStep }: AxisDialogProps): StepView {
  const close = () => onStep(undefined);
  return {
    title: "Models",
    description: "Each model runs every combination. The first one names the parameters.",
    close,
    body: (
      <ModelsEditor
        models={axes.models}
        schemas={schemas}
        onChange={(models) => models.length > 0 && onChange(withModels(axes, models, schemas))}
        onSettings={(model) => onStep({ kind: "settings", model })}
      />
    ),
    footer: (
      <>
        <Sum axes={axes} expanded={expanded} />
        <Done onClick={close} />
      </>
    ),
  };
}

/** The parameters of one model that no axis changes. Those of another model than the first begin with what is carried over. */
function settingsView({ axes, schemas, onChange, onStep }: AxisDialogProps, model: string): StepView {
  const close = () => onStep({ kind: "models" });
  const isOwn = Object.hasOwn(axes.settings, model);
  const first = axes.models[0] ?? "";
  const isFirst = first === model;
  return {
    title: `Settings of ${visibleLine(model, 60)}`,
    description: isFirst
      ? axes.models.length > 1 && "The other models use these settings where they have a field for them."
      : isOwn
        ? "This model has settings of its own."
        : `These are the settings of ${visibleLine(first, 60)}, carried over. A change makes them this model’s own.`,
    close,
    body: <ModelSettings model={model} axes={axes} schemas={schemas} onChange={onChange} />,
    footer: (
      <>
        {!isFirst && isOwn && (
          <Button
            onClick={() => {
              onChange(withSettings(axes, model, undefined));
              close();
            }}
          >
            Use the settings of {visibleLine(first, 40)}
          </Button>
        )}
        <Done onClick={close} />
      </>
    ),
  };
}

const WAYS = [
  { value: "product", label: "Every combination" },
  { value: "zip", label: "Pair by position" },
] as const;

/** How the axes come together. */
function combineView({ axes, expanded, onChange, onStep }: AxisDialogProps): StepView {
  const close = () => onStep(undefined);
  return {
    title: "Combine",
    size: "sm",
    close,
    body: (
      <>
        <Segmented
          label="Combine"
          options={WAYS}
          value={axes.way}
          onChange={(way) => onChange({ ...axes, way })}
          className="mb-2.5"
        />
        <p className="m-0 mb-2.5 text-ink-2">
          {axes.way === "product"
            ? "Every value runs with every value of the other axes."
            : "The first values make one run, the second values another. An axis of one value goes with all."}
        </p>
        <Sum axes={axes} expanded={expanded} />
      </>
    ),
    footer: <Done onClick={close} />,
  };
}

/** The values of one axis. */
function axisView({ axes, schemas, expanded, onChange, onStep }: AxisDialogProps, key: string): StepView | undefined {
  const axis = axes.parameters.find((one) => one.key === key);
  if (!axis) return undefined;
  const field = findField(firstSchema(axes, schemas), key);
  const label = axisLabel(field, key);
  function remove() {
    onChange(withoutAxis(axes, key));
    onStep(undefined);
  }
  // An axis without a value does not stay.
  const close = () => (axisCount(axis) === 0 ? remove() : onStep(undefined));
  return {
    title: label,
    close,
    body: (
      <AxisEditor
        axis={axis}
        field={field}
        label={label}
        modelId={axes.models[0] ?? ""}
        onChange={(next) => onChange(withAxis(axes, next))}
      />
    ),
    footer: (
      <>
        <Sum axes={axes} expanded={expanded} />
        <Button onClick={remove}>Remove axis</Button>
        <Done onClick={close} />
      </>
    ),
  };
}

/** The parameters of the first model that no axis varies yet. A press makes an axis of one. */
function addView({ axes, schemas, onChange, onStep }: AxisDialogProps): StepView {
  const pick = (field: Field) => {
    onChange(withAxis(axes, newAxis(axes, field)));
    onStep({ kind: "axis", key: field.key });
  };
  return {
    title: "Add axis",
    description: `Parameters of ${visibleLine(axes.models[0] ?? "the first model", 60)}. Each value adds a set of runs.`,
    atTop: true,
    close: () => onStep(undefined),
    body: <ParameterPicker axes={axes} schema={firstSchema(axes, schemas)} onPick={pick} />,
  };
}

function Done({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="primary" onClick={onClick}>
      Done
    </Button>
  );
}

/** The editor for the values of a parameter, by its kind. */
function AxisEditor({
  axis,
  field,
  label,
  modelId,
  onChange,
}: {
  axis: ParameterAxis;
  field: Field | undefined;
  label: string;
  modelId: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const rest = { axis, label, onChange };
  // What was written as text is shown so, also where the parameters are not known.
  if (axis.text !== undefined || field?.kind === "text") return <TextAxisEditor {...rest} />;
  switch (field?.kind) {
    case "choice":
      return <OptionsAxisEditor {...rest} field={field} />;
    case "number":
      return field.role === "seed" ? (
        <SeedsAxisEditor {...rest} field={field} />
      ) : (
        <NumbersAxisEditor {...rest} field={field} />
      );
    case "boolean":
      return <BooleansAxisEditor {...rest} field={field} />;
    case "media":
      return <FilesAxisEditor {...rest} field={field} modelId={modelId} />;
    default:
      return <LinesAxisEditor {...rest} field={field} />;
  }
}

function FilesAxisEditor({
  axis,
  label,
  field,
  modelId,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  field: MediaField;
  modelId: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [items, setItems] = useState<readonly MediaItem[]>(() => axis.values.flatMap((value) => mediaAddresses(value)));
  useDetachUploads(items);
  return (
    <FileList
      label={label}
      kind={getMediaKind(field.media)}
      modelId={modelId}
      items={items}
      onChange={(next) => {
        setItems(next);
        const addresses = addressesIn(next);
        onChange({ key: axis.key, values: addresses.map((address) => (field.shape === "many" ? [address] : address)) });
      }}
    />
  );
}

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

function ParameterPicker({
  axes,
  schema,
  onPick,
}: {
  axes: BatchAxes;
  /** Undefined while it loads. */
  schema: FormSchema | undefined;
  onPick: (field: Field) => void;
}) {
  const [search, setSearch] = useState("");
  if (schema === undefined) return <Skeleton className="h-60" />;
  const entries = filterOptions(axisChoices(axes, schema), search);
  return (
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
  );
}

function axisChoices(axes: BatchAxes, schema: FormSchema) {
  const taken = new Set(axes.parameters.map(({ key }) => key));
  const rank = ({ role, advanced }: Field) => {
    const at = FIRST.indexOf(role);
    return at >= 0 && role !== undefined ? at : FIRST.length + (advanced ? 1 : 0);
  };
  return schema.fields
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

/** How many runs there are, or why there are no runs. */
export function Sum({ axes, expanded }: Pick<AxesProps, "axes" | "expanded">) {
  const { problem, isLoading, runs } = expanded;
  return (
    <p role="status" className={`m-0 me-auto self-center tabular-nums ${problem ? "text-failed" : "text-ink-2"}`}>
      {problem ?? (isLoading ? "Loading the parameters" : sumWords(axes, runs.length))}
    </p>
  );
}
