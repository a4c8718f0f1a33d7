import { MAY_HAVE_BEEN_CHARGED } from "#api/charge-words.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { spendCommands } from "./commands.ts";
import { chargedText, SUM_WORDS } from "./ledger-words.ts";
import type { SpendSums } from "./spend-view.ts";

/**
 * An amount to the micro-dollar. The digits below a cent are smaller and paler: "$15.70" and then "3668". Words such as
 * "Unknown", and a sign before the amount, stay as they are.
 */
export function Amount({ text }: { text: string }) {
  const [, dollarsAndCents = text, smallDigits = ""] = /^(.*\$[\d,]+\.\d\d)(\d*)$/.exec(text) ?? [];
  return (
    <span className="whitespace-nowrap tabular-nums">
      {dollarsAndCents}
      {smallDigits !== "" && <span className="font-normal text-[0.8em] text-ink-3">{smallDigits}</span>}
    </span>
  );
}

interface SpendFiguresProps {
  sums: SpendSums;
  /** The sums of today, under the same filters. */
  today: SpendSums;
  /** The limit per day; undefined without one, or where a filter leaves out a part of the spending. */
  perDayMicroUsd: MicroUsd | undefined;
  /** Lists the lines without a price. */
  onShowUnknown: () => void;
}

/** The sums of the range: what was charged, what came back, and what is not known. */
export function SpendFigures({ sums, today, perDayMicroUsd, onShowUnknown }: SpendFiguresProps) {
  const unknown = sums.unpriced + sums.pendingUnknown;
  const isEstimate = chargedText(sums).startsWith("≈");
  const limit = perDayMicroUsd === undefined ? "" : `, limit ${formatMicroUsd(perDayMicroUsd)}`;
  return (
    <dl className="m-0 narrow:grid-cols-1 grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4">
      <Figure name={SUM_WORDS.charged} amount={chargedText(sums)}>
        {`${chargedText(today)} today${limit}`}
        {sums.estimated > 0 && (
          <span className="block text-ink-3">
            {isEstimate ? "estimated" : `plus ≈ ${formatMicroUsd(sums.estimatedMicroUsd)} estimated`}
          </span>
        )}
      </Figure>
      <Figure name={SUM_WORDS.refunded} amount={formatMicroUsd(sums.refundedMicroUsd)}>
        {sums.refunds === 0 ? "No refunds" : `${counted(sums.refunds, "failed job")}, deducted from the total`}
      </Figure>
      <Figure
        name="Unconfirmed"
        amount={
          sums.pending > 0 && sums.pending === sums.pendingUnknown ? "Unknown" : formatMicroUsd(sums.pendingMicroUsd)
        }
      >
        {sums.pending === 0
          ? "No unconfirmed charges"
          : `${counted(sums.pending, "transaction")}, ${MAY_HAVE_BEEN_CHARGED}`}
      </Figure>
      <Figure name="Price unknown" amount={formatNumber(unknown)}>
        {unknown === 0 ? (
          "All prices known"
        ) : (
          <>
            {`${counted(unknown, "transaction")} not in the total`}{" "}
            <CommandButton
              size="sm"
              variant="ghost"
              className="-my-1"
              command={{ ...spendCommands.unknown, run: onShowUnknown }}
            >
              Show
            </CommandButton>
          </>
        )}
      </Figure>
    </dl>
  );
}

function Figure({ name, amount, children }: { name: string; amount: string; children: React.ReactNode }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd className="m-0 mt-0.5 font-semibold text-lg tabular-nums sm:text-xl leading-tight">
        <Amount text={amount} />
      </dd>
      {/* There is room for a second line, because the estimates come later and must not move what is below. */}
      <dd className="wrap-anywhere m-0 min-h-9.5 text-sm text-ink-2">{children}</dd>
    </div>
  );
}
