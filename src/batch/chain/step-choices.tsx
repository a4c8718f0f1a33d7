import { type ReactNode, useId } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { Field, Select } from "#ui/field.tsx";
import { Skeleton, Spinner } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";
import type { StepKind } from "./step-kinds.ts";
import type { StepPlan } from "./step-rows.ts";
import type { useStepPlan } from "./use-step-plan.ts";

const FROM: Record<StepKind["from"], string> = { image: "image", video: "clip", audio: "sound", other: "file" };

interface StepChoicesProps {
  kinds: readonly StepKind[];
  kind: StepKind;
  choice: ReturnType<typeof useStepPlan>;
  /** The results. */
  children: ReactNode;
}

/** What kind of step, which model does it, and how the results become its inputs. */
export function StepChoices({ kinds, kind, choice, children }: StepChoicesProps) {
  const { catalogue, models, model, fields, field, ways, way, planned } = choice;
  const from = FROM[kind.from];
  const promptsId = useId();
  const wayLabels: Record<StepPlan["way"], string> = {
    each: `One run per ${from}`,
    all: `One run from all ${choice.results.length}`,
    ends: "Start and end of one run",
  };
  return (
    <div className="flex flex-col">
      {kinds.length > 1 && (
        <Field label="Step" group errorless className="mb-3">
          {({ labelId }) => (
            <Segmented
              label="Step"
              labelledBy={labelId}
              options={kinds.map(({ id, label }) => ({ value: id, label }))}
              value={kind.id}
              onChange={(next) => choice.setValue("kindId", next)}
            />
          )}
        </Field>
      )}
      <div className="mb-3">{children}</div>
      <Field
        label="Model"
        note={planned && `planned as ${visibleLine(planned.name)}`}
        hint={
          catalogue.isLoading ? (
            <span role="status" className="flex items-center gap-2">
              <Spinner /> Loading models
            </span>
          ) : (
            <ModelHint choice={choice} kind={kind} />
          )
        }
      >
        {({ id: fieldId, describedBy }) =>
          model === undefined && catalogue.isLoading ? (
            <Skeleton className="h-[34px] pointer-coarse:h-11" />
          ) : (
            <Combobox
              id={fieldId}
              describedBy={describedBy}
              options={models.map((id) => ({
                value: id,
                label: visibleLine(id),
                detail: visibleLine(catalogue.priceTexts.get(id) ?? ""),
              }))}
              value={model}
              onChange={(next) => choice.setValue("model", next)}
              placeholder="No model"
              disabled={models.length === 0}
            />
          )
        }
      </Field>
      {fields.length > 1 && field && (
        <Field label={`The ${kind.use === "last-frame" ? "last frame" : from} goes into`}>
          {({ id, describedBy }) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              value={field.key}
              onChange={(event) => choice.setValue("fieldKey", event.currentTarget.value)}
            >
              {fields.map(({ key, label }) => (
                <option key={key} value={key}>
                  {visibleLine(label)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {ways.length > 1 && (
        <Field label="Runs" group errorless className="mb-3">
          {({ labelId }) => (
            <Segmented
              label="Runs"
              labelledBy={labelId}
              options={ways.map((value) => ({ value, label: wayLabels[value] }))}
              value={way}
              onChange={(next) => choice.setValue("way", next)}
            />
          )}
        </Field>
      )}
      {choice.hasPrompts && (
        <div className="flex min-h-8 items-center justify-between gap-3 pointer-coarse:min-h-11">
          <label htmlFor={promptsId} className="font-medium text-[12.5px] text-ink">
            Use each run’s prompt
          </label>
          <Switch
            id={promptsId}
            checked={choice.promptKey !== undefined}
            onChange={(event) => choice.setValue("wantsOwnPrompts", event.currentTarget.checked)}
          />
        </div>
      )}
    </div>
  );
}

function ModelHint({ choice, kind }: Pick<StepChoicesProps, "choice" | "kind">) {
  const { more, loadMore } = choice.catalogue;
  const takes = kind.takes === "audio" ? "sound" : kind.takes === "video" ? "a video" : "an image";
  const makes = kind.makes === undefined ? "" : ` and makes ${kind.makes === "image" ? "images" : kind.makes}`;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {choice.models.length === 0 && `None of the loaded models accepts ${takes}${makes}.`}
      {more > 0 && (
        <Button size="sm" variant="ghost" onClick={loadMore}>
          Load {more} more models
        </Button>
      )}
    </span>
  );
}
