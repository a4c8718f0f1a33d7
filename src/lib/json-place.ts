/**
 * Where a JSON text stops being one: its line and its character, from 1. Undefined for a text that is JSON, and
 * where the fault is within a word.
 */
export function jsonErrorPlace(text: string): { line: number; column: number } | undefined {
  const at = errorAt(text);
  if (at === undefined) return undefined;
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

const TOKEN =
  /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\\n]*(?:\\.[^"\\\n]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** What may come next. */
type Wanted = "value" | "key" | "colon" | "after";

function errorAt(text: string): number | undefined {
  const stack: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  /** A closing bracket may come in place of what is wanted: nothing stands in it yet. */
  let mayClose = false;
  let isOver = false;
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const [whole, sign, string, other] = TOKEN.exec(text) ?? [];
    const rest = from + (/^[ \t\n\r]*/.exec(text.slice(from, from + 1000))?.[0].length ?? 0);
    if (whole === undefined) return isOver && text.slice(from).trim() === "" ? undefined : rest;
    const start = TOKEN.lastIndex - (sign ?? string ?? other ?? "").length;
    const top = stack.at(-1);
    const closes = (sign === "}" && top === "{") || (sign === "]" && top === "[");
    if (isOver) return start;
    if (closes && (wanted === "after" || mayClose)) {
      stack.pop();
      wanted = "after";
    } else if (wanted === "after" && sign === ",") wanted = top === "{" ? "key" : "value";
    else if (wanted === "key" && string !== undefined) wanted = "colon";
    else if (wanted === "colon" && sign === ":") wanted = "value";
    else if (wanted === "value" && (sign === "{" || sign === "[")) {
      stack.push(sign);
      wanted = sign === "{" ? "key" : "value";
      mayClose = true;
      continue;
    } else if (wanted === "value" && (string !== undefined || other !== undefined)) wanted = "after";
    else return start;
    mayClose = false;
    isOver = stack.length === 0;
  }
}
