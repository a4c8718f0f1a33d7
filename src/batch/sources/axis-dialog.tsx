import { type ReactNode, useState } from "react";
import { findField } from "#batch/rows/carry-axes.ts";
import type { ExpandedAxes } from "#batch/rows/expand-axes.ts";
import { counted } from "#lib/numbers.ts";
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
  /** The runs that the axes make. */
  expanded: ExpandedAxes;
  onChange: (axes: BatchAxes) => void;
}

/** What the dialog shows: one part of the axes, or (`add`) the parameters that can become an axis. */
export type AxisStep =
  | { kind: "models" | "combine" | "add" }
  | { kind: "axis"; key: string }
  | { kind: "settings"; model: string };

interface AxisDialogProps extends AxesProps {
  step: AxisStep;
  /** Shows another step; undefined closes the dialog. */
  onStep: (step: AxisStep | undefined) => void;
}

/** The content that a step gives the dialog. */
interface StepView extends Pick<DialogProps, "title" | "description" | "size" | "atTop" | "footer"> {
  body: ReactNode;
  /** Called by Escape, a press outside and "Close". */
  close: () => void;
}

/** Edits the axes, one part at a time. Each change applies immediately: there is no Save. */
export function AxisDialog(props: AxisDialogProps) {
  const { step } = props;
  const view = createView(props);
  if (!view) return null;
  const { body, close, ...frame } = view;
  const name =
    step.kind === "axis" ? `parameter ${step.key}` : step.kind === "settings" ? `settings ${step.model}` : step.kind;
  return (
    <Dialog open onOpenChange={(open) => !open && close()} step={name} {...frame}>
      {body}
    </Dialog>
  );
}

/** Undefined where the axis does not exist any more. */
function createView(props: AxisDialogProps): StepView | undefined {
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
    description: "Every run is made with each model. Parameters come from the first model.",
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

/** The settings of one model, without the parameters that axes vary. Another model than the first starts with carried values. */
function settingsView({ axes, schemas, onChange, onStep }: AxisDialogProps, model: string): StepView {
  const close = () => onStep({ kind: "models" });
  const isOwn = Object.hasOwn(axes.settings, model);
  const first = axes.models[0] ?? "";
  const isFirst = first === model;
  return {
    title: `${visibleLine(model, 60)} settings`,
    description: isFirst
      ? axes.models.length > 1 && "Other models use these settings where they support them."
      : isOwn
        ? "This model has its own settings."
        : `Uses the settings of ${visibleLine(first, 60)} until you change them.`,
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
            Reset to {visibleLine(first, 40)} settings
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

/** Chooses between every combination and pairs. */
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
            ? "Every value runs with every value of the other parameters."
            : "Pairs the first values, then the second values, and so on. A single value is used in every run."}
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
  // A parameter without values is removed.
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
        <Button onClick={remove}>Remove</Button>
        <Done onClick={close} />
      </>
    ),
  };
}

/** Lists the parameters of the first model that no axis varies yet. A press makes one an axis. */
function addView({ axes, schemas, onChange, onStep }: AxisDialogProps): StepView {
  const pick = (field: Field) => {
    onChange(withAxis(axes, newAxis(axes, field)));
    onStep({ kind: "axis", key: field.key });
  };
  return {
    title: "Add parameter",
    description: "Each value adds runs.",
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
  const shared = { axis, label, onChange };
  // An axis that was typed as text is edited as text, even while the parameters are unknown.
  if (axis.text !== undefined || field?.kind === "text") return <TextAxisEditor {...shared} />;
  switch (field?.kind) {
    case "choice":
      return <OptionsAxisEditor {...shared} field={field} />;
    case "number":
      return field.role === "seed" ? (
        <SeedsAxisEditor {...shared} field={field} />
      ) : (
        <NumbersAxisEditor {...shared} field={field} />
      );
    case "boolean":
      return <BooleansAxisEditor {...shared} field={field} />;
    case "media":
      return <FilesAxisEditor {...shared} field={field} modelId={modelId} />;
    default:
      return <LinesAxisEditor {...shared} field={field} />;
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

/** Roles that people vary most often, in the order in which the picker lists them. */
const COMMON_ROLES: readonly Field["role"][] = [
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
      status={counted(entries.length, "parameter")}
      empty={() => <p className="m-0 py-4 text-center text-ink-2">No matching parameters</p>}
    />
  );
}

function axisChoices(axes: BatchAxes, schema: FormSchema) {
  const taken = new Set(axes.parameters.map(({ key }) => key));
  const rank = ({ role, advanced }: Field) => {
    const at = COMMON_ROLES.indexOf(role);
    return at >= 0 && role !== undefined ? at : COMMON_ROLES.length + (advanced ? 1 : 0);
  };
  return schema.fields
    .filter(({ key }) => !taken.has(key))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((field) => ({
      id: field.key,
      value: field.key,
      label: axisLabel(field, field.key),
      detail: getDetail(field),
      field,
    }));
}

function getDetail(field: Field): string {
  if (field.kind === "choice") return counted(field.options.length, "option");
  if (field.kind === "number" && field.role !== "seed" && field.min !== undefined && field.max !== undefined) {
    return `${field.min} to ${field.max}`;
  }
  return KIND_WORDS[axisKind(field)];
}

/** Says how many runs the axes make, or why they make none. */
export function Sum({ axes, expanded }: Pick<AxesProps, "axes" | "expanded">) {
  const { problem, isLoading, runs } = expanded;
  return (
    <p role="status" className={`m-0 me-auto self-center tabular-nums ${problem ? "text-failed" : "text-ink-2"}`}>
      {problem ?? (isLoading ? "Loading parameters…" : sumWords(axes, runs.length))}
    </p>
  );
}
