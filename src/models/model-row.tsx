import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check, Star } from "lucide-react";
import { useApi } from "#connection/connection-provider.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { modelQueries } from "./model-queries.ts";
import { modelSummary } from "./model-summary.ts";
import { ModelTile } from "./model-tile.tsx";

export const ROW_HEIGHT = 60;

export interface ModelRowProps {
  id: string;
  /** Place in the list, from 0, and the list's length: not every row is rendered. */
  index: number;
  count: number;
  isSelected: boolean;
  isFavourite: boolean;
  isActive: boolean;
  onSelect: (id: string) => void;
  onToggleFavourite: (id: string) => void;
}

/** One model of the picker. It asks for its own detail, which is why only rows in view are rendered. */
export function ModelRow(props: ModelRowProps) {
  const { id, index, isSelected, isFavourite } = props;
  const detail = useQuery(modelQueries(useApi()).detail(id));
  return (
    <li
      aria-setsize={props.count}
      aria-posinset={index + 1}
      style={{ top: index * ROW_HEIGHT, height: ROW_HEIGHT }}
      className="group absolute inset-x-0 flex items-center"
    >
      <button
        type="button"
        data-row={index}
        tabIndex={props.isActive ? 0 : -1}
        aria-current={isSelected || undefined}
        onClick={() => props.onSelect(id)}
        className={clsx(
          "flex h-full min-w-0 flex-1 items-center gap-3 rounded-md py-1 pr-11 pl-2.5 text-left hover:bg-hover",
          isSelected && "bg-accent-soft",
        )}
      >
        <ModelTile id={id} type={detail.data?.type} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5">
            <span className="truncate font-medium text-[13.5px] leading-5">{id}</span>
            {isSelected && <Check size={14} aria-hidden="true" className="shrink-0 text-accent-text" />}
          </span>{" "}
          <span className="flex gap-2 text-[12px] text-ink-3 leading-[18px]">
            {detail.isPending && <span className="mt-1 h-3 w-40 animate-pulse rounded-sm bg-hover" />}
            {detail.isError && <span>Details did not load</span>}
            {detail.data && (
              <>
                <span className="max-w-full shrink-0 truncate text-ink-2 tabular-nums">
                  {modelSummary(detail.data)}
                </span>{" "}
                <span className="truncate">{detail.data.description}</span>
              </>
            )}
          </span>
        </span>
      </button>
      <IconButton
        label={isFavourite ? `Remove ${id} from favourites` : `Add ${id} to favourites`}
        size="md"
        aria-pressed={isFavourite}
        onClick={() => props.onToggleFavourite(id)}
        className={clsx(
          "absolute right-1.5",
          !isFavourite && "opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100",
          "pointer-coarse:opacity-100",
        )}
      >
        <Star size={16} aria-hidden="true" className={clsx(isFavourite && "fill-current text-ink")} />
      </IconButton>
    </li>
  );
}
