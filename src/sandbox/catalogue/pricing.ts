import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { Pricing } from "./model-definition.ts";

type Table = Readonly<Record<string, MicroUsd>>;

/** Price per image, times `n` where the model has it. */
export function perImage(price: MicroUsd): Pricing {
  return {
    price,
    unit: "image",
    details: `${formatMicroUsd(price)} per image`,
    of: (payload) => price * count(payload),
  };
}

/** Price per image by the option of one parameter, such as the resolution, times `n`. */
export function perImageBy(parameter: string, table: Table): Pricing {
  return {
    price: lowest(table),
    unit: "image",
    details: `${describe(table)} per image`,
    of: (payload) => amountOf(table, payload[parameter]) * count(payload),
  };
}

/** Price per second of the clip. */
export function perSecond(price: MicroUsd, durationParameter: string): Pricing {
  return {
    price,
    unit: "second",
    details: `${formatMicroUsd(price)} per second`,
    of: (payload) => price * Number(payload[durationParameter]),
  };
}

/** Price per second by resolution, times the duration. */
export function perSecondBy(parameter: string, table: Table, durationParameter: string): Pricing {
  return {
    price: lowest(table),
    unit: "second",
    details: `${describe(table)} per second`,
    of: (payload) => amountOf(table, payload[parameter]) * Number(payload[durationParameter]),
  };
}

/** One price per clip, by the option of one parameter. */
export function perClipBy(parameter: string, table: Table): Pricing {
  return {
    price: lowest(table),
    unit: "clip",
    details: `${describe(table)} per video`,
    of: (payload) => amountOf(table, payload[parameter]),
  };
}

const UNIT_WORDS = { clip: "video", audio: "audio file", image: "image" } as const;

/** One flat price. */
export function flat(price: MicroUsd, unit: keyof typeof UNIT_WORDS): Pricing {
  return { price, unit, details: `${formatMicroUsd(price)} per ${UNIT_WORDS[unit]}`, of: () => price };
}

function count(payload: JsonRecord): number {
  return typeof payload.n === "number" ? payload.n : 1;
}

function amountOf(table: Table, option: unknown): MicroUsd {
  return table[String(option)] ?? lowest(table);
}

function lowest(table: Table): MicroUsd {
  return Math.min(...Object.values(table));
}

function describe(table: Table): string {
  return Object.entries(table)
    .map(([option, price]) => `${formatMicroUsd(price)} at ${option}`)
    .join(", ");
}
