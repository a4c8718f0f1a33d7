const COMMON = new Set(
  (
    "about above after again all also and any are because been before being below between both but can could did does " +
    "down during each few for from further give had has have having her here hers him his how into its itself just let " +
    "like list long make many may more most much must not now off once one only other our ours out over own please same " +
    "she should show some such tell than that the their them then there these they this those through too under until " +
    "very was way ways were what when where which while who whom why will with word words would write you your yours " +
    "table code story poem haiku explain describe compare create need want good short essay answer answers tokens token " +
    "plan python javascript typescript rust sql css bash shell function script program regex json summarize summary " +
    "first second three four five six seven eight nine ten"
  ).split(" "),
);

/** The words that carry a prompt, in their order, without repeats; never empty. */
export function topicWords(prompt: string): [string, ...string[]] {
  const words = prompt.toLowerCase().match(/\p{L}[\p{L}'-]{2,}/gu) ?? [];
  const carrying = [...new Set(words)].filter((word) => !COMMON.has(word) && !/(ed|ing|ly)$/.test(word)).slice(0, 12);
  const [first = "the question", ...rest] = carrying;
  return [first, ...rest];
}

/** A text with its first letter large. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A title for an answer: the prompt itself where it is short, its words otherwise. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n")[0] ?? "";
  const plain = line.replace(/[?.!:]+$/, "").replace(/^(please|can you|could you)\s+/i, "");
  if (plain.length > 0 && plain.length <= 64) return capital(plain);
  return capital(topicWords(prompt).slice(0, 3).join(", "));
}
