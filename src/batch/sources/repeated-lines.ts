/** Every line so many times: equal runs beside one another. */
export const repeated = (text: string, times: number): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => Array.from({ length: times }, () => line))
    .join("\n");

/** Of a text in which every line stands equally often, each once, and how often. */
export function unrepeated(text: string): { text: string; times: number } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const groups: { line: string; count: number }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.line === line) last.count += 1;
    else groups.push({ line, count: 1 });
  }
  const times = groups[0]?.count ?? 1;
  if (times === 1 || groups.some(({ count }) => count !== times)) return { text, times: 1 };
  return { text: groups.map(({ line }) => line).join("\n"), times };
}
