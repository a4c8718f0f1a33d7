import type { MicroUsd } from "#lib/money.ts";
import type { Caller } from "#sandbox/authenticate.ts";
import type { SandboxContext } from "#sandbox/sandbox-context.ts";
import { SandboxError } from "#sandbox/sandbox-error.ts";
import type { InputUsage } from "./prompt-cache.ts";
import type { TextPrices } from "./text-models.ts";

/** What the tokens cost, in whole micro-USD, rounded up once. Cache reads are at a discount, writes at a surcharge. */
export function textPrice(prices: TextPrices, input: InputUsage, outputTokens: number): MicroUsd {
  const perMillion =
    input.plain * prices.input +
    input.cacheRead * prices.cacheRead +
    input.written5m * prices.cacheWrite +
    input.written1h * prices.cacheWrite * 1.6 +
    outputTokens * prices.output;
  // The small step keeps sums such as 0.1 + 0.2 from being rounded up to the next micro-USD.
  return Math.ceil(perMillion / 1_000_000 - 1e-9);
}

/** Throws 402 where the organisation cannot even pay for the prompt; nothing is written. */
export function checkBalance(context: SandboxContext, caller: Caller, prices: TextPrices, input: InputUsage): void {
  if (context.ledger.balance(caller.organisation) < textPrice(prices, input, 0)) {
    throw new SandboxError(402, "Insufficient credits. Add credits to the organization to go on.");
  }
}

/** Charges an answer to the organisation (spec 5.4) once it is over, at most what is left of the balance. */
export function chargeText(context: SandboxContext, caller: Caller, id: string, price: MicroUsd): void {
  const amount = Math.min(price, context.ledger.balance(caller.organisation));
  context.ledger.charge(caller, id, amount, context.clock.now());
}
