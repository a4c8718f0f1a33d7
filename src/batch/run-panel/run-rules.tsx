import { Minus, Plus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { TOTAL_CHARGED } from "#api/charge-words.ts";
import { amountText, NO_AMOUNT, parseDollars } from "#lib/dollars.ts";
import { formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ProjectSelect } from "#runs/ledger/project-select.tsx";
import { type BatchRules, DEFAULT_RULES, MAX_AT_ONCE, MAX_ITEMS, MAX_RETRIES } from "#storage/stored-batches.ts";
import { FoldButton, IconButton } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Select } from "#ui/field.tsx";
import { useBatchDocument } from "../batch-document.ts";

/** The rules by which the batch runs and stops. A change is stored with the batch and applies to runs not submitted yet. */
export function RunRules() {
  const { batch, edit } = useBatchDocument();
  const { rules } = batch;
  const set = (change: (rules: BatchRules) => BatchRules) =>
    edit((current) => ({ ...current, rules: change(current.rules) }));
  const models = [...new Set(batch.items.map(({ request }) => request.model))];
  return (
    <>
      <Section title="Run">
        <Option label="Run in parallel">
          {(id) => (
            <Stepper
              id={id}
              label="Run in parallel"
              value={rules.parallel}
              min={1}
              max={MAX_AT_ONCE}
              onChange={(parallel) => set((current) => ({ ...current, parallel }))}
            />
          )}
        </Option>
        {models.length > 1 && <ParallelOfModels models={models} rules={rules} onChange={set} />}
        <Option label="Order">
          {(id) => (
            <Select
              compact
              id={id}
              value={rules.order}
              onChange={({ target }) => set((current) => ({ ...current, order: target.value as BatchRules["order"] }))}
            >
              <option value="rows">Row by row</option>
              <option value="cheapest">Cheapest first</option>
              <option value="most-expensive">Most expensive first</option>
            </Select>
          )}
        </Option>
        <ProjectOption />
      </Section>
      <Section title="Pause when">
        <StopOption
          label="Failures in a row reach"
          inputLabel="Pause when failures in a row reach"
          isOn={rules.stopAfterFailures !== undefined}
          text={`${rules.stopAfterFailures ?? DEFAULT_RULES.stopAfterFailures ?? 3}`}
          read={(text) => wholeWithin(text, 1, MAX_ITEMS)}
          problem={`Enter a whole number from 1 to ${formatNumber(MAX_ITEMS)}`}
          onChange={(count) =>
            set(({ stopAfterFailures: _, ...others }) =>
              count === undefined ? others : { ...others, stopAfterFailures: count },
            )
          }
        />
        <StopOption
          label={TOTAL_CHARGED}
          inputLabel="Pause when the total charged would exceed"
          isOn={rules.stopAtMicroUsd !== undefined}
          text={`$${amountText(rules.stopAtMicroUsd ?? 5_000_000)}`}
          read={parseDollars}
          problem={NO_AMOUNT}
          onChange={(amount) =>
            set(({ stopAtMicroUsd: _, ...others }) =>
              amount === undefined ? others : { ...others, stopAtMicroUsd: amount },
            )
          }
        />
        <CheckLine
          label="A result is starred"
          isOn={rules.stopAtStar === true}
          onChange={(isOn) => set(({ stopAtStar: _, ...others }) => (isOn ? { ...others, stopAtStar: true } : others))}
        />
      </Section>
      <Section title="Retry">
        <Option label="Failed runs">
          {(id) => (
            <Stepper
              id={id}
              label="Retries per failed run"
              value={rules.retries}
              min={0}
              max={MAX_RETRIES}
              onChange={(retries) => set((current) => ({ ...current, retries }))}
            />
          )}
        </Option>
        <p className="m-0 text-xs text-ink-3">Unconfirmed runs are never retried automatically.</p>
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-line border-b px-4.5 py-4 last-of-type:border-b-0">
      <h2 className="m-0 mb-1.5 font-semibold text-sm">{title}</h2>
      {children}
    </section>
  );
}

