import { useState } from "react";
import { findField } from "#batch/rows/carry-axes.ts";
import type { ExpandedAxes } from "#batch/rows/expand-axes.ts";
import { addressesIn, getMediaKind, type MediaItem, mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, MediaField } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes, ParameterAxis } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { axisCount, axisLabel, firstSchema, sumWords, withAxis, withModels, withoutAxis } from "./axis-edits.ts";
import { FileList, useDetachUploads } from "./file-list.tsx";
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

/** The values of one axis. They are in the table as they are typed. */
export function AxisDialog({ axisKey, onClose, ...props }: AxesProps & { axisKey: string; onClose: () => void }) {
  const { axes, schemas, expanded, onChange } = props;
  const axis = axes.parameters.find(({ key }) => key === axisKey);
  const field = findField(firstSchema(axes, schemas), axisKey);
  const label = axisLabel(field, axisKey);
  function close() {
    // An axis without a value does not stay.
    if (axis && axisCount(axis) === 0) onChange(withoutAxis(axes, axisKey));
    onClose();
  }
  if (!axis) return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={label}
      footer={
        <>
          <Sum axes={axes} expanded={expanded} />
          <Button
            onClick={() => {
              onChange(withoutAxis(axes, axisKey));
              onClose();
            }}
          >
            Remove axis
          </Button>
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <AxisEditor
        axis={axis}
        field={field}
        label={label}
        modelId={axes.models[0] ?? ""}
        onChange={(next) => onChange(withAxis(axes, next))}
      />
    </Dialog>
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

/** Which models the runs are for. */
export function ModelsDialog({
  onClose,
  onSettings,
  ...props
}: AxesProps & { onClose: () => void; onSettings: (model: string) => void }) {
  const { axes, schemas, expanded, onChange } = props;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Models"
      description="Each model runs every combination. The first one names the parameters."
      footer={
        <>
          <Sum axes={axes} expanded={expanded} />
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <ModelsEditor
        models={axes.models}
        schemas={schemas}
        onChange={(models) => models.length > 0 && onChange(withModels(axes, models, schemas))}
        onSettings={onSettings}
      />
    </Dialog>
  );
}

const WAYS = [
  { value: "product", label: "Every combination" },
  { value: "zip", label: "Pair by position" },
] as const;

/** How the axes come together. */
export function CombineDialog({ onClose, ...props }: AxesProps & { onClose: () => void }) {
  const { axes, expanded, onChange } = props;
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && onClose()}
      title="Combine"
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
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
    </Dialog>
  );
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
