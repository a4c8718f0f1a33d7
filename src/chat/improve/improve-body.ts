import type { JsonRecord } from "#lib/json.ts";

export const USUAL_WISH = "Make it more specific and vivid. Keep what it says and its language.";

const LONGEST_ANSWER = 600;

/** The messages body (spec 4.2) that asks a text model for a better prompt, and for nothing else. */
export function improveBody(model: string, prompt: string, wish: string): JsonRecord {
  return {
    model,
    max_tokens: LONGEST_ANSWER,
    system: "You rewrite prompts for media generation. Answer with the rewritten prompt alone: no quotes, no comment.",
    messages: [{ role: "user", content: `${wish.trim() || USUAL_WISH}\n\nThe prompt:\n${prompt}` }],
  };
}
