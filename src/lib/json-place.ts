/**
 * Where a text stops being JSON: line and character, both from 1. Undefined for valid JSON, and for a fault inside a
 * string, such as an unknown escape.
 */
export function jsonErrorPlace(text: string): { line: number; column: number } | undefined {
  const at = errorAt(text);
  if (at === undefined) return undefined;
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

const TOKEN =
  /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\\n]*(?:\\.[^"\\\n]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** What may come next. `after`: a comma, or the bracket that closes the list or object. */
type Wanted = "value" | "key" | "colon" | "after";

/** The position of the fault: reads token by token, and asks of each whether it may stand there. */
function errorAt(text: string): number | undefined {
  const stack: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  /** The list or object was just opened, so it may close at once. */
  let mayClose = false;
  let isOver = false;
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const [whole, sign, string, other] = TOKEN.exec(text) ?? [];
    // The fault is the first character after white space. A thousand characters of it are skipped, no more.
    const faultAt = from + (/^[ \t\n\r]*/.exec(text.slice(from, from + 1000))?.[0].length ?? 0);
    if (whole === undefined) return isOver && text.slice(from).trim() === "" ? undefined : faultAt;
    const start = TOKEN.lastIndex - (sign ?? string ?? other ?? "").length;
    const top = stack.at(-1);
    const closesTop = (sign === "}" && top === "{") || (sign === "]" && top === "[");
    if (isOver) return start;
    if (closesTop && (wanted === "after" || mayClose)) {
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
