import { useMemo, useState } from "react";
import { create } from "zustand";
import { cellText } from "#batch/rows/cell-value.ts";
import { newGroup, type PlannedRun, roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { onConnectionChange } from "#connection/connection-store.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";
import { CommandButton } from "#ui/command-button.tsx";
import type { RunTarget } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { AxisChips } from "./axis-chips.tsx";
import { AxisDialog, Sum } from "./axis-dialog.tsx";
import { firstSchema, nameOfAxes, roleField, textAxis, withModels } from "./axis-edits.ts";
import { ModelsEditor } from "./models-editor.tsx";
import { PromptLines } from "./prompt-lines.tsx";
import { useExpanded } from "./use-expanded.ts";

const CHOOSE_MODEL = "Choose a model first";
const ENTER_PROMPT = "Enter a prompt first";

/** Rows of the preview. */
const MAX_SHOWN = 5;

/** The form for new combinations: models, prompts and axes, with a preview of their runs. Nothing is stored before Add. */
export function CombineForm({ target, onDone }: { target: RunTarget; onDone?: () => void }) {
  const draft = useStartDraft();
  const [settingsModel, setSettingsModel] = useState<string>();
  const schemas = useModelSchemas(draft.axes.models);
  const schema = firstSchema(draft.axes, schemas);
  const axes = useMemo(() => draftAxes(draft, schema), [draft, schema]);
  const { expanded, isFresh } = useExpanded(axes, schemas);
  const hasNoPrompt = schema !== undefined && roleField(schema, "prompt") === undefined;
  const room = roomProblem(target.batch, undefined, expanded.runs.length);
  const shown = expanded.problem === undefined && room !== undefined ? { ...expanded, problem: room } : expanded;
  const isReady = isFresh && !shown.isLoading && shown.problem === undefined && shown.runs.length > 0;
  const unavailable =
    axes.models.length === 0
      ? CHOOSE_MODEL
      : draft.prompts.trim() === "" && !hasNoPrompt
        ? ENTER_PROMPT
        : isReady
          ? undefined
          : (shown.problem ?? "Preparing runs…");
  function change(next: BatchAxes) {
    const key = roleField(schema, "prompt")?.key;
    const text = next.parameters.find((axis) => axis.key === key)?.text;
    useStartDraft.setState({
      axes: { ...next, parameters: next.parameters.filter((axis) => axis.key !== key) },
      ...(text === undefined ? {} : { prompts: text }),
    });
  }
  function add() {
    const name = nameOfAxes(axes, schema, "New batch");
    const group = newGroup(
      target.batch.items.length === 0 && axes.way === "product" ? "All combinations" : name,
      "axes",
      axes,
    );
    if (!target.put((batch) => withGroup(batch, group, expanded.runs), name)) return;
    clearStartDraft();
    onDone?.();
  }
  return (
    <div className="flex flex-col gap-6">
      <fieldset aria-label="Models" className="m-0 flex min-w-0 flex-col gap-2 border-0 p-0">
        <h3 className="m-0 font-medium text-sm">Models</h3>
        <ModelsEditor
          models={axes.models}
          schemas={schemas}
          onChange={(models) =>
            useStartDraft.setState(({ axes: current }) => ({ axes: withModels(current, models, schemas) }))
          }
          onSettings={setSettingsModel}
        />
        {settingsModel !== undefined && (
          <AxisDialog
            axes={axes}
            schemas={schemas}
            expanded={shown}
            onChange={change}
            step={{ kind: "settings", model: settingsModel }}
            // The step back to the models is this form, which has them above.
            onStep={() => setSettingsModel(undefined)}
          />
        )}
      </fieldset>
      <section aria-label="Prompts">
        <PromptLines
          label="Prompts"
          text={draft.prompts}
          rows={6}
          onChange={(prompts) => useStartDraft.setState({ prompts })}
        />
        {hasNoPrompt && (
          <p role="status" className="m-0 text-sm text-ink-2">
            {visibleLine(axes.models[0] ?? "", 60)} doesn’t use prompts. They are ignored.
          </p>
        )}
      </section>
      <section aria-label="Parameters" className="flex flex-col gap-2">
        <h3 className="m-0 font-medium text-sm">
          Parameters <span className="font-normal text-ink-3">vary size, seed or any other parameter</span>
        </h3>
        <div className="max-w-full pb-1 max-sm:overflow-x-auto">
          <AxisChips axes={axes} schemas={schemas} expanded={shown} without={["models", "prompt"]} onChange={change} />
        </div>
      </section>
      {axes.models.length > 0 && shown.runs.length > 0 && draft.prompts.trim() !== "" && (
        <div className="flex flex-col gap-2">
          <RunsPreview runs={shown.runs} keys={axes.parameters.map(({ key }) => key)} />
          <Unavailable runs={shown.runs} />
        </div>
      )}
      <div
        className={`flex flex-wrap items-center gap-3 py-3 ${onDone ? "" : "sticky bottom-0 z-1 bg-canvas short:static"}`}
      >
        {unavailable !== CHOOSE_MODEL && unavailable !== ENTER_PROMPT && <Sum axes={axes} expanded={shown} />}
        <CommandButton
          variant="primary"
          size="lg"
          className="ms-auto"
          command={{
            ...batchCommands.addRuns,
            unavailable,
            run: add,
          }}
        >
          {addWord(unavailable === undefined ? shown.runs.length : 0)}
        </CommandButton>
      </div>
    </div>
  );
}

/** The label of a button that adds `count` runs. */
export const addWord = (count: number): string => (count === 0 ? "Add runs" : `Add ${counted(count, "run")}`);

/** The first rows that will be added to the table. */
function RunsPreview({ runs, keys }: { runs: readonly PlannedRun[]; keys: readonly string[] }) {
  return (
    <ol
      aria-label="First runs"
      className="m-0 list-none divide-y divide-line overflow-hidden rounded-md border border-line p-0 text-sm"
    >
      {runs.slice(0, MAX_SHOWN).map(({ request, unavailable = [] }, at) => {
        const words = valuesOf(request.payload, keys).map((value) => visibleLine(cellText(value), 90));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no ids before they are added
          <li key={at} className="flex min-h-8 items-center gap-3 px-3">
            <span className="w-5 shrink-0 text-right text-ink-3 tabular-nums">{at + 1}</span>
            <span className="w-32 shrink-0 truncate text-ink-2 max-sm:w-20">{visibleLine(request.model)}</span>
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {words[0] ?? ""}
            </span>
            <span className="max-w-[40%] shrink-0 truncate text-ink-3 max-sm:hidden">
              {unavailable.length > 0 ? `Not available: ${unavailable.join(", ")}` : words.slice(1).join(" · ")}
            </span>
          </li>
        );
      })}
      {runs.length > MAX_SHOWN && (
        <li className="px-3 py-1.5 text-ink-3 tabular-nums">{formatNumber(runs.length - MAX_SHOWN)} more</li>
      )}
    </ol>
  );
}

