import { useLocation } from "@tanstack/react-router";
import { Gauge } from "lucide-react";
import { useEffect, useId } from "react";
import { useForm } from "react-hook-form";
import type { SpendLimits } from "#jobs/ledger/spend-limits.ts";
import { type SpendState, useSpendLimits } from "#jobs/ledger/use-ledger.ts";
import { formatMicroUsd, isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { StorageError } from "#storage/rows.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { Field, TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast.tsx";

type LimitName = keyof SpendLimits;

const FIELDS: { name: LimitName; label: string; hint: (state: SpendState) => string }[] = [
  {
    name: "confirmAboveMicroUsd",
    label: "Confirm runs above",
    hint: () => "You’ll be asked before a more expensive run.",
  },
  { name: "perRunMicroUsd", label: "Limit per run", hint: () => "More expensive runs are blocked." },
  {
    name: "perSessionMicroUsd",
    label: "Limit per session",
    hint: ({ sessionMicroUsd }) =>
      `${formatMicroUsd(sessionMicroUsd)} so far. A session ends after four hours without a run.`,
  },
  {
    name: "perDayMicroUsd",
    label: "Limit per day",
    hint: ({ todayMicroUsd }) => `${formatMicroUsd(todayMicroUsd)} so far today, refunds subtracted.`,
  },
];

type Texts = Record<LimitName, string>;

const textOf = (amount: number | undefined) =>
  amount === undefined ? "" : formatMicroUsd(amount).slice(1).replaceAll(",", "");

function textsOf(limits: SpendLimits): Texts {
  return {
    confirmAboveMicroUsd: textOf(limits.confirmAboveMicroUsd),
    perRunMicroUsd: textOf(limits.perRunMicroUsd),
    perSessionMicroUsd: textOf(limits.perSessionMicroUsd),
    perDayMicroUsd: textOf(limits.perDayMicroUsd),
  };
}

/** The limits of this key, held over all tabs of this browser. Other clients of the key do not know them. */
export function LimitsForm() {
  const state = useSpendLimits();
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="m-0 font-semibold text-[13.5px]">
        Limits
      </h2>
      <p className="m-0 mt-1 mb-3 max-w-[68ch] text-[12.5px] text-ink-3">
        In dollars, for runs of this key in all tabs of this browser. The price is reserved when you click, and released
        if nothing is charged. Empty means no limit.
      </p>
      <LimitFields key={JSON.stringify(state.limits)} state={state} />
    </section>
  );
}

function LimitFields({ state }: { state: SpendState }) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    defaultValues: textsOf(state.limits),
    shouldFocusError: false,
  });

  useCommands([
    {
      id: "spend.limits",
      label: "Change the limits",
      group: "Spend",
      icon: Gauge,
      run: () => setFocus("confirmAboveMicroUsd"),
    },
  ]);
  // The palette leads here by the limit's name.
  const asked = useLocation({ select: ({ hash }) => FIELDS.find(({ name }) => name === hash)?.name });
  useEffect(() => {
    if (asked) setFocus(asked);
  }, [asked, setFocus]);

  async function save(texts: Texts) {
    try {
      await state.save({
        confirmAboveMicroUsd: parseDollars(texts.confirmAboveMicroUsd),
        perRunMicroUsd: parseDollars(texts.perRunMicroUsd),
        perSessionMicroUsd: parseDollars(texts.perSessionMicroUsd),
        perDayMicroUsd: parseDollars(texts.perDayMicroUsd),
      });
      toast({ title: "Limits saved", tone: "success" });
    } catch (error) {
      const body = error instanceof StorageError && error.trouble === "newer" ? error.message : undefined;
      toast({ title: "Could not save the limits", body, tone: "error" });
    }
  }
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(save)(event)}>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        {FIELDS.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint(state)} error={formState.errors[name]?.message}>
            {({ id, describedBy, invalid }) => (
              <TextInput
                {...register(name, { validate: checkAmount })}
                id={id}
                inputMode="decimal"
                autoComplete="off"
                placeholder="No limit"
                aria-describedby={describedBy}
                aria-invalid={invalid}
              />
            )}
          </Field>
        ))}
      </div>
      <Button type="submit" size="sm" className="mt-2" data-command="spend.limits">
        Save limits
      </Button>
    </form>
  );
}

/** Empty means no limit. */
function checkAmount(text: string): true | string {
  return text.trim() === "" || parseDollars(text) !== undefined || "Enter an amount such as 20 or 0.50";
}

const DOLLARS = /^\$?\s*(\d{1,9})(?:\.(\d{0,6}))?$/;

/**
 * Reads an amount that a person typed, such as `20`, `0.50` or `$1.5`, as whole micro-USD. No float is involved. Undefined
 * for anything else, an empty text included.
 */
export function parseDollars(text: string): MicroUsd | undefined {
  const found = DOLLARS.exec(text.trim());
  if (!found) return undefined;
  const [, dollars = "0", decimals = ""] = found;
  const amount = Number(dollars) * 1_000_000 + Number(decimals.padEnd(6, "0"));
  return isMicroUsd(amount) ? amount : undefined;
}
