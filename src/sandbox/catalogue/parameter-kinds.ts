import { parseUrl } from "#lib/parse-url.ts";
import { isRecord } from "#lib/read.ts";
import type { Parameter, WireParameter } from "./model-definition.ts";

type Scalar = string | number;
type Wire<Omitted extends keyof WireParameter = never> = Omit<WireParameter, "type" | Omitted> & { type?: string };

/** Free text. */
export function text(wire: Wire & { maxLength?: number }): Parameter {
  const { maxLength = 10_000, ...rest } = wire;
  return {
    wire: { type: "string", ...rest },
    check(value) {
      if (typeof value !== "string") return "must be a string";
      if (wire.required === true && value.trim() === "") return "must not be empty";
      return [...value].length > maxLength ? `must be at most ${maxLength} characters` : undefined;
    },
  };
}

/** One of the options, of exactly the option's type: `"5"` is not `5`. */
export function choice(wire: Wire & { options: readonly Scalar[]; nullable?: boolean }): Parameter {
  const { nullable = false, ...rest } = wire;
  return {
    wire: { type: "enum", ...rest },
    check(value) {
      if (value === null && nullable) return undefined;
      if (wire.options.some((option) => option === value)) return undefined;
      return `must be one of ${wire.options.map((option) => JSON.stringify(option)).join(", ")}`;
    },
  };
}

/** A whole number within its range. */
export function integer(wire: Wire & { nullable?: boolean }): Parameter {
  const { nullable = false, ...rest } = wire;
  return {
    wire: { type: "integer", ...rest },
    check(value) {
      if (value === null && nullable) return undefined;
      return Number.isSafeInteger(value) ? rangeProblem(value as number, rest) : "must be an integer";
    },
  };
}

/** A number within its range; `takesText` also accepts it written as a string, as some real models do. */
export function float(wire: Wire & { takesText?: boolean }): Parameter {
  const { takesText = false, ...rest } = wire;
  return {
    wire: { type: "float", ...rest },
    check(value) {
      const number = takesText && typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isFinite(number)) return "must be a number";
      return rangeProblem(number, rest);
    },
  };
}

export function flag(wire: Wire): Parameter {
  return {
    wire: { type: "boolean", ...wire },
    check: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  };
}

/** Any publicly fetchable URL (spec 2), or a data URL. */
export function mediaAddress(wire: Wire & { type: string; nullable?: boolean }): Parameter {
  const { nullable = false, ...rest } = wire;
  return {
    wire: rest,
    check: (value) => (value === null && nullable ? undefined : addressProblem(value)),
  };
}

/** A list of URLs; `takesOne` also accepts a bare one. */
export function mediaAddresses(wire: Wire & { type: string; maxItems: number; takesOne?: boolean }): Parameter {
  const { maxItems, takesOne = false, ...rest } = wire;
  return {
    wire: rest,
    check(value) {
      if (takesOne && typeof value === "string") return addressProblem(value);
      if (!Array.isArray(value)) return takesOne ? "must be a URL or a list of URLs" : "must be a list of URLs";
      if (value.length > maxItems) return `must hold at most ${maxItems} URLs`;
      if (wire.required === true && value.length === 0) return "must hold at least 1 URL";
      return value.map(addressProblem).find((problem) => problem !== undefined);
    },
  };
}

/** A list of JSON objects, typed "JSON type" as real servers do; `items` says what they hold, where the listing does. */
export function jsonList(wire: Wire & { maxItems: number }): Parameter {
  const { maxItems, ...rest } = wire;
  return {
    wire: { type: "JSON type", ...rest },
    check(value) {
      if (!Array.isArray(value) || !value.every(isRecord)) return "must be a list of objects";
      return value.length > maxItems ? `must hold at most ${maxItems} objects` : undefined;
    },
  };
}

/** A seed. Without one, or with the value `random`, each run gives another result. */
export function seed(random: 0 | -1, wire: Partial<WireParameter> = {}): Parameter {
  return integer({
    name: "seed",
    display_name: "Seed",
    description: `The same seed gives the same result. Without a seed, or with ${random}, each run is different.`,
    required: false,
    min_value: random,
    max_value: 2_147_483_647,
    ...wire,
  });
}

function rangeProblem(value: number, wire: { min_value?: number; max_value?: number }): string | undefined {
  const { min_value: min, max_value: max } = wire;
  const tooSmall = min !== undefined && value < min;
  const tooLarge = max !== undefined && value > max;
  if (!tooSmall && !tooLarge) return undefined;
  if (min !== undefined && max !== undefined) return `must be between ${min} and ${max}`;
  return tooSmall ? `must be at least ${min}` : `must be at most ${max}`;
}

function addressProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a URL";
  if (/^data:[^,]*,/.test(value)) return undefined;
  const isHttp = /^https?:$/.test(parseUrl(value)?.protocol ?? "");
  return isHttp ? undefined : "must be an http or https URL";
}
