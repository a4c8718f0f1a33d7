/** JSON text as a value, or why it is none, in the parser's words without its line noise. */
export function parseJson(
  text: string,
): { value: unknown; problem?: undefined } | { value?: undefined; problem: string } {
  const inexact = inexactNumber(text);
  if (inexact !== undefined) return { problem: `The number ${inexact} cannot be kept exactly` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : "not readable";
    const short = message.replace(/^JSON\.parse: /, "").replace(/,? (in|of) JSON/, "");
    return { problem: short.replace(/"[^"]{40,}"/, "the text").slice(0, 120) };
  }
}

/** The first number of a JSON text that would change when it is read: beyond 2^53, or beyond all numbers. */
function inexactNumber(text: string): string | undefined {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = bare.match(/-?\d[\d.]*(?:[eE][+-]?\d+)?/g) ?? [];
  return numbers.find((number) => {
    const value = Number(number);
    return /^-?\d+$/.test(number) ? !Number.isSafeInteger(value) && String(value) !== number : !Number.isFinite(value);
  });
}
