import { Plus } from "lucide-react";
import { startTransition, useEffect, useEffectEvent, useState } from "react";
import { type ExpandedAxes, expandAxes } from "#batch/rows/expand-axes.ts";
import { roomProblem, withGroup, withoutRemoved } from "#batch/rows/group-runs.ts";
import { findKey, keyFindingSentence } from "#connection/find-key.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchAxes, BatchGroup } from "#storage/stored-batches.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Select } from "#ui/field.tsx";
import { useBatchDocument, useDocumentTarget, withSteadyIds } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { AxisChips } from "./axis-chips.tsx";
import { CombineForm } from "./combine-form.tsx";
import { SourceButtons } from "./source-buttons.tsx";
import { useExpanded, useMade } from "./use-expanded.ts";

/** The bar above the table: the axes of a group of combinations as chips, and the other sources of runs. */
export function SourcesBar() {
  const { batch } = useBatchDocument();
  const target = useDocumentTarget();
  const [chosen, setChosen] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const groups = batch.groups.filter(({ kind, axes }) => axes !== undefined && kind !== "step");
  const group = groups.find(({ id }) => id === chosen) ?? groups[0];
  return (
    <section
      aria-label="Run sources"
      className="flex min-h-12.5 items-start gap-x-4 border-line border-b px-4.5 py-2 max-sm:overflow-x-auto max-sm:px-4"
    >
      <div className="flex min-w-0 flex-1 items-start gap-2 max-sm:min-w-max">
        {groups.length > 1 && (
          <Select
            aria-label="Combinations"
            className="w-40 shrink-0"
            value={group?.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {groups.map(({ id, name }, at) => (
              <option key={id} value={id}>
                {`${at + 1}. ${visibleLine(name, 40)}`}
              </option>
            ))}
          </Select>
        )}
        {group?.axes ? (
          <GroupAxes key={group.id} group={group} axes={group.axes} />
        ) : (
          <CommandButton
            className="border-dashed"
            command={{
              ...batchCommands.combine,
              icon: Plus,
              run: () => setIsAdding(true),
            }}
          />
        )}
      </div>
      <SourceButtons target={target} models={group?.axes?.models ?? []} settings={group?.axes?.settings} />
      {isAdding && (
        <Dialog open onOpenChange={setIsAdding} title="Add combinations" size="lg">
          <CombineForm target={target} onDone={() => setIsAdding(false)} />
        </Dialog>
      )}
    </section>
  );
}

/** The axes of one group. Changes reach the table a moment after the last key. */
function GroupAxes({ group, axes }: { group: BatchGroup; axes: BatchAxes }) {
  const { batch, edit } = useBatchDocument();
  const [pending, setPending] = useState<BatchAxes>();
  const shown = pending ?? axes;
  const schemas = useModelSchemas(shown.models);
  const { expanded, isFresh } = useExpanded(shown, schemas);

  const keyProblem = useMade(shown, findOwnKey);
  function getProblem({ problem, runs }: ExpandedAxes): string | undefined {
    return keyProblem ?? problem ?? roomProblem(batch, group.id, runs.length);
  }
  /** Stores the axes, with their runs if they can be made; otherwise the rows stay as they were. */
  function store(next: BatchAxes, made: ExpandedAxes) {
    if (findOwnKey(next) !== undefined) return;
    const isUsable = (result: ExpandedAxes) => !result.isLoading && getProblem(result) === undefined;
    const earlier = expandAxes(axes, schemas);
    const earlierRuns = isUsable(earlier) ? earlier.runs : [];
    const change = (stored: Batch): Batch => {
      const current = stored.groups.find(({ id }) => id === group.id);
      if (!current) return stored;
      if (isUsable(made)) {
        const runs = withoutRemoved(stored, group.id, earlierRuns, made.runs);
        return withGroup(stored, { ...current, axes: next }, runs);
      }
      return { ...stored, groups: stored.groups.map((one) => (one === current ? { ...current, axes: next } : one)) };
    };
    edit(withSteadyIds(change));
  }
  const isDue = pending !== undefined && isFresh && !expanded.isLoading;
  const storePending = useEffectEvent(() => {
    // While the person's API key is in the axes, nothing is stored, and the problem is shown.
    if (!pending || keyProblem !== undefined) return;
    store(pending, expanded);
    // A newer change stays pending.
    setPending((current) => (current === pending ? undefined : current));
  });
  useEffect(() => {
    // A transition, because thousands of rows may change, and typing must be drawn first.
    if (isDue) startTransition(() => storePending());
  }, [isDue]);
  const storeOnLeave = useEffectEvent(() => pending && store(pending, expandAxes(pending, schemas)));
  useEffect(() => () => void storeOnLeave(), []);

  const problem = getProblem(expanded);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 max-sm:min-w-max">
      <AxisChips
        axes={shown}
        schemas={schemas}
        expanded={problem === undefined ? expanded : { ...expanded, problem }}
        onChange={setPending}
      />
      {problem !== undefined && (
        <p role="alert" className="m-0 text-sm text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A sentence where the person's API key is in the axes, which must then not be stored. */
function findOwnKey({ settings, parameters }: BatchAxes): string | undefined {
  const typed = parameters.map(({ text, values }) => text ?? values);
  const finding = findKey([settings, typed]);
  return finding?.kind === "own" ? keyFindingSentence(finding) : undefined;
}
