/** The pace is measured over this time, so that one slow or fast moment does not move the time that is left. */
const WINDOW_MS = 12_000;
/** The time and the notes before the first estimate: the first bytes only go into buffers. */
const MIN_MS = 2_000;
const MIN_NOTES = 3;
/** How much of a new estimate counts, for each second since the last one. */
const WEIGHT_PER_SECOND = 0.25;

interface Note {
  atMs: number;
  sent: number;
}

/**
 * Measures how fast one file is being sent. The time left counts down by itself between two notes and approaches
 * new measurements slowly, so that it does not jump. A new try, which begins at fewer bytes, is measured anew.
 */
export function createUploadPace() {
  let notes: Note[] = [];
  let endMs: number | undefined;
  let estimatedAtMs = 0;
  return {
    /** The bytes that were sent by then. */
    note(sent: number, nowMs: number): void {
      const last = notes.at(-1);
      if (last && (sent < last.sent || nowMs < last.atMs)) {
        notes = [];
        endMs = undefined;
      }
      notes.push({ atMs: nowMs, sent });
      // One note older than the window stays, so that a transfer that stands still counts as slow, not as unknown.
      while (notes.length > 2 && (notes[1]?.atMs ?? nowMs) < nowMs - WINDOW_MS) notes.shift();
    },
    /** Whole seconds until all is sent, at least 1; undefined while nothing can be said. */
    secondsLeft(total: number, nowMs: number): number | undefined {
      const [first, last] = [notes[0], notes.at(-1)];
      if (!first || !last || notes.length < MIN_NOTES || nowMs - first.atMs < MIN_MS) return undefined;
      const perMs = (last.sent - first.sent) / (nowMs - first.atMs);
      if (!(perMs > 0)) return undefined;
      const measuredMs = nowMs + Math.max(0, total - last.sent) / perMs;
      const weight = Math.min(1, (WEIGHT_PER_SECOND * Math.max(0, nowMs - estimatedAtMs)) / 1000);
      endMs = endMs === undefined ? measuredMs : endMs + (measuredMs - endMs) * weight;
      estimatedAtMs = nowMs;
      return Math.max(1, Math.ceil((endMs - nowMs) / 1000));
    },
  };
}

/** "14 s left", "2 min left". Above twenty seconds in steps of five, so that it is steady. */
export function timeLeftText(seconds: number): string {
  if (seconds >= 90) return `${Math.round(seconds / 60)} min left`;
  return `${seconds > 20 ? Math.ceil(seconds / 5) * 5 : seconds} s left`;
}
