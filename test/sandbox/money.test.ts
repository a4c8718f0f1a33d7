import { describe, expect, it } from "vitest";
import fc from "../setup/fc.ts";
import { openSandbox } from "./sandbox-client.ts";

const OPENING = 2_000_000;

const step = fc.oneof(
  fc.record({ pass: fc.integer({ min: 0, max: 400 }) }),
  fc.record({
    model: fc.constantFrom("lumen-2", "lumen-2-pro", "halide-video", "dead-pixel", "lumen-1", "none", "overture-music"),
    prompt: fc.constantFrom(
      "A fox",
      "fail:moderation",
      "fail:rate-limit",
      "reject:moderation",
      "cancel:operator",
      "stuck:hour",
      "error:503",
      "error:429x2",
      "lose:reply",
      "lose:request",
      "",
    ),
    n: fc.integer({ min: 0, max: 5 }),
    key: fc.constantFrom("sandbox-key", "sandbox-key-2", "sandbox-key-other-organisation", "revoked-key"),
  }),
);

// Spec 3 and 7 rule 4.
describe("money is exact to the micro-USD", () => {
  it("the change of every balance is charges minus refunds, whatever happens", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { sandbox, submit, pass } = openSandbox({ openingBalanceMicroUsd: OPENING });
        for (const each of steps) {
          if ("pass" in each) pass(each.pass);
          else
            await submit(
              each.model,
              each.n > 0 && each.model.startsWith("lumen-2")
                ? { prompt: each.prompt, n: each.n }
                : { prompt: each.prompt },
              { key: each.key },
            );
        }
        const now = sandbox.inspect();
        for (const [organisation, balance] of Object.entries(now.balances)) {
          const entries = now.ledger.filter((entry) => entry.organisation === organisation);
          const change = entries.reduce(
            (sum, { kind, amountMicroUsd }) => sum + (kind === "refund" ? amountMicroUsd : -amountMicroUsd),
            0,
          );
          expect(balance).toBe(OPENING + change);
          expect(balance).toBeGreaterThanOrEqual(0);
        }
        for (const job of now.jobs) {
          const refunds = now.ledger.filter((entry) => entry.kind === "refund" && entry.requestId === job.requestId);
          expect(refunds.map((entry) => entry.amountMicroUsd)).toEqual(
            job.status === "failed" ? [job.priceMicroUsd] : [],
          );
        }
        const refused = now.ledger.filter((entry) => !now.jobs.some((job) => job.requestId === entry.requestId));
        expect(refused.filter((entry) => entry.kind === "charge")).toHaveLength(
          refused.filter((entry) => entry.kind === "refund").length,
        );
      }),
      { numRuns: 150 },
    );
  });

  it("in the end the balance lacks exactly the cost of successes and cancellations", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("A fox", "fail:provider", "cancel:operator", "reject:moderation"), { maxLength: 9 }),
        async (prompts) => {
          const { sandbox, submit, pass } = openSandbox({ openingBalanceMicroUsd: OPENING });
          for (const prompt of prompts) await submit("halide-video", { prompt });
          pass(3600);
          const { balances, jobs } = sandbox.inspect();
          const kept = jobs.filter((job) => job.status !== "failed").reduce((sum, job) => sum + job.priceMicroUsd, 0);
          expect(balances["org-safelight"] ?? OPENING).toBe(OPENING - kept);
        },
      ),
      { numRuns: 60 },
    );
  });
});
