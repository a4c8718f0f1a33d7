import { clsx } from "clsx";
import { Box, Braces, Combine, Hash, Images, type LucideIcon, Plus, Scaling, ToggleLeft, Type } from "lucide-react";
import { type ReactNode, useState } from "react";
import { findField } from "#batch/rows/carry-axes.ts";
import { formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Field, NumberField } from "#schema-form/read/field.ts";
import type { ParameterAxis } from "#storage/stored-batches.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { batchCommands } from "../commands.ts";
import { type AxesProps, AxisDialog, type AxisStep } from "./axis-dialog.tsx";
import {
  type AxisKind,
  axisCount,
  axisKind,
  axisLabel,
  firstSchema,
  randomSeeds,
  repeated,
  roleField,
  sumWords,
  withAxis,
} from "./axis-edits.ts";

const ICONS: Record<AxisKind, LucideIcon> = {
  text: Type,
  options: Scaling,
  numbers: Hash,
  seeds: Hash,
  booleans: ToggleLeft,
  files: Images,
  lines: Braces,
};

/** The axes as chips, each of which opens its editor. `without`: parts that have editors of their own on the screen. */
export function AxisChips({ without = [], ...props }: AxesProps & { without?: readonly ("models" | "prompt")[] }) {
  const { axes, schemas, expanded } = props;
  const [step, setStep] = useState<AxisStep>();
  const schema = firstSchema(axes, schemas);
  const prompt = roleField(schema, "prompt");
  const shown = axes.parameters.filter(({ key }) => !(without.includes("prompt") && key === prompt?.key));
  return (
    <fieldset aria-label="Varied parameters" className="m-0 min-w-0 border-0 p-0">
      <ul
        aria-label="Parameters"
        className={clsx(
          "m-0 flex list-none items-center gap-1.5 p-0 sm:flex-wrap",
          // Has room for two lines above the table, because chips are added once the parameters of a model are loaded.
          without.length === 0 && "sm:min-h-17.5 sm:content-start",
        )}
      >
        {!without.includes("models") && (
          <Chip icon={Box} onClick={() => setStep({ kind: "models" })}>
            {axes.models.length === 1
              ? visibleLine(axes.models[0] ?? "", 30)
              : `Model × ${formatNumber(axes.models.length)}`}
          </Chip>
        )}
        {shown.map((axis) => (
          <AxisChip
            key={axis.key}
            axis={axis}
            field={findField(schema, axis.key)}
            onClick={() => setStep({ kind: "axis", key: axis.key })}
          />
        ))}
        <li className="flex shrink-0">
          <CommandButton
            className="border-dashed px-2.5!"
            command={{
              ...batchCommands.addAxis,
              icon: Plus,
              unavailable: axes.models.length === 0 ? "Choose a model first" : undefined,
              run: () => setStep({ kind: "add" }),
            }}
          />
        </li>
        <QuickAxis {...props} />
        {(expanded.runs.length > 1 || expanded.problem !== undefined) && (
          <Chip icon={Combine} isQuiet onClick={() => setStep({ kind: "combine" })}>
            <span className="sr-only">{axes.way === "zip" ? "Pairs:" : "Every combination:"}</span>{" "}
            {expanded.problem === undefined ? sumWords(axes, expanded.runs.length) : "No runs"}
          </Chip>
        )}
      </ul>
      {step && <AxisDialog {...props} step={step} onStep={setStep} />}
    </fieldset>
  );
}

function AxisChip({ axis, field, onClick }: { axis: ParameterAxis; field: Field | undefined; onClick: () => void }) {
  const count = axisCount(axis);
  const template = axis.text && /\{[^{}]*(?:\||\.\.)[^{}]*\}/.exec(axis.text)?.[0];
  return (
    <Chip icon={ICONS[axisKind(field)]} onClick={onClick}>
      {`${axisLabel(field, axis.key)} × ${formatNumber(count)}`}
      {template && <span className="font-mono font-normal text-xs text-ink-3">{visibleLine(template, 14)}</span>}
    </Chip>
  );
}

function Chip({
  icon: Icon,
  isQuiet = false,
  onClick,
  children,
}: {
  icon: LucideIcon;
  isQuiet?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <li className="flex shrink-0">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onClick}
        className={`flex min-h-8 cursor-pointer items-center gap-2 whitespace-nowrap rounded-sm px-2.5 tabular-nums hover:bg-hover pointer-coarse:min-h-11 ${isQuiet ? "text-ink-2" : "bg-raised font-semibold text-sm"}`}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
        {children}
      </button>
    </li>
  );
}

/** A button for the most frequent wish: four random seeds, or each prompt four times where the model has no seed. */
function QuickAxis({ axes, schemas, onChange }: AxesProps) {
  const schema = firstSchema(axes, schemas);
  const seed = schema?.fields.find((field): field is NumberField => field.kind === "number" && field.role === "seed");
  const prompt = roleField(schema, "prompt");
  const texts = axes.parameters.find(({ key }) => key === prompt?.key);
  if (seed && !axes.parameters.some(({ key }) => key === seed.key)) {
    return (
      <li className="flex shrink-0">
        <CommandButton
          variant="ghost"
          command={{
            ...batchCommands.seeds,
            run: () => onChange(withAxis(axes, { key: seed.key, values: randomSeeds(seed, 4) })),
          }}
        />
      </li>
    );
  }
  const text = texts?.text;
  if (!schema || seed || !texts || text === undefined || axisCount(texts) !== 1) return null;
  return (
    <li className="flex shrink-0">
      <CommandButton
        variant="ghost"
        command={{
          ...batchCommands.repeat,
          run: () => {
            const fourTimes = repeated(text, 4);
            onChange(withAxis(axes, { key: texts.key, values: fourTimes.split("\n"), text: fourTimes }));
          },
        }}
      />
    </li>
  );
}
