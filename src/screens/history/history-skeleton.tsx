import { Skeleton } from "#ui/skeleton.tsx";

const SHAPES = [1.6, 1, 1.78, 0.8, 1.4, 1.78, 1, 1.33, 0.75, 1.6, 1.2, 1];
const TILES = SHAPES.map((aspect, place) => ({ aspect, id: `tile-${place}` }));

/** Quiet tiles or lines while the first page loads. */
export function HistorySkeleton({ density }: { density: "grid" | "table" }) {
  return (
    <div aria-busy="true" className="min-h-0 flex-1 overflow-hidden px-[18px] pt-10 max-sm:px-3">
      <span className="sr-only">Loading jobs</span>
      {density === "grid" ? (
        <div className="flex flex-wrap gap-x-3.5 gap-y-11">
          {TILES.map(({ aspect, id }) => (
            <Skeleton
              key={id}
              className="h-[150px] max-w-full grow rounded-md sm:h-[210px]"
              style={{ flexBasis: aspect * 190 }}
            />
          ))}
        </div>
      ) : (
        <div className="grid gap-3">
          {TILES.map(({ aspect, id }) => (
            <Skeleton key={id} className="h-8" style={{ width: `${60 + aspect * 20}%` }} />
          ))}
        </div>
      )}
    </div>
  );
}
