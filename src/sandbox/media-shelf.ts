import type { MadeMedia } from "./media/make-media.ts";
import { rest } from "./media/rest.ts";

/** Bytes of finished files that are kept ready: a player asks for one clip in many ranges. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Makes each file once while it is kept, and one file at a time: painting holds the thread, so other requests get
 * time between two files. The files that were asked for longest ago go first when space is short.
 */
export interface MediaShelf {
  take(key: string, make: () => Promise<MadeMedia>): Promise<MadeMedia>;
}

export function createMediaShelf(keptBytes = KEPT_BYTES): MediaShelf {
  const files = new Map<string, { made: Promise<MadeMedia>; bytes: number }>();
  let line: Promise<unknown> = Promise.resolve();

  const makeInTurn = (make: () => Promise<MadeMedia>): Promise<MadeMedia> => {
    const made = line.then(rest).then(make);
    line = made.catch(() => undefined);
    return made;
  };
  const makeRoom = () => {
    let sum = [...files.values()].reduce((total, file) => total + file.bytes, 0);
    for (const [key, file] of files) {
      if (sum <= keptBytes) return;
      if (file.bytes === 0) continue;
      files.delete(key);
      sum -= file.bytes;
    }
  };

  return {
    take(key, make) {
      const known = files.get(key);
      const file = known ?? { made: makeInTurn(make), bytes: 0 };
      files.delete(key);
      files.set(key, file);
      if (known === undefined) {
        file.made.then(
          ({ bytes }) => {
            file.bytes = bytes.length;
            makeRoom();
          },
          () => files.delete(key),
        );
      }
      return file.made;
    },
  };
}
