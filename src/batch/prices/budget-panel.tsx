import { useId, useState } from "react";
import { NO_AMOUNT } from "#lib/dollars.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { inputClass } from "#ui/field.tsx";
import { getSettingsPhrase } from "./price-axes.ts";
import {
  type BudgetAnswer,
  budgetAnswers,
  type PriceCell,
  type PriceTable,
  readBudget,
  resultWord,
} from "./price-cells.ts";
import type { ComparedModel } from "./use-compared-models.ts";

/** "What you get for $5.00", answered from prices that are known already. */
export function BudgetPanel({
  table,
  yours,
  models,
}: {
  table: PriceTable;
  yours: PriceCell | undefined;
  models: readonly ComparedModel[];
}) {
  const id = useId();
  const [text, setText] = useState("$5.00");
  const budget = readBudget(text);
  // The cheapest one once all prices are known, because `models` is sorted then; until then any that has a price.
  const otherModel = models.find(({ isYours, priceMicroUsd }) => !isYours && priceMicroUsd !== undefined);
  const answers =
    budget === undefined || !table.facts.isWhole
      ? []
      : budgetAnswers(
          budget,
          table,
          yours,
          otherModel && { id: otherModel.id, priceMicroUsd: otherModel.priceMicroUsd ?? 0 },
        );
  return (
    <section aria-labelledby={`${id}-title`} className="mt-5 min-h-52.5 border-line border-t pt-4.5">
      <h2 id={`${id}-title`} className="m-0 flex flex-wrap items-center gap-2 font-semibold text-base">
        <label htmlFor={id}>What you get for</label>
        <span>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={budget === undefined}
            aria-describedby={budget === undefined ? `${id}-problem` : undefined}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className={inputClass(
              "min-h-7 w-21 font-medium tabular-nums pointer-coarse:min-h-11 pointer-coarse:text-lg",
            )}
          />
        </span>
      </h2>
      {budget === undefined && (
        <p id={`${id}-problem`} role="alert" className="m-0 mt-2 text-sm text-failed">
          {NO_AMOUNT}
        </p>
      )}
      {answers.length > 0 && (
        <ul className="m-0 mt-3.5 grid list-none grid-cols-4 gap-x-4 gap-y-5 p-0 tabular-nums max-sm:grid-cols-2">
          {answers.map((answer) => (
            <Answer key={answer.kind} answer={answer} table={table} />
          ))}
        </ul>
      )}
      {budget !== undefined && answers.length === 0 && (
        <p className="m-0 mt-3 text-sm text-ink-3">Appears once prices load.</p>
      )}
    </section>
  );
}

/** One answer: what you get, with which settings, and for how much. Undefined `runs` are free: any number is possible. */
function Answer({ answer, table }: { answer: BudgetAnswer; table: PriceTable }) {
  const { axes, type } = table;
  const { cell, runs, results } = answer;
  const phrase = getSettingsPhrase(axes, axes.rows?.values[cell.row]?.value, axes.columns?.values[cell.column]?.value);
  return (
    <li className="min-w-0">
      <Blocks answer={answer} />
      <span className="block font-semibold text-xl leading-tight tracking-tighter">{countWords(results, type)}</span>{" "}
      <span dir="auto" className="mt-0.5 block font-medium text-sm">
        {phrase}
      </span>{" "}
      <span className="block text-xs text-ink-3">
        {runs === undefined
          ? "Free"
          : runs === 0
            ? "Not enough for one"
            : `${formatMicroUsd(answer.totalMicroUsd)}${runs === results ? "" : ` for ${counted(runs, "run")}`}`}
        {KIND_WORDS[answer.kind](answer.modelId ?? "")}
      </span>
    </li>
  );
}

const KIND_WORDS: Record<BudgetAnswer["kind"], (modelId: string) => string> = {
  most: () => ", the most you get",
  yours: () => ", your settings",
  "most-expensive": () => ", the most expensive",
  "other-model": (modelId) => ` with ${visibleLine(modelId, 40)}`,
};

function countWords(count: number | undefined, type: string | undefined): string {
  const word = resultWord(type);
  if (count === undefined) return `Any number of ${word}s`;
  return counted(count, word);
}

/** More blocks would be too small to see. */
const MAX_BLOCKS = 50;

/**
 * One block for each run, and a thin hatched one for what is left of the amount, unless runs are free. Only hatched where
 * the amount is too small for one run. Decoration: the words below say the same.
 */
function Blocks({ answer: { runs = MAX_BLOCKS, totalMicroUsd } }: { answer: BudgetAnswer }) {
  const shown = Math.min(MAX_BLOCKS, runs);
  // One row up to 5 blocks, two rows up to 10, then rows of 10.
  const columns = shown > 10 ? 10 : Math.max(1, Math.ceil(shown / (shown > 5 ? 2 : 1)));
  const price = runs > 0 ? totalMicroUsd / runs : 0;
  return (
    <span aria-hidden="true" className="mb-3 flex h-13.5 max-w-37.5 gap-0.75 forced-color-adjust-none">
      {shown > 0 && (
        <span className="grid flex-1 auto-rows-fr gap-0.5" style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
          {Array.from({ length: shown }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one block is like the other
            <span key={at} className="budget-block rounded-xs" />
          ))}
        </span>
      )}
      {(shown === 0 || price > 0) && <span className={`hatched rounded-xs ${shown === 0 ? "flex-1" : "w-1.5"}`} />}
    </span>
  );
}
