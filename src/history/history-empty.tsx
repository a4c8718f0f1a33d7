import { Link } from "@tanstack/react-router";
import { Images, SearchX } from "lucide-react";
import { Button, buttonClass } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";

interface HistoryEmptyProps {
  isFiltered: boolean;
  /** How far the search came. */
  coverage: string;
  onClear: () => void;
}

/** Shows why a list is empty: nothing was ever made, or nothing matches. */
export function HistoryEmpty({ isFiltered, coverage, onClear }: HistoryEmptyProps) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No matching jobs" actions={<Button onClick={onClear}>Clear filters</Button>}>
        {coverage} Clear the filters to see the others.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Images}
      title="No jobs yet"
      actions={
        <Link to="/create" className={buttonClass({ variant: "primary" })}>
          Go to Create
        </Link>
      }
    >
      Run a model on Create, then find, compare and run its jobs again here. Every job of this key appears.
    </EmptyState>
  );
}

const SHAPES = [1.6, 1, 1.78, 0.8, 1.4, 1.78, 1, 1.33, 0.75, 1.6, 1.2, 1];
const TILES = SHAPES.map((aspect, place) => ({ aspect, id: `tile-${place}` }));

/** Quiet tiles or lines while the first page loads. */
export function HistorySkeleton({ density }: { density: "grid" | "table" }) {
  return (
    <div
      aria-busy="true"
      className="min-h-0 flex-1 overflow-hidden short:h-dvh short:flex-none px-[18px] pt-10 max-sm:px-3"
    >
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
