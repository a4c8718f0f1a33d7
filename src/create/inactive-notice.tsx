import { useQueries, useQuery } from "@tanstack/react-query";
import { useApi } from "#connection/client.ts";
import { formatDateTime } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useInactiveModels } from "#models/inactive-models.ts";
import { modelQueries } from "#models/model-queries.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";

const MAX_OFFERED = 3;
/** Each detail is a request of its own (spec 4.1), so only the nearest by name are looked at. */
const MAX_READ = 8;

/** Says that a model was inactive when it was last asked, and offers others of its kind. Nothing where it was not. */
export function InactiveNotice({ modelId, onSelect }: { modelId: string; onSelect: (id: string) => void }) {
  const since = useInactiveModels()[modelId]?.atMs;
  const others = useOthersOfItsKind(modelId, since !== undefined);
  if (since === undefined) return null;
  return (
    <Notice
      tone="info"
      title="Inactive on the last run"
      actions={others.map((id) => (
        <Button key={id} size="sm" onClick={() => onSelect(id)}>
          Use {visibleLine(id)}
        </Button>
      ))}
    >
      <p>
        The service said so on {formatDateTime(since / 1000)}. You can still run it: this note disappears when the model
        responds.
      </p>
    </Notice>
  );
}

/** Models of the same type as this one, those with the most similar names first. */
function useOthersOfItsKind(modelId: string, enabled: boolean): string[] {
  const queries = modelQueries(useApi());
  const inactive = useInactiveModels();
  const ids = useQuery({ ...queries.ids(), enabled });
  const own = useQuery({ ...queries.detail(modelId), enabled });
  const near = (ids.data ?? [])
    .filter((id) => id !== modelId && !Object.hasOwn(inactive, id))
    .map((id) => ({ id, likeness: likenessOf(id, modelId) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_READ)
    .map(({ id }) => id);
  const details = useQueries({ queries: near.map((id) => ({ ...queries.detail(id), enabled })) });
  const type = own.data?.type;
  return near.filter((_, index) => type !== undefined && details[index]?.data?.type === type).slice(0, MAX_OFFERED);
}

/** How many letters two ids begin with in common. */
function likenessOf(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length += 1;
  return length;
}
