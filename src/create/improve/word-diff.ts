interface DiffPart {
  kind: "same" | "gone" | "new";
  text: string;
}

/** A longer text is not compared word by word, because time and memory grow with the square of the words. */
const MAX_WORDS = 1500;

/** What changed, word by word. Joined, `same` and `gone` give the old text, `same` and `new` the new one. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const old = splitWords(before);
  const fresh = splitWords(after);
  if (old.length > MAX_WORDS || fresh.length > MAX_WORDS) {
    return joinParts([
      { kind: "gone", text: before },
      { kind: "new", text: after },
    ]);
  }
  const width = fresh.length + 1;
  // The longest common subsequence: longest[i][j] is how many words old.slice(i) and fresh.slice(j) share in order.
  const longest = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      longest[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: DiffPart[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    const gone = old[i];
    const added = fresh[j];
    if (gone !== undefined && gone === added) {
      parts.push({ kind: "same", text: gone });
      i++;
      j++;
    } else if (gone !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: "gone", text: gone });
      i++;
    } else {
      parts.push({ kind: "new", text: added ?? "" });
      j++;
    }
  }
  return joinParts(parts);
}

/** Words and the white space between them, each a piece of its own. */
function splitWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}'’]+|[^\s\p{L}\p{N}'’]+/gu) ?? [];
}

function joinParts(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  for (const { kind, text } of parts) {
    const last = joined.at(-1);
    if (text === "") continue;
    if (last?.kind === kind) joined[joined.length - 1] = { kind, text: last.text + text };
    else joined.push({ kind, text });
  }
  return joined;
}
