import { useQuery } from "@tanstack/react-query";
import { Plus, SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ModelTile, modelSummary } from "#models/model-card.tsx";
import { ModelPicker } from "#models/model-picker.tsx";
import { modelQueries } from "#models/model-queries.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { Button, IconButton } from "#ui/button.tsx";

interface ModelsEditorProps {
  models: readonly string[];
  schemas: ModelSchemas;
  onChange: (models: readonly string[]) => void;
  /** Opens the settings of a model. */
  onSettings?: ((model: string) => void) | undefined;
}

/** The chosen models. Each can be removed, and more are added from the catalog. */
export function ModelsEditor({ models, schemas, onChange, onSettings }: ModelsEditorProps) {
  const [isPicking, setIsPicking] = useState(false);
  const remove = (model: string) => onChange(models.filter((other) => other !== model));
  return (
    <div className="flex flex-col gap-2">
      {models.length > 0 && (
        <ul aria-label="Selected models" className="m-0 flex list-none flex-col gap-1.5 p-0">
          {models.map((model) => (
            <ModelLine
              key={model}
              model={model}
              problem={getLoadProblem(schemas, model)}
              onSettings={onSettings && (() => onSettings(model))}
              onRemove={() => remove(model)}
            />
          ))}
        </ul>
      )}
      <Button className="self-start" onClick={() => setIsPicking(true)}>
        <Plus aria-hidden="true" className="size-4" />
        {models.length === 0 ? "Choose models" : "Add model"}
      </Button>
      <ModelPicker
        open={isPicking}
        onOpenChange={setIsPicking}
        selected={models}
        takesSeveral
        onSelect={(model) => (models.includes(model) ? remove(model) : onChange([...models, model]))}
      />
    </div>
  );
}

function getLoadProblem(schemas: ModelSchemas, model: string): string | undefined {
  const known = schemas.get(model);
  return known?.state === "failed" ? "Couldn’t load its parameters." : undefined;
}

function ModelLine({
  model,
  problem,
  onSettings,
  onRemove,
}: {
  model: string;
  problem: string | undefined;
  onSettings: (() => void) | undefined;
  onRemove: () => void;
}) {
  const detail = useQuery(modelQueries(useApi()).detail(model));
  const name = visibleLine(model);
  return (
    <li className="flex items-center gap-3 rounded-md border border-line bg-raised py-2 ps-2.5 pe-2">
      <ModelTile id={model} type={detail.data?.type} className="size-8!" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block min-h-4.5 truncate text-xs text-ink-3 leading-normal tabular-nums">
          {problem ?? (detail.data && modelSummary(detail.data))}
        </span>
      </span>
      {onSettings && (
        <Button size="sm" variant="ghost" aria-label={`${name} settings`} onClick={onSettings}>
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          Settings
        </Button>
      )}
      <IconButton size="sm" label={`Remove ${name}`} onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}

/** The tile and the name of a model, in one line. */
export function ModelName({ model }: { model: string }) {
  const detail = useQuery(modelQueries(useApi()).detail(model));
  return (
    <>
      <ModelTile id={model} type={detail.data?.type} className="size-5!" />
      <span className="truncate">{visibleLine(model, 60)}</span>
    </>
  );
}

/** A field for one model: a button that opens the catalog. */
export function ModelField({
  label,
  model,
  onChange,
}: {
  label: string;
  model: string | undefined;
  onChange: (model: string) => void;
}) {
  const [isPicking, setIsPicking] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <span className="font-medium text-sm">{label}</span>
      <Button aria-haspopup="dialog" onClick={() => setIsPicking(true)}>
        {model === undefined ? "Choose model" : <ModelName model={model} />}
      </Button>
      <ModelPicker
        open={isPicking}
        onOpenChange={setIsPicking}
        selected={model === undefined ? [] : [model]}
        onSelect={onChange}
      />
    </div>
  );
}
