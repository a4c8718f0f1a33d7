import { useQuery } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { readText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";

/** `/create` without a model: the one used last, else the first of the catalogue, else a way to choose. */
export function StartModel({ onPick }: { onPick: () => void }) {
  const ids = useQuery(modelQueries(useApi()).ids());
  if (ids.isPending) return <FormSkeleton card={<Skeleton className="h-[62px] shrink-0 rounded-md" />} />;
  if (ids.isError)
    return <ErrorNotice className="m-4" error={ids.error} operation="read" onRetry={() => void ids.refetch()} />;

  const last = readLastModel();
  const modelId = last !== undefined && ids.data.includes(last) ? last : ids.data[0];
  if (modelId !== undefined) return <OpenModel modelId={modelId} />;
  return (
    <EmptyState icon={Sparkles} title="No models" actions={<Button onClick={onPick}>Open the list</Button>}>
      The service lists no generation models for this key.
    </EmptyState>
  );
}

/** The address of Create without a model. */
const START_PATH = /^\/create\/?$/;

/**
 * Opens the form of a model in place of `/create`. A person who is on the way to another screen, which may still be
 * loading, is not called back; one who turns back before it came is here still, and gets the form then.
 */
function OpenModel({ modelId }: { modelId: string }) {
  const router = useRouter();
  const isHere = useLocation({ select: ({ pathname }) => START_PATH.test(pathname) });
  useEffect(() => {
    // The address may have changed since this was drawn.
    if (!isHere || !START_PATH.test(router.state.location.pathname)) return;
    void router.navigate({ to: "/create/$modelId", params: { modelId }, search: (old) => old, replace: true });
  }, [router, isHere, modelId]);
  return <FormSkeleton card={<Skeleton className="h-[62px] shrink-0 rounded-md" />} />;
}

/** Until a form is known: the places of its first fields and of Run. */
export function FormSkeleton({ card }: { card: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col" aria-busy="true">
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-hidden p-4">
        {card}
        <Skeleton className="h-28 shrink-0" />
        <Skeleton className="h-9 shrink-0" />
        <Skeleton className="h-9 shrink-0" />
      </div>
      <div className="flex flex-col gap-2.5 border-line border-t px-4 pt-3 pb-[76px]">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-10 rounded-[9px]" />
      </div>
    </div>
  );
}

/** The model the person used last on this device, so that Create opens where they left it. */
function readLastModel(): string | undefined {
  return readText(KEYS.lastModel) ?? undefined;
}
