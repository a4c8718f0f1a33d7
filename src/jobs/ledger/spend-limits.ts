import { isRecord } from "#lib/json.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { RowKind } from "#storage/typed-rows.ts";

/** What a person set against spending too much. All in whole micro-USD; undefined means no limit. */
export interface SpendLimits {
  perRunMicroUsd: MicroUsd | undefined;
  perSessionMicroUsd: MicroUsd | undefined;
  perDayMicroUsd: MicroUsd | undefined;
  /** A run that costs more than this asks once more before it is sent. */
  confirmAboveMicroUsd: MicroUsd | undefined;
}

export const NO_LIMITS: SpendLimits = {
  perRunMicroUsd: undefined,
  perSessionMicroUsd: undefined,
  perDayMicroUsd: undefined,
  confirmAboveMicroUsd: undefined,
};

const amount = (value: unknown) => (isMicroUsd(value) ? value : undefined);

export const limitRows: RowKind<SpendLimits> = {
  store: "settings",
  version: 1,
  read: (raw) =>
    isRecord(raw)
      ? {
          perRunMicroUsd: amount(raw.perRunMicroUsd),
          perSessionMicroUsd: amount(raw.perSessionMicroUsd),
          perDayMicroUsd: amount(raw.perDayMicroUsd),
          confirmAboveMicroUsd: amount(raw.confirmAboveMicroUsd),
        }
      : undefined,
};

export const limitsKey = (accountId: string) => `limits|${accountId}`;
