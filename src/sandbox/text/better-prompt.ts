import type { SeededRandom } from "#sandbox/media/seeded-random.ts";

const QUALITIES = ["weathered", "solitary", "small wooden", "silent", "slender"] as const;
const LIGHTS = [
  "lit from one side by a low amber lamp",
  "in the blue hour, the last light on the edges",
  "under thin clouds, soft light without hard shadows",
] as const;
const FINISHES = [
  "fine mist in the distance, 35 mm lens, shallow focus, film grain",
  "wide view from low above the ground, calm colours, much empty space",
  "close view, wet surfaces that reflect, muted colours with one warm accent",
] as const;

/** The prompt that a request to rewrite one gives: all that follows a line "The prompt:". */
export function promptToImprove(asked: string): string | undefined {
  return /^the prompt:[ \t]*\n([\s\S]+)$/im.exec(asked)?.[1]?.trim() || undefined;
}

/** The same prompt, more specific: a quality for its first thing, a light and a finish. */
export function betterPrompt(random: SeededRandom, prompt: string): string {
  const specific = prompt.replace(/^(an?|the)\s+(?=\p{L})/iu, (_, article: string) => {
    const quality = random.pick(QUALITIES);
    return `${/^a/i.test(article) ? article.charAt(0) : article} ${quality} `;
  });
  return `${specific.replace(/[\s.,]+$/, "")}, ${random.pick(LIGHTS)}, ${random.pick(FINISHES)}.`;
}
