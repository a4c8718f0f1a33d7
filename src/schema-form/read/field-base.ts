import { ownArray, ownString, ownValue } from "#lib/read.ts";
import type { Part } from "./build-context.ts";
import type { Role } from "./field.ts";
import { guessRole } from "./guess-role.ts";
import { humaniseName } from "./humanise-name.ts";

const UNITS: readonly [RegExp, string][] = [
  [/(^|_)(ms|milliseconds)$/i, "ms"],
  [/(^|_)(seconds|secs|sec|duration)$|duration_?s(econds)?$|durationSeconds$/i, "s"],
  [/(^|_)fps$|frames_per_second$/i, "fps"],
];

function unitOf(part: Part): string | undefined {
  const declared = ownString(part.schema, "x-unit", "unit", "units");
  if (declared) return declared;
  // How every name of a unit ends.
  if (!/[scnd]$/i.test(part.place.key)) return undefined;
  return UNITS.find(([name]) => name.test(part.place.key))?.[1];
}

/** The display name. A title that only repeats the key is put into words too. */
function labelOf(schema: Part["schema"], key: string): string {
  const title = ownString(schema, "title", "display_name", "label")?.trim();
  return title === undefined || title === key ? humaniseName(key) : title;
}

/** What every kind of field has in common. `kind` and `options` help to guess the role. */
export function fieldBase(part: Part, kind: string, options: readonly string[] = []) {
  const { schema, place, context } = part;
  const set = place.depth === 0 ? context.roles.get(place.key) : undefined;
  const guessed = place.key ? guessRole(place.key, kind, options) : undefined;
  const role: Role | undefined = set === "none" ? undefined : (set ?? guessed);
  const examples = ownArray(schema, "examples") ?? (ownValue(schema, "example") === undefined ? [] : [schema.example]);
  return {
    key: place.key,
    label: labelOf(schema, place.key),
    help: ownString(schema, "description", "help")?.trim(),
    required: place.required,
    nullable: part.nullable,
    defaultValue: ownValue(schema, "default"),
    examples,
    role,
    advanced: false,
    unit: unitOf(part),
  };
}
