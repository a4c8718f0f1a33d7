import type { ModelDetail } from "#api/types.ts";

/** One line about a model: "Image · $0.035 per image". Empty where the service says neither. */
export function modelSummary(detail: ModelDetail): string {
  return [detail.type && capitalized(detail.type), detail.priceText].filter(Boolean).join(" · ");
}

/** A type as a word for the screen: `image` is "Image". */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
