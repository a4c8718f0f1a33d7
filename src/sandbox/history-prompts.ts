const SUBJECTS = [
  "A lighthouse",
  "An old tram",
  "Two herons",
  "A glass greenhouse",
  "A paper boat",
  "A night market",
  "A brass telescope",
  "A row of bicycles",
  "A sleeping fox",
  "A stone bridge",
  "A kite over dunes",
  "A small bakery",
] as const;

const SETTINGS = [
  "in morning fog",
  "after the rain",
  "under a red sky",
  "in falling snow",
  "by the harbour",
  "seen from above",
  "in a birch wood",
  "at the blue hour",
] as const;

const STYLES = [
  "35 mm film, soft grain",
  "ink and watercolour",
  "long exposure",
  "studio light, plain ground",
  "wide angle, low sun",
  "macro, shallow focus",
] as const;

/** A prompt for a job of the seeded history: the same for the same number. */
export function historyPrompt(number: number): string {
  const subject = SUBJECTS[number % SUBJECTS.length];
  const setting = SETTINGS[Math.floor(number / 16) % SETTINGS.length];
  const style = STYLES[Math.floor(number / 256) % STYLES.length];
  return `${subject} ${setting}, ${style}`;
}