function Option({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="flex min-h-8 items-center justify-between gap-2.5 pointer-coarse:min-h-12">
      <label htmlFor={id} className="min-w-0 text-ink-2">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

function ParallelOfModels({
  models,
  rules,
  onChange,
}: {
  models: readonly string[];
  rules: BatchRules;
  onChange: (change: (rules: BatchRules) => BatchRules) => void;
}) {
  const [isOpen, setIsOpen] = useState(Object.keys(rules.parallelOf).length > 0);
  return (
    <>
      <FoldButton isOpen={isOpen} onOpenChange={setIsOpen} className="text-sm text-ink-3">
        Per model
      </FoldButton>
      {isOpen &&
        models.map((model) => (
          <Option key={model} label={visibleLine(model, 40)}>
            {(id) => (
              <Stepper
                id={id}
                label={visibleLine(model, 40)}
                value={rules.parallelOf[model] ?? rules.parallel}
                min={1}
                max={MAX_AT_ONCE}
                onChange={(value) =>
                  onChange(({ parallelOf, ...others }) => ({
                    ...others,
                    parallelOf: { ...parallelOf, [model]: value },
                  }))
                }
              />
            )}
          </Option>
        ))}
    </>
  );
}

function ProjectOption() {
  const { batch, edit } = useBatchDocument();
  return (
    <Option label="Project">
      {(id) => (
        <ProjectSelect
          id={id}
          className="max-w-37.5"
          projectId={batch.projectId}
          onChoose={(projectId) =>
            edit(({ projectId: _, ...others }) => (projectId === undefined ? others : { ...others, projectId }))
          }
        />
      )}
    </Option>
  );
}

function CheckLine({
  label,
  isOn,
  onChange,
  children,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-12">
      <Checkbox id={id} checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer text-ink-2">
        {label}
      </label>
      {children}
    </div>
  );
}

/** A rule that is off, or on with a number. A text that is no number shows `problem`, and the rule stays as it was. */
function StopOption({
  label,
  inputLabel,
  isOn,
  text,
  read,
  problem,
  onChange,
}: {
  label: string;
  inputLabel: string;
  isOn: boolean;
  /** The stored number as text, or the one to begin with. */
  text: string;
  read: (text: string) => number | undefined;
  problem: string;
  onChange: (value: number | undefined) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const noteId = useId();
  const isWrong = typed !== undefined && read(typed) === undefined;
  return (
    <>
      <CheckLine label={label} isOn={isOn} onChange={(next) => onChange(next ? read(typed ?? text) : undefined)}>
        <input
          aria-label={inputLabel}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? noteId : undefined}
          inputMode="decimal"
          autoComplete="off"
          className="min-h-6.5 w-18 shrink-0 rounded-sm border border-line bg-well px-2 text-end text-sm tabular-nums aria-invalid:border-failed pointer-coarse:min-h-11"
          value={typed ?? text}
          onChange={({ target }) => {
            setTyped(target.value);
            const value = read(target.value);
            if (value !== undefined) onChange(value);
          }}
          onBlur={() => setTyped((now) => (now !== undefined && read(now) === undefined ? now : undefined))}
        />
      </CheckLine>
      {isWrong && (
        <p id={noteId} role="alert" className="m-0 text-xs text-failed">
          {problem}
        </p>
      )}
    </>
  );
}

/** A whole number of one or two digits, with buttons for fewer and more. It can be typed as well. */
function Stepper({
  id,
  label,
  value,
  min,
  max,
  onChange,
}: {
  id: string;
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}) {
  return (
    <span data-field="" className="inline-flex shrink-0 items-center rounded-sm border border-line bg-well">
      <IconButton size="sm" label={`Fewer: ${label}`} aria-disabled={value <= min} onClick={() => onChange(value - 1)}>
        <Minus aria-hidden="true" className="size-3.5" />
      </IconButton>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        className="w-7 border-0 bg-transparent text-center font-medium tabular-nums outline-offset-0 pointer-coarse:min-h-11"
        value={value}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          // Typing replaces: "1" typed into "4" is 41, or 1 where that is too many.
          const number = wholeWithin(target.value.slice(-2), min, max) ?? wholeWithin(target.value.slice(-1), min, max);
          if (number !== undefined) onChange(number);
        }}
      />
      <IconButton size="sm" label={`More: ${label}`} aria-disabled={value >= max} onClick={() => onChange(value + 1)}>
        <Plus aria-hidden="true" className="size-3.5" />
      </IconButton>
    </span>
  );
}

/** Reads a whole number; undefined where the text is none, or it is out of bounds. */
function wholeWithin(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
