import { ZoomPane } from "#media/show/zoom-pane.tsx";
import { letterOf } from "./compare-rows.ts";
import { shownSizes, sideLayout } from "./compare-scale.ts";
import { CompareTag } from "./compare-tag.tsx";
import { ComparedFile } from "./compared-file.tsx";
import { percentOf, type StageProps, tagOf } from "./tag-facts.ts";

/** All files beside each other, each under its name, with one zoom. */
export function SideStage(stage: StageProps) {
  const { entries, sides, known, room, scale, zoom, onZoom, largest, player } = stage;
  const { columns, rows, cell, caption } = sideLayout(sides, room, scale, stage.hasPrompts);
  const sizes = shownSizes(sides, cell, scale);
  return (
    <ul
      aria-label="Results"
      className="m-0 grid h-full list-none gap-px bg-line p-0"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
      }}
    >
      {entries.map((entry, place) => (
        <li key={entry.requestId} className="flex min-h-0 min-w-0 flex-col bg-canvas">
          <CompareTag
            {...tagOf(stage, entry, percentOf(known[place], sizes[place], zoom))}
            letter={letterOf(place)}
            isOver={false}
            className="shrink-0 px-2"
            height={caption}
          />
          <ZoomPane zoom={zoom} onZoom={onZoom} largest={largest} className="min-h-0 flex-1">
            <ComparedFile entry={entry} size={sizes[place] ?? cell} player={player} />
          </ZoomPane>
        </li>
      ))}
    </ul>
  );
}
