import type { MicroUsd } from "#lib/money.ts";
import type { Caller } from "./authenticate.ts";
import { sandboxFull } from "./capacity.ts";
import { SandboxError } from "./sandbox-error.ts";

/** One movement of money. Amounts are whole micro-USD and never negative; `kind` gives the direction. */
export interface LedgerEntry {
  kind: "charge" | "refund";
  organisation: string;
  user: string;
  requestId: string;
  amountMicroUsd: MicroUsd;
  /** The time of the sandbox, milliseconds. */
  atMs: number;
}

/** The money of every organisation: charges at submit, exact refunds (spec 3). */
export interface Ledger {
  balance(organisation: string): MicroUsd;
  /** Throws 402 when the balance does not cover it; then nothing is written. */
  charge(caller: Caller, requestId: string, amount: MicroUsd, atMs: number): void;
  /** Throws 403 when the ledger is full. */
  requireRoom(): void;
  /** Gives back exactly what this request was charged, once; a second call does nothing. */
  refund(requestId: string, atMs: number): void;
  entries(): readonly LedgerEntry[];
}

export function createLedger(openingBalance: MicroUsd, maxCharges = Number.POSITIVE_INFINITY): Ledger {
  const balances = new Map<string, MicroUsd>();
  const charges = new Map<string, LedgerEntry>();
  const refunded = new Set<string>();
  const entries: LedgerEntry[] = [];
  const balance = (organisation: string) => balances.get(organisation) ?? openingBalance;
  return {
    balance,
    charge(caller, requestId, amount, atMs) {
      const left = balance(caller.organisation) - amount;
      if (left < 0) throw new SandboxError(402, "Insufficient credits. Add credits to the organization to continue.");
      const entry: LedgerEntry = {
        kind: "charge",
        organisation: caller.organisation,
        user: caller.user,
        requestId,
        amountMicroUsd: amount,
        atMs,
      };
      balances.set(caller.organisation, left);
      charges.set(requestId, entry);
      entries.push(entry);
    },
    requireRoom() {
      if (charges.size >= maxCharges) throw sandboxFull(`${maxCharges.toLocaleString("en-US")} jobs and responses`);
    },
    refund(requestId, atMs) {
      const charge = charges.get(requestId);
      if (charge === undefined || refunded.has(requestId)) return;
      refunded.add(requestId);
      balances.set(charge.organisation, balance(charge.organisation) + charge.amountMicroUsd);
      entries.push({ ...charge, kind: "refund", atMs });
    },
    entries: () => entries,
  };
}
