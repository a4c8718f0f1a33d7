import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { useApi } from "#connection/connection-provider.tsx";
import { LateErrorNotice } from "#connection/late-error-notice.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { readLastModel } from "./last-model.ts";

/** `/create` without a model: the one used last, else the first of the catalogue, else a way to choose. */
export function StartModel({ onPick }: { onPick: () => void }) {
  const ids = useQuery(modelQueries(useApi()).ids());
  if (ids.isPending) return <Skeleton className="m-4 h-14" />;
  if (ids.isError)
    return <LateErrorNotice className="m-4" error={ids.error} doing="read" onRetry={() => void ids.refetch()} />;

  const last = readLastModel();
  const modelId = last !== undefined && ids.data.includes(last) ? last : ids.data[0];
  if (modelId !== undefined)
    return <Navigate to="/create/$modelId" params={{ modelId }} search={(old) => old} replace />;
  return (
    <EmptyState icon={Sparkles} title="No models" actions={<Button onClick={onPick}>Open the list</Button>}>
      The service lists no generation models for this key.
    </EmptyState>
  );
}
