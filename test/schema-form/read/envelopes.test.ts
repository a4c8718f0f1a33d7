import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { cases } from "../../setup/cases.ts";
import { makeAnswer, ownSources, sampleSources } from "./answer-envelopes.ts";

/** Real listings, stored outside the project. */
const SAMPLES = new URL("../../../../shared/samples", import.meta.url).pathname;

interface Count {
  right: number;
  unsure: number;
  missed: string[];
  /** Another listing was taken, and nothing said so. */
  silent: string[];
}

function readAll(sources: ReturnType<typeof ownSources>, runs: number): Count {
  const count: Count = { right: 0, unsure: 0, missed: [], silent: [] };
  for (let seed = 1; seed <= runs; seed++) {
    const { answer, names, how } = makeAnswer(sources, seed);
    const form = readSchema(answer);
    const keys = form.fields.map(({ key }) => key);
    const isRight = keys.length === new Set(names).size && names.every((name) => keys.includes(name));
    if (isRight) count.right += 1;
    if (form.isUnsure) count.unsure += 1;
    if (!isRight) count.missed.push(`${seed}: ${how} → ${form.reading} ${JSON.stringify(form.place?.path)} ${keys}`);
    if (!isRight && form.fields.length > 0 && !form.isUnsure) count.silent.push(`${seed}: ${how} → ${keys}`);
  }
  return count;
}

describe("a listing anywhere in an answer", () => {
  it("is found in 99 of 100 envelopes, and no other one in silence", () => {
    const runs = cases(300, 15_000);
    const { right, silent, missed, unsure } = readAll(ownSources(), runs);
    console.info(`${right} of ${runs} right, ${unsure} in doubt`, missed.slice(0, 20).join("\n"));
    expect(silent).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(runs * 0.99);
  });

  it.runIf(existsSync(SAMPLES))("is found so around the real listings, too", () => {
    const runs = cases(200, 10_000);
    const { right, silent, missed, unsure } = readAll(sampleSources(SAMPLES), runs);
    console.info(`${right} of ${runs} right, ${unsure} in doubt`, missed.slice(0, 20).join("\n"));
    expect(silent).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(runs * 0.99);
  });

  it.runIf(!existsSync(SAMPLES))("is not sought around the samples: they are not on this machine", () => {
    expect(existsSync(SAMPLES)).toBe(false);
  });
});
