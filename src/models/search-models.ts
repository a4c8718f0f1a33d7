import type { ModelDetail } from "#api/types.ts";

export interface ModelEntry {
  id: string;
  /** Undefined until the detail was seen. */
  detail: ModelDetail | undefined;
}

interface ModelSearch {
  text: string;
  /** `image`, `video`, `audio`, or undefined for all. */
  type: string | undefined;
  starred: readonly string[];
  onlyStarred: boolean;
}

/**
 * The models that match, best first: every word of the search is in the id, the name or the description. A model whose
 * type is not known yet matches every type. Starred models lead, then ids that start with the first word, then the
 * service's order.
 */
export function searchModels(entries: readonly ModelEntry[], search: ModelSearch): ModelEntry[] {
  const words = search.text.toLowerCase().split(/\s+/).filter(Boolean);
  const starred = new Set(search.starred);
  const matching = entries.filter(
    ({ id, detail }) =>
      (search.type === undefined || detail?.type === undefined || detail.type === search.type) &&
      (!search.onlyStarred || starred.has(id)) &&
      containsAll(`${id}\n${detail?.name ?? ""}\n${detail?.description ?? ""}`.toLowerCase(), words),
  );
  // Smaller is better: 4 for one without a star, 2 for an id that does not start with the search.
  const rank = ({ id }: ModelEntry) =>
    (starred.has(id) ? 0 : 4) + (words.length > 0 && !id.toLowerCase().startsWith(words[0] ?? "") ? 2 : 0);
  return matching.sort((a, b) => rank(a) - rank(b));
}

function containsAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
