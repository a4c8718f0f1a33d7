import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useFavourites } from "#models/favourites-store.ts";
import { modelQueries } from "#models/model-queries.ts";
import type { Field } from "#schema-form/read/field.ts";
import { placeOf } from "#schema-form/read/place-store.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { Button } from "#ui/button.tsx";
import { runsInstructions, type TaughtModel, teachesRuns } from "./proposal-instructions.ts";

/** Models that are named: each costs tokens with every message. */
const MAX_MODELS = 40;
/** Of them, those whose parameters are described, too: each is a request. */
const MAX_KNOWN = 8;
const MAX_PARAMETERS = 10;
const MAX_OPTIONS = 8;

/**
 * Adds to a system prompt what a text model has to know to propose runs, with the ids of this service's generation models:
 * favourites first. Nothing where the instructions are there.
 */
export function InsertRunsInstructions({ system, onInsert }: { system: string; onInsert: (system: string) => void }) {
  const queries = modelQueries(useApi());
  const client = useQueryClient();
  const favourites = useFavourites();
  const [isLoading, setIsLoading] = useState(false);
  if (teachesRuns(system)) return null;

  const insert = async () => {
    setIsLoading(true);
    const listed = await client.ensureQueryData(queries.ids()).catch(() => []);
    const known = new Set(listed);
    const ids = [...favourites.filter((id) => known.has(id)), ...listed.filter((id) => !favourites.includes(id))]
      // One with letters that nobody sees would be another id when it is written down.
      .filter((id) => id.length <= 100 && visibleLine(id) === id)
      .slice(0, MAX_MODELS);
    const models = ids.map(async (id, at): Promise<TaughtModel> => {
      const detail =
        at < MAX_KNOWN ? await client.ensureQueryData(queries.detail(id)).catch(() => undefined) : undefined;
      return { id, parameters: detail ? parametersOf(detail.raw) : [] };
    });
    const text = runsInstructions(await Promise.all(models));
    onInsert(system.trim() === "" ? text : `${system.trimEnd()}\n\n${text}`);
  };
  return (
    <div data-field className="-ms-2 -mt-1 flex">
      <Button
        size="sm"
        variant="ghost"
        // With larger letters or wider spacing it takes a second line.
        className="whitespace-normal! text-start"
        busy={isLoading}
        onClick={() => void insert().finally(() => setIsLoading(false))}
      >
        Insert instructions for proposing runs
      </Button>
    </div>
  );
}

function parametersOf(answer: unknown): string[] {
  const { fields } = readSchema(answer, { place: placeOf(getConnection()?.queueBaseUrl) });
  const first = fields.filter(({ required }) => required);
  return [...first, ...fields.filter(({ required, advanced }) => !required && !advanced)]
    .slice(0, MAX_PARAMETERS)
    .map(inWords);
}

/** Such as "prompt (required)" and "size (512x512, 1024x1024)". */
function inWords(field: Field): string {
  const words = [...(field.required ? ["required"] : []), ...valuesOf(field)].join("; ");
  return words === "" ? visibleLine(field.key, 60) : `${visibleLine(field.key, 60)} (${words})`;
}

function valuesOf(field: Field): string[] {
  if (field.kind === "boolean") return ["true or false"];
  if (field.kind === "media") return [`address of ${field.media === "file" ? "a file" : `an ${field.media}`}`];
  if (field.kind === "number") {
    return field.min === undefined || field.max === undefined ? [] : [`${field.min} to ${field.max}`];
  }
  if (field.kind !== "choice") return [];
  const options = field.options.slice(0, MAX_OPTIONS).map(({ value }) => visibleLine(String(value), 40));
  return [`${options.join(", ")}${field.options.length > MAX_OPTIONS ? ", …" : ""}`];
}
