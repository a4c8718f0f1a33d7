import type { SeededRandom } from "../media/seeded-random.ts";

type Templates = readonly [string, ...string[]];

const OPENINGS: Templates = [
  "The short answer is that {a} depends on {b} more than people expect.",
  "It helps to look at {a} from two sides: what it is for, and what it costs.",
  "Most of what matters about {a} can be said in a few lines.",
  "A good way into {a} is to begin small and to keep what works.",
  "With {a}, the first decision shapes nearly every later one.",
  "People who deal with {a} every day tend to agree on a few plain rules.",
];

const BODIES: Templates = [
  "Begin with a small piece that can be finished today, and let the rest follow from it.",
  "In practice the slow part is rarely the one that people expect.",
  "A clear boundary saves more time than a clever shortcut.",
  "Measure once before you change anything, and once after; the difference is the only honest report.",
  "A quiet failure is worse than a loud one, so let problems show early.",
  "A rough version that can be looked at beats a perfect plan.",
  "If it feels hard, two tasks are usually tied together that would be easy apart.",
  "Light, distance and patience do more than any tool.",
  "Write down why a choice was made; in a month the reason is worth more than the result.",
  "Small differences add up, and after a while they are what people notice.",
  "One careful look at the start spares three corrections at the end.",
  "There is no harm in leaving things as they are until a second need appears.",
  "Compare two versions side by side rather than one after the other.",
  "When in doubt, prefer whatever is easier to undo.",
  "With **{a}** in particular, the details matter less than the order in which they come.",
  "Most questions about {a} turn out to be questions about time.",
  "It is worth seeing {a} at its worst once, and not only on a good day.",
  "The link between {a} and {b} is looser than it seems, which is good news.",
  "Where {a} and {b} pull in different directions, decide by who has to live with the result.",
  "Ask someone who deals with {a} every day; a short talk replaces a long search.",
];

const NARRATIONS: Templates = [
  "The door stood open, as it always did in winter, and the room behind it smelled of salt and oil.",
  "Nobody spoke for a while.",
  "Outside, the light went round, and the sea answered it with a thin line of white.",
  "There was a chair by the window, and on the chair a coat that belonged to someone else.",
  "It had rained all night, and the path was a row of small mirrors.",
  "“You are late,” said the voice from the stairs, not unkindly.",
  "The clock had stopped at ten past four, years ago, and was right more often than one would think.",
  "On the table lay a letter with a blue stamp, still closed.",
  "A gull walked along the wall like a man who has forgotten something.",
  "Far out a ship turned, slowly, as if it had been asked to wait.",
  "The kettle began to sing, and that settled the matter.",
  "In the morning the snow had no marks on it, except for one line of small steps.",
  "It was the kind of silence that comes before good news.",
  "Somebody laughed in the next room, and the whole house seemed to grow warmer by a degree.",
  "What was left of the day hung between the trees.",
  "The map had been drawn by hand, and where the land ended someone had written: ask again.",
];

const POINTS: Templates = [
  "**Start small.** One finished piece teaches more than a plan for all of them.",
  "**Keep it simple.** A plain version that works is easy to improve.",
  "**Look twice at {a}.** Once for what is there, once for what is missing.",
  "**Separate {a} from {b}.** They change for different reasons.",
  "**Leave room.** A plan that fills every hour breaks on the first surprise.",
  "**Ask early.** A question costs a minute today and a day next week.",
  "**Name things well.** Half the work is knowing what to call it.",
  "**Stop in time.** After a point, more only hides what is good.",
  "**Write it down.** Memory is kind; notes are honest.",
];

const HEADINGS: Templates = [
  "Where to begin",
  "What to watch",
  "A closer look",
  "In practice",
  "Common mistakes",
  "What it costs",
  "Looking ahead",
  "Two ways to see it",
  "A short history",
  "When it goes wrong",
];

const KINDS = { opening: OPENINGS, body: BODIES, point: POINTS, heading: HEADINGS, narration: NARRATIONS } as const;

/** Makes sentences about the given words, without using one template twice until all of its kind are used. */
export interface SentenceMaker {
  sentence(kind: keyof typeof KINDS): string;
  paragraph(sentences: number, kind?: "body" | "narration"): string;
}

export function createSentenceMaker(random: SeededRandom, words: readonly [string, ...string[]]): SentenceMaker {
  const unused: Record<keyof typeof KINDS, string[]> = {
    opening: [],
    body: [],
    point: [],
    heading: [],
    narration: [],
  };
  const draw = (kind: keyof typeof KINDS): string => {
    if (unused[kind].length === 0) unused[kind] = [...KINDS[kind]];
    const index = Math.floor(random.next() * unused[kind].length);
    return unused[kind].splice(index, 1)[0] ?? KINDS[kind][0];
  };
  const word = (): string => words[Math.floor(random.next() * words.length)] ?? words[0];
  const sentence = (kind: keyof typeof KINDS): string => {
    const a = word();
    const other = word();
    const b = other === a ? "everything around it" : other;
    return capital(draw(kind).replaceAll("{a}", a).replaceAll("{b}", b));
  };
  return {
    sentence,
    paragraph: (sentences, kind = "body") => Array.from({ length: sentences }, () => sentence(kind)).join(" "),
  };
}

/** Words that say nothing about the topic of a prompt. */
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
