import { LEDGER_KINDS, type LedgerLine } from "#runs/ledger/ledger.ts";
import fc from "../../setup/fc.ts";

export const NOW = new Date(2026, 10, 23, 14, 30).getTime();

/** Hours around the nights in which clocks change, and any other moment of two years. */
const anyMoment = fc.oneof(
  fc.integer({ min: new Date(2024, 10, 1).getTime(), max: NOW }),
  fc.integer({ min: 0, max: 72 * 60 }).map((minutes) => new Date(2026, 9, 24, 0, minutes).getTime()),
  fc.integer({ min: 0, max: 72 * 60 }).map((minutes) => new Date(2026, 2, 28, 0, minutes).getTime()),
);

/** A ledger as it comes about: charges, refunds of some of them later on, answers, imports, open and refused ones. */
export const anyLedger: fc.Arbitrary<LedgerLine[]> = fc
  .array(
    fc.record({
      atMs: anyMoment,
      kind: fc.constantFrom(...LEDGER_KINDS.filter((kind) => kind !== "refunded")),
      amountMicroUsd: fc.option(fc.nat(10_000_000), { nil: undefined }),
      model: fc.option(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { nil: undefined }),
      project: fc.option(fc.constantFrom("p", "q"), { nil: undefined }),
      isEstimated: fc.boolean(),
      isAnswer: fc.boolean(),
      refundAfterMs: fc.option(fc.nat(40 * 24 * 3600_000), { nil: undefined }),
      tokens: fc.option(fc.record({ input: fc.nat(9999), output: fc.nat(9999) }), { nil: undefined }),
    }),
    { maxLength: 40 },
  )
  .map((items) =>
    items.flatMap(({ project, isEstimated, isAnswer, refundAfterMs, tokens, ...fields }, index): LedgerLine[] => {
      const isCharge = fields.kind === "charged" || fields.kind === "possible-duplicate";
      const line: LedgerLine = {
        ...fields,
        id: `${index}`,
        evidence: "answered",
        requestId: isCharge && !isAnswer ? `job-${index}` : undefined,
        intentId: undefined,
        ...(project ? { projectId: project } : {}),
        ...(isCharge && isEstimated && !isAnswer ? { isEstimated } : {}),
        ...(isAnswer ? { answerId: `answer-${index}` } : {}),
        ...(isAnswer && tokens ? { tokens } : {}),
      };
      const isRefunded =
        refundAfterMs !== undefined && line.requestId !== undefined && line.amountMicroUsd !== undefined;
      const { projectId: _, isEstimated: __, ...bare } = line;
      return isRefunded
        ? [line, { ...bare, id: `${index}r`, kind: "refunded", atMs: line.atMs + refundAfterMs }]
        : [line];
    }),
  );

export interface LedgerPart {
  fromMs: number;
  /** Undefined: all. The empty text: none. */
  model?: string | undefined;
  project?: string | undefined;
}

/** The sums of a part of a ledger by hand, over the raw lines: each refund with the charge of its job. */
export function sumByHand(lines: readonly LedgerLine[], part: LedgerPart) {
  const sums = { charged: 0n, refunded: 0n, estimated: 0n, pending: 0n, unknown: 0, exact: 0, estimates: 0 };
  for (const line of lines) {
    const { kind, requestId, amountMicroUsd } = line;
    const isRefund = kind === "refunded";
    const of = (isRefund && lines.find((one) => one.kind !== "refunded" && one.requestId === requestId)) || line;
    if (of.atMs < part.fromMs) continue;
    if (part.model !== undefined && (of.model ?? "") !== part.model) continue;
    if (part.project !== undefined && (of.projectId ?? "") !== part.project) continue;
    const isCharge = kind === "charged" || kind === "possible-duplicate";
    if (amountMicroUsd === undefined) {
      if (isCharge || kind === "unconfirmed") sums.unknown += 1;
      continue;
    }
    const amount = BigInt(amountMicroUsd);
    if (kind === "unconfirmed") sums.pending += amount;
    if (!isCharge && !isRefund) continue;
    if (of.isEstimated) {
      sums.estimated += isRefund ? -amount : amount;
      sums.estimates += 1;
      continue;
    }
    sums.exact += 1;
    sums.charged += isRefund ? -amount : amount;
    if (isRefund) sums.refunded += amount;
  }
  return sums;
}
