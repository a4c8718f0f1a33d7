import { useLocation } from "@tanstack/react-router";
import { Gauge } from "lucide-react";
import { useEffect, useId } from "react";
import { useForm } from "react-hook-form";
import { amountText, checkAmount, parseDollars } from "#lib/dollars.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted } from "#lib/numbers.ts";
import { LIMIT_LABELS, LIMIT_NAMES, type LimitName } from "#runs/ledger/spend-limits.ts";
import { type SpendState, useLedger } from "#runs/ledger/use-ledger.ts";
import type { SpendLimits } from "#runs/rules/limits.ts";
import { StorageError } from "#storage/rows.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Field, TextInput } from "#ui/field.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";
import { useToday } from "#ui/use-today.ts";
import { spendCommands } from "./commands.ts";

const HINTS: Record<LimitName, (state: SpendState) => string> = {
  confirmAboveMicroUsd: () => "You’ll be asked before a more expensive run or batch, but not before a text response.",
  perRunMicroUsd: () => "More expensive runs and text responses are blocked.",
  perDayMicroUsd: ({ todayMicroUsd, todayMaxMicroUsd }) => {
    const knownText = `${formatMicroUsd(todayMicroUsd)} so far today, refunds deducted.`;
    if (todayMaxMicroUsd === 0) return knownText;
    return `${knownText} Responses with an unknown price count up to ${formatMicroUsd(todayMaxMicroUsd)} more.`;
  },
};

type Texts = Record<LimitName, string>;

function toTexts(limits: SpendLimits): Texts {
  return {
    confirmAboveMicroUsd: amountText(limits.confirmAboveMicroUsd),
    perRunMicroUsd: amountText(limits.perRunMicroUsd),
    perDayMicroUsd: amountText(limits.perDayMicroUsd),
  };
}

/** Says that a limit per session became the limit per day, until the person dismisses it or saves the limits. */
export function SessionLimitNotice({ state: { limits, save } }: { state: SpendState }) {
  const { dayFromSession, perDayMicroUsd } = limits;
  if (dayFromSession === undefined || perDayMicroUsd === undefined) return null;
  const { replacedMicroUsd } = dayFromSession;
  return (
    <Notice
      tone="info"
      title="Your limit per session is now a limit per day"
      onDismiss={() => void save({}).catch(showNotSaved)}
    >
      Safelight no longer has limits per session. Your {formatMicroUsd(perDayMicroUsd)} now applies to each day, from
      midnight to midnight{replacedMicroUsd !== undefined && `, instead of ${formatMicroUsd(replacedMicroUsd)}`}. You
      can change it under Limits.
    </Notice>
  );
}

function showNotSaved(error: unknown): void {
  const body = error instanceof StorageError && error.trouble === "newer" ? error.message : undefined;
  toast({ title: "Couldn’t save the limits", body, tone: "error" });
}

/** The limits of this key, for all tabs of this browser together. Other clients of the key do not know them. */
export function LimitsForm({ state }: { state: SpendState }) {
  const todayMs = useToday();
  const uncovered = useLedger().filter(
    ({ atMs, answerId, amountMicroUsd, mostMicroUsd }) =>
      atMs >= todayMs && answerId !== undefined && amountMicroUsd === undefined && mostMicroUsd === undefined,
  ).length;
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="m-0 font-semibold text-base">
        Limits
      </h2>
      <p className="m-0 mt-1 mb-3 max-w-[68ch] text-sm text-ink-3">
        Limits in USD for this API key in this browser. A run counts when you click Run. A text response counts at its
        maximum cost until it finishes. Leave empty for no limit.
      </p>
      <p className="m-0 -mt-2 mb-3 max-w-[68ch] text-sm text-ink-3">
        Text models without a listed price can’t be counted. They are blocked too once a limit is reached.
        {uncovered > 0 && ` Not counted today: ${counted(uncovered, "response")}.`}
      </p>
      <LimitFields key={JSON.stringify(toTexts(state.limits))} state={state} />
    </section>
  );
}

function LimitFields({ state }: { state: SpendState }) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    defaultValues: toTexts(state.limits),
    shouldFocusError: false,
  });

  useCommands([
    {
      ...spendCommands.limits,
      icon: Gauge,
      run: () => setFocus("confirmAboveMicroUsd"),
    },
  ]);
  // The palette links to a limit by its name in the hash.
  const linkedLimit = useLocation({ select: ({ hash }) => LIMIT_NAMES.find((name) => name === hash) });
  useEffect(() => {
    if (linkedLimit) setFocus(linkedLimit);
  }, [linkedLimit, setFocus]);

  async function save(texts: Texts) {
    try {
      await state.save({
        confirmAboveMicroUsd: parseDollars(texts.confirmAboveMicroUsd),
        perRunMicroUsd: parseDollars(texts.perRunMicroUsd),
        perDayMicroUsd: parseDollars(texts.perDayMicroUsd),
      });
      toast({ title: "Limits saved", tone: "success" });
    } catch (error) {
      showNotSaved(error);
    }
  }
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(save)(event)}>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
        {LIMIT_NAMES.map((name) => (
          <Field
            key={name}
            label={LIMIT_LABELS[name]}
            hint={HINTS[name](state)}
            error={formState.errors[name]?.message}
          >
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
      <Button type="submit" size="sm" className="mt-2" data-command={spendCommands.limits.id}>
        Save limits
      </Button>
    </form>
  );
}
