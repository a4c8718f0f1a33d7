import { clsx } from "clsx";
import { MediaThumb } from "#media/media-thumb.tsx";
import type { EarlierFile } from "./use-earlier-files.ts";

/** Files as pictures to press. Where several may be chosen each carries its place in the order. */
export function PickMediaGrid({
  files,
  chosen,
  isSeveral,
  onPress,
}: {
  files: readonly EarlierFile[];
  chosen: readonly string[];
  isSeveral: boolean;
  onPress: (url: string) => void;
}) {
  return (
    <ul className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(116px,1fr))] gap-2.5 p-0.5">
      {files.map(({ url, kind, name }) => {
        const place = chosen.indexOf(url) + 1;
        return (
          <li key={url} className="min-w-0">
            <button
              type="button"
              aria-label={place > 0 ? `${name}, number ${place}` : name}
              aria-pressed={isSeveral ? place > 0 : undefined}
              onClick={() => onPress(url)}
              className={clsx(
                "relative block aspect-square w-full cursor-pointer overflow-hidden rounded-md border bg-raised p-0",
                place > 0 ? "border-accent outline-2 outline-accent" : "border-line hover:border-line-strong",
              )}
            >
              <MediaThumb item={{ id: url, url, kind }} alt="" />
              {place > 0 && (
                <span
                  aria-hidden="true"
                  className="absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full bg-accent font-semibold text-[12.5px] text-accent-ink tabular-nums"
                >
                  {place}
                </span>
              )}
            </button>
            <p className="m-0 mt-1 truncate text-[12px] text-ink-3">{name}</p>
          </li>
        );
      })}
    </ul>
  );
}
