import { clsx } from "clsx";
import { useId } from "react";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import type { ChainResult } from "./chain-results.ts";

interface ResultPickerProps {
  results: readonly ChainResult[];
  /** Keys of those that are left out. */
  left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void;
}

/** The results that a step can start from, each to be taken or left. */
export function ResultPicker({ results, left, onChange }: ResultPickerProps) {
  const id = useId();
  const toggle = (key: string) => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <ul aria-label="Results" className="m-0 flex max-h-[200px] list-none flex-wrap gap-2 overflow-y-auto p-0.5">
      {results.map((result) => (
        <li key={result.key}>
          <label
            htmlFor={`${id}-${result.key}`}
            title={result.name}
            className={clsx(
              "relative block size-16 cursor-pointer overflow-hidden rounded-sm border pointer-coarse:size-20",
              "has-focus-visible:outline-2 has-focus-visible:outline-focus",
              left.has(result.key) ? "border-line opacity-50" : "border-accent",
            )}
          >
            <CachedThumb item={result.file} alt="" createdAtSeconds={result.createdAtSeconds} isSmall />
            <span className="absolute start-1 top-1 grid size-6 place-items-center rounded-sm bg-panel/80">
              <Checkbox
                id={`${id}-${result.key}`}
                aria-label={result.name}
                checked={!left.has(result.key)}
                onChange={() => toggle(result.key)}
              />
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}
