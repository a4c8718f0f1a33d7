import { useQuery } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { Kbd } from "#ui/kbd.tsx";
import { modelQueries } from "./model-queries.ts";
import { modelSummary } from "./model-summary.ts";
import { ModelTile } from "./model-tile.tsx";

/** The button at the top of Create: which model, its kind and price. A press opens the picker. */
export function ModelCard({ id, onClick }: { id: string | undefined; onClick: () => void }) {
  const queries = modelQueries(useApi());
  const detail = useQuery({ ...queries.detail(id ?? ""), enabled: id !== undefined });
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onClick}
      className="flex w-full items-center gap-3 rounded-md border border-line bg-raised px-3 py-2.5 text-left transition-colors duration-150 hover:bg-hover"
    >
      <ModelTile id={id ?? ""} type={detail.data?.type} />
      <span className="min-w-0 flex-1">
        <span className="sr-only">Model:</span>{" "}
        <span className="block truncate font-semibold text-[14px] leading-5">{id ?? "Choose a model"}</span>{" "}
        <span className="block min-h-[18px] truncate text-[12px] text-ink-2 leading-[18px] tabular-nums">
          {id !== undefined && detail.isPending ? (
            <span className="mt-1 block h-3 w-32 animate-pulse rounded-sm bg-hover" />
          ) : null}
          {detail.data && (modelSummary(detail.data) || "Price told by the estimate")}
          {detail.isError && "Details did not load"}
        </span>
      </span>
      <Kbd keys="mod+M" />
    </button>
  );
}
