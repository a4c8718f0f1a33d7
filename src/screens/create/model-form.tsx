import { useQuery } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { LateErrorNotice } from "#connection/late-error-notice.tsx";
import { ModelCard } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { useFormSchema } from "#schema-form/form/use-form-schema.ts";
import { useRoleCorrections } from "#schema-form/read/role-corrections-store.ts";
import { Button } from "#ui/button.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { type FormLinks, PayloadForm } from "./payload-form.tsx";
import { useStartingPayload } from "./use-starting-payload.ts";

/** The card of the model and, once its parameters and the draft are read, its form. */
export function ModelForm({
  modelId,
  links,
  onPick,
  onJob,
}: {
  modelId: string;
  links: FormLinks;
  onPick: () => void;
  onJob: (requestId: string) => void;
}) {
  const detail = useQuery(modelQueries(useApi()).detail(modelId));
  const { schema, failed, retry } = useFormSchema(detail.data, useRoleCorrections(modelId));
  const starting = useStartingPayload(modelId);
  const card = <ModelCard id={modelId} onClick={onPick} />;

  if (detail.isError) {
    return (
      <div className="flex flex-col gap-4 p-4">
        {card}
        <LateErrorNotice error={detail.error} doing="read" onRetry={() => void detail.refetch()} />
        <Button onClick={onPick}>Choose another model</Button>
      </div>
    );
  }
  if (failed) {
    return (
      <div className="flex flex-col gap-4 p-4">
        {card}
        <p role="alert">A part of the form did not arrive. The connection may be down.</p>
        <Button onClick={retry}>Try again</Button>
      </div>
    );
  }
  if (schema === undefined || starting === undefined) {
    return (
      <div className="flex flex-col gap-5 p-4" aria-busy="true">
        {card}
        <Skeleton className="h-28" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </div>
    );
  }
  return <PayloadForm modelId={modelId} schema={schema} starting={starting} card={card} links={links} onJob={onJob} />;
}
