import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { ModelDetail } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { modelQueries } from "#models/model-queries.ts";
import { placeOf } from "#schema-form/read/place-store.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

/** A model that makes `kind` from a prompt alone, and the key of its prompt. */
export interface FitFor {
  kind: "image" | "video" | "audio";
  modelId: string;
  promptKey: string;
}

/** A catalogue may hold hundreds of models, and each is a request of its own. */
const MAX_ASKED = 24;
const AT_ONCE = 4;

/**
 * The first model of the service that makes `kind` and needs nothing but a prompt: `first` if it does, then those whose
 * details are known, then as many others as one asks about. Undefined where none is found; never rejects.
 */
export async function findModelFor({
  kind,
  client,
  api,
  first,
  isInactive,
}: {
  kind: FitFor["kind"];
  client: QueryClient;
  api: Api;
  first: string | undefined;
  isInactive: (id: string) => boolean;
}): Promise<FitFor | undefined> {
  const queries = modelQueries(api);
  const ids = await client.ensureQueryData(queries.ids()).catch(() => []);
  const known = (id: string) => client.getQueryData(queries.detail(id).queryKey) !== undefined;
  const hinted = (id: string) => id.toLowerCase().includes(kind);
  const rank = (id: string) => (id === first ? 0 : known(id) ? 1 : hinted(id) ? 2 : 3);
  const candidates = ids
    .filter((id) => !isInactive(id))
    .sort((a, b) => rank(a) - rank(b))
    .filter((id, index, all) => known(id) || index - all.filter(known).length < MAX_ASKED);
  for (let start = 0; start < candidates.length; start += AT_ONCE) {
    const some = candidates.slice(start, start + AT_ONCE);
    const details = await Promise.all(
      some.map((id) => client.ensureQueryData(queries.detail(id)).catch(() => undefined)),
    );
    const found = details.flatMap((detail) => (detail ? (fitOf(detail, kind) ?? []) : []))[0];
    if (found) return found;
  }
  return undefined;
}

function fitOf(detail: ModelDetail, kind: FitFor["kind"]): FitFor | undefined {
  if (detail.type !== kind) return undefined;
  const { fields } = readSchema(detail.raw, { place: placeOf(getConnection()?.queueBaseUrl) });
  const prompt = fields.find(({ role }) => role === "prompt");
  const needsMore = fields.some((field) => field !== prompt && field.required && field.defaultValue === undefined);
  return prompt && !needsMore ? { kind, modelId: detail.id, promptKey: prompt.key } : undefined;
}
