interface SplitText {
  /** What is its own. Never empty where the text is not. */
  title: string;
  /** What all have in common, before and after it. */
  detail: string;
}

/** Shorter texts can be compared at a glance. */
const SPLIT_FROM = 16;

/** Signs at the edge of a piece that belong to the sentence and not to the piece. */
const trimmed = (text: string) => text.replace(/^[\s,;:.–—-]+|[\s,;:–—-]+$/gu, "");

/**
 * Texts, each as what is its own and what all have in common at the beginning and at the end, by whole words: of "Lighthouse
 * at dusk" and "Harbour at dusk" the first are "Lighthouse" and "Harbour". Texts without anything in common are only titles.
 */
export function splitTexts(texts: readonly string[]): SplitText[] {
  const words = texts.map((text) => text.trim().split(/\s+/u));
  const shortest = Math.min(...words.map(({ length }) => length));
  const whole = texts.map((title) => ({ title, detail: "" }));
  if (texts.length < 2 || texts.every(({ length }) => length < SPLIT_FROM)) return whole;
  const [first = []] = words;
  const agrees = (at: number, from: "start" | "end") =>
    words.every((own) => own.at(from === "start" ? at : -1 - at) === first.at(from === "start" ? at : -1 - at));
  let before = 0;
  // Each keeps a word of its own.
  while (before < shortest - 1 && agrees(before, "start")) before += 1;
  let after = 0;
  while (after < shortest - 1 - before && agrees(after, "end")) after += 1;
  if (before + after === 0) return whole;
  return words.map((own) => {
    const title = own.slice(before, own.length - after).join(" ");
    const head = own.slice(0, before).join(" ");
    const tail = trimmed(own.slice(own.length - after).join(" "));
    const detail = [head, tail].filter(Boolean).join(" … ");
    return { title: trimmed(title) || title, detail: after === 0 ? head : before === 0 ? tail : detail };
  });
}
