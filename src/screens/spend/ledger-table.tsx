import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { LedgerKind, LedgerLine } from "#jobs/ledger/ledger.ts";
import { EVIDENCE_WORDS, KIND_WORDS } from "#jobs/ledger/ledger-words.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { Time } from "#ui/time.tsx";

const PAGE = 50;

const TONES: Record<LedgerKind, StatusTone> = {
  charged: "success",
  refunded: "cancelled",
  "not-charged": "cancelled",
  unconfirmed: "unconfirmed",
  absent: "cancelled",
  "possible-duplicate": "unconfirmed",
};

/** The amount as it moved: a refund comes back, an open one may have gone. */
function amountText({ kind, amountMicroUsd }: LedgerLine): string {
  if (amountMicroUsd === undefined) return "—";
  if (kind === "refunded") return `−${formatMicroUsd(amountMicroUsd)}`;
  if (kind === "unconfirmed") return `up to ${formatMicroUsd(amountMicroUsd)}`;
  return formatMicroUsd(amountMicroUsd);
}

/** Every event of the ledger, newest first, each with how it is known. */
export function LedgerTable({ lines }: { lines: readonly LedgerLine[] }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <section>
      <h2 className="m-0 mb-2 font-semibold text-[13.5px]">Ledger</h2>
      <ol className="m-0 list-none overflow-hidden rounded-md border border-line p-0">
        {lines.slice(0, shown).map((line) => (
          <li
            key={line.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 border-line border-t px-3 py-2 first:border-t-0 md:grid-cols-[8.5rem_9.5rem_minmax(0,1fr)_auto]"
          >
            <span className="flex items-center gap-2 font-medium">
              <StatusDot tone={TONES[line.kind]} />
              {KIND_WORDS[line.kind]}
            </span>
            <span className="text-[12.5px] text-ink-3 tabular-nums max-md:order-3">
              <Time seconds={line.atMs / 1000} />
            </span>
            <span className="min-w-0 text-ink-2 max-md:order-4 max-md:col-span-2">
              {line.requestId === undefined ? (
                line.model
              ) : (
                <Link
                  to="/jobs/$requestId"
                  params={{ requestId: line.requestId }}
                  className="text-ink underline decoration-line-strong underline-offset-2 hover:decoration-ink"
                >
                  {line.model ?? line.requestId}
                </Link>
              )}
              <span className="text-[12.5px] text-ink-3">: {EVIDENCE_WORDS[line.evidence]}</span>
            </span>
            <span className="text-right tabular-nums max-md:order-2">{amountText(line)}</span>
          </li>
        ))}
      </ol>
      {lines.length > shown && (
        <CommandButton
          size="sm"
          className="mt-3"
          command={{
            id: "spend.more",
            label: `Show ${Math.min(PAGE, lines.length - shown)} more`,
            group: "Spend",
            run: () => setShown(shown + PAGE),
          }}
        />
      )}
    </section>
  );
}