/** Missing options that are named for each model. */
const MAX_NAMED = 3;

/** Says what is not available in some models. The person has to decide about their runs. */
function Unavailable({ runs }: { runs: readonly PlannedRun[] }) {
  const lacking = new Map<string, Set<string>>();
  for (const { request, unavailable = [] } of runs) {
    if (unavailable.length === 0) continue;
    const labels = lacking.get(request.model) ?? new Set<string>();
    for (const label of unavailable) labels.add(label);
    lacking.set(request.model, labels);
  }
  if (lacking.size === 0) return null;
  const count = runs.filter(({ unavailable = [] }) => unavailable.length > 0).length;
  return (
    <p role="status" className="m-0 text-sm text-unconfirmed">
      {counted(count, "run needs", "runs need")} attention.{" "}
      {[...lacking].map(([model, labels]) => {
        const named = [...labels].slice(0, MAX_NAMED).join(", ");
        const more = labels.size > MAX_NAMED ? ` and ${formatNumber(labels.size - MAX_NAMED)} more` : "";
        return `Not available in ${visibleLine(model, 60)}: ${named}${more}. `;
      })}
    </p>
  );
}

/** What was entered for combinations that were not added yet. */
interface StartDraft {
  axes: BatchAxes;
  /** The prompts, one per line. Stored apart from the axes, because the first model decides which parameter takes them. */
  prompts: string;
}

const EMPTY: StartDraft = { axes: { models: [], settings: {}, parameters: [], way: "product" }, prompts: "" };

/** Survives leaving the screen, but not a reload: it is only in memory. */
export const useStartDraft = create<StartDraft>(() => EMPTY);

export const clearStartDraft = (): void => useStartDraft.setState(EMPTY, true);

onConnectionChange(clearStartDraft);

/** The axes of a draft, with the prompts as an axis of the first model's prompt parameter. */
function draftAxes({ axes, prompts }: StartDraft, schema: FormSchema | undefined): BatchAxes {
  const key = roleField(schema, "prompt")?.key;
  if (key === undefined || prompts.trim() === "") return axes;
  return { ...axes, parameters: [textAxis(key, prompts), ...axes.parameters.filter((axis) => axis.key !== key)] };
}

/** The values of some keys of a payload, in the order of `keys`. */
const valuesOf = (payload: JsonRecord, keys: readonly string[]): unknown[] =>
  keys.flatMap((key) => (Object.hasOwn(payload, key) ? [payload[key]] : []));
