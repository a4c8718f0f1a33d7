import type { Column } from "#chat/conversation.ts";

/** What is set in a column, in one line: `max_tokens 1024, cache on`. */
export function paramsText({ params, cacheMode, endpoint, system }: Column): string {
  const set = Object.entries(params).flatMap(([name, value]) =>
    typeof value === "number" || typeof value === "string" ? [`${name} ${value}`] : [],
  );
  if (endpoint === "messages" && cacheMode !== "off") set.push(cacheMode === "auto" ? "cache on" : "cache pins");
  if (system !== "") set.push("system prompt");
  return set.join(", ");
}
