import { useCallback } from "react";
import { getConnection } from "#connection/connection-store.ts";
import { findKey, keyFindingSentence } from "#connection/key-in-text.ts";
import type { BatchAxes } from "#jobs/stored-batches.ts";
import type { ModelSchemas } from "#jobs/use-model-schemas.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { firstSchema, withSettings } from "./axis-edits.ts";

interface ModelSettingsProps {
  model: string;
  axes: BatchAxes;
  schemas: ModelSchemas;
  onChange: (axes: BatchAxes) => void;
  onClose: () => void;
}

/** The parameters of one model that no axis changes. Those of another model than the first begin with what is carried over. */
export function ModelSettingsDialog(props: ModelSettingsProps) {
  const { model, axes, schemas, onChange, onClose } = props;
  const known = schemas.get(model);
  const isOwn = Object.hasOwn(axes.settings, model);
  const isFirst = axes.models[0] === model;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Settings of ${visibleLine(model, 60)}`}
      description={
        isFirst
          ? "The other models use these settings where they have a field for them."
          : isOwn
            ? "This model has settings of its own."
            : `These are the settings of ${visibleLine(axes.models[0] ?? "", 60)}, carried over. A change makes them this model’s own.`
      }
      footer={
        <>
          {!isFirst && isOwn && (
            <Button
              onClick={() => {
                onChange(withSettings(axes, model, undefined));
                onClose();
              }}
            >
              Use the settings of the first model
            </Button>
          )}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {known?.state === "ready" ? (
        <SettingsForm {...props} schema={known.schema} />
      ) : known?.state === "failed" ? (
        <div className="flex flex-col items-start gap-2">
          <p role="alert" className="m-0">
            The parameters of this model could not be loaded. Nothing was charged.
          </p>
          <Button onClick={known.retry}>Try again</Button>
        </div>
      ) : (
        <Skeleton className="h-60" />
      )}
    </Dialog>
  );
}

function SettingsForm({ model, axes, schemas, schema, onChange }: ModelSettingsProps & { schema: FormSchema }) {
  const own = Object.hasOwn(axes.settings, model) ? axes.settings[model] : undefined;
  const first = firstSchema(axes, schemas);
  const shared = axes.settings[axes.models[0] ?? ""] ?? {};
  const form = useSchemaForm({
    modelId: model,
    schema,
    initialPayload: own ?? (first ? carryValues(first, shared, schema).payload : {}),
    isDeleted: isFileDeleted,
    testText: keyIn,
    onPayloadChange: (payload: JsonRecord) => {
      if (findKey(payload, getConnection()?.keyShape)?.kind !== "own") onChange(withSettings(axes, model, payload));
    },
  });
  const varied = axes.parameters.map(({ key }) => key).join("\n");
  const renderAside = useCallback(
    (field: Field) => varied.split("\n").includes(field.key) && <span>varied by an axis</span>,
    [varied],
  );
  return <SchemaForm form={form} renderAside={renderAside} />;
}

/** Why a value must not be sent: a key is in it. */
function keyIn(value: unknown): string | undefined {
  const finding = findKey(value, getConnection()?.keyShape);
  return finding && keyFindingSentence(finding);
}
