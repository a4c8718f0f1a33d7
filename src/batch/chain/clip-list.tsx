import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { IconButton } from "#ui/button.tsx";
import type { ChainResult } from "./chain-results.ts";

interface ClipListProps {
  clips: readonly ChainResult[];
  /** While they are being joined. */
  isFixed: boolean;
  onChange: (keys: readonly string[]) => void;
}

type Direction = "up" | "down";

/** The clips in their order. Buttons move them, and so does Alt with an arrow key. */
export function ClipList({ clips, isFixed, onChange }: ClipListProps) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ key: string; direction: Direction }>(undefined);
  // A row that moves takes the focus along, at an end to the button that leads back.
  useEffect(() => {
    const { key, direction } = moved.current ?? {};
    moved.current = undefined;
    const row = [...(list.current?.children ?? [])].find((one) => (one as HTMLElement).dataset.key === key);
    if (key === undefined || !row) return;
    const free = [...row.querySelectorAll<HTMLElement>("[data-direction]:not([aria-disabled=true])")];
    (free.find(({ dataset }) => dataset.direction === direction) ?? free[0])?.focus();
  });
  const keys = clips.map(({ key }) => key);
  const move = (at: number, direction: Direction) => {
    const key = keys[at];
    const to = direction === "up" ? at - 1 : at + 1;
    if (isFixed || key === undefined || to < 0 || to >= keys.length) return;
    moved.current = { key, direction };
    onChange(keys.toSpliced(at, 1).toSpliced(to, 0, key));
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(at, event.key === "ArrowUp" ? "up" : "down");
  };
  return (
    <ol ref={list} aria-label="Clips" className="m-0 flex list-none flex-col p-0">
      {clips.map(({ key, name, file, prompt, createdAtSeconds }, at) => (
        <li
          key={key}
          data-key={key}
          onKeyDown={(event) => onKeyDown(event, at)}
          className="flex items-center gap-3 border-line border-b py-2 last:border-b-0"
        >
          <span className="w-5 shrink-0 text-end text-ink-3 tabular-nums">{at + 1}</span>
          <span className="h-10 w-16 shrink-0 overflow-hidden rounded-sm border border-line">
            <CachedThumb item={file} alt="" createdAtSeconds={createdAtSeconds} isSmall />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate">{name}</span>
            {prompt !== undefined && (
              <span className="block truncate text-[12.5px] text-ink-3">{visibleLine(prompt)}</span>
            )}
          </span>
          <span className="flex shrink-0">
            {(["up", "down"] as const).map((direction) => (
              <IconButton
                key={direction}
                label={`Move ${name} ${direction}`}
                size="sm"
                data-direction={direction}
                aria-disabled={isFixed || at === (direction === "up" ? 0 : clips.length - 1)}
                onClick={() => move(at, direction)}
              >
                {direction === "up" ? (
                  <ArrowUp aria-hidden="true" className="size-4" />
                ) : (
                  <ArrowDown aria-hidden="true" className="size-4" />
                )}
              </IconButton>
            ))}
            <IconButton
              label={`Leave out ${name}`}
              size="sm"
              aria-disabled={isFixed}
              onClick={() => onChange(keys.filter((one) => one !== key))}
            >
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </span>
        </li>
      ))}
    </ol>
  );
}
