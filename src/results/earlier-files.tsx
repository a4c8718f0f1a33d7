import { clsx } from "clsx";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import type { EarlierFile } from "./earlier-results.ts";

interface EarlierFilesProps {
  label: string;
  files: readonly EarlierFile[];
  /** Addresses of those that are chosen, in their order. */
  chosen?: readonly string[];
  /** Chosen files show their number. */
  takesSeveral?: boolean;
  /** The one that is being read. */
  readingUrl?: string | undefined;
  onPress: (file: EarlierFile) => void;
}

/** A grid of thumbnails to choose from. */
export function EarlierFiles(props: EarlierFilesProps) {
  const { label, files, chosen = [], takesSeveral = false, readingUrl, onPress } = props;
  return (
    <ul
      aria-label={label}
      aria-busy={readingUrl !== undefined}
      className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(116px,1fr))] gap-2.5 p-0.5"
    >
      {files.map((file) => {
        const { url, kind, name, isElsewhere } = file;
        const place = chosen.indexOf(url) + 1;
        return (
          <li key={url} className="min-w-0">
            <button
              type="button"
              aria-label={place > 0 ? `${name}, number ${place}` : name}
              aria-pressed={takesSeveral ? place > 0 : undefined}
              onClick={() => onPress(file)}
              className={clsx(
                "relative block aspect-square w-full cursor-pointer overflow-hidden rounded-md border bg-raised p-0",
                place > 0 ? "border-accent outline-2 outline-accent" : "border-line hover:border-line-strong",
              )}
            >
              <MediaThumb item={{ id: url, url, kind, ...(isElsewhere ? { isElsewhere } : {}) }} alt="" />
              {place > 0 && (
                <span
                  aria-hidden="true"
                  className="absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full bg-accent font-semibold text-[12.5px] text-accent-ink tabular-nums"
                >
                  {place}
                </span>
              )}
            </button>
            <p className="m-0 mt-1 truncate text-[12px] text-ink-3" title={name} dir="auto">
              {readingUrl === url ? "Loading" : name}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
