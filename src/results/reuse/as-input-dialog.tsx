import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Star } from "lucide-react";
import { useMemo, useState } from "react";
import type { MediaItem, MediaKind, ModelDetail } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { capitalized, ModelTile } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { useStarredModels } from "#models/starred-models.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { Picker, PickerRow } from "#ui/picker.tsx";

/** How many models are read at first, and with each press of "Load more": each is a request of its own (spec 4.1). */
const DETAILS_AT_ONCE = 40;

const KIND_WORDS: Record<MediaItem["kind"], string> = {
  image: "an image",
  video: "a video",
  audio: "an audio file",
  other: "a file",
};

interface AsInputProps {
  item: MediaItem;
  /** Only models that make this, such as `video`; any where not given. */
  makes?: string | undefined;
  onClose: () => void;
}

/** The models that accept a file like this one, starred ones first. Choosing one opens its form with the file in it. */
export function AsInputDialog({ item, makes, onClose }: AsInputProps) {
  const queries = modelQueries(useApi());
  const starred = useStarredModels();
  const ids = useQuery(queries.ids());
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const [limit, setLimit] = useState(DETAILS_AT_ONCE);
  const ordered = useMemo(() => starredFirst(ids.data ?? [], starred), [ids.data, starred]);
  const details = useQueries({ queries: ordered.slice(0, limit).map((id) => queries.detail(id)) });
  // The list ends before the first model that is still loading, so that no model appears between two others.
  const firstPending = details.findIndex((detail) => detail.isPending);
  const takers = details
    .slice(0, firstPending < 0 ? details.length : firstPending)
    .flatMap(({ data }) => (data && readTaker(data, item.kind)) || [])
    .filter((taker) => makes === undefined || taker.makes === makes);
  const fitting = takers.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  const isReading = ids.isPending || firstPending >= 0;
  const open = useAsInput();
  const kind = KIND_WORDS[item.kind];
  const word = item.kind === "other" ? "file" : item.kind;
  return (
    <Dialog
      open
      atTop
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={makes === "video" ? `Animate this ${word}` : `Use this ${word} as input`}
      description={`Choose a model that accepts ${kind}${makes ? ` and makes ${makes}` : ""}. Its form opens with the file. Nothing runs yet.`}
    >
      <Picker
        label="Models"
        placeholder="Search by name"
        search={search}
        onSearch={setSearch}
        items={fitting}
        onPick={({ id }) => open(item, id)}
        row={(taker) => <TakerRow taker={taker} isStarred={starred.includes(taker.id)} />}
        rowHeight={52}
        filters={
          <>
            {ids.error && <ErrorNotice error={ids.error} operation="read" onRetry={() => void ids.refetch()} />}
            {/* Above the list, which grows: it stays where it is. */}
            <div role="status" className="flex min-h-5 items-center gap-2 text-sm text-ink-3">
              {isReading && <Spinner />}
              {isReading
                ? "Loading models…"
                : takers.length === 0
                  ? !ids.error && `No loaded model accepts ${kind}${makes ? ` and makes ${makes}` : ""}.`
                  : counted(fitting.length, "model")}
            </div>
          </>
        }
        empty={() => takers.length > 0 && <p className="m-0 py-4 text-center text-ink-2">No matching models</p>}
      />
      {!isReading && ordered.length > limit && (
        <Button size="sm" className="mt-2" onClick={() => setLimit(limit + DETAILS_AT_ONCE)}>
          Load {formatNumber(Math.min(DETAILS_AT_ONCE, ordered.length - limit))} more
        </Button>
      )}
    </Dialog>
  );
}

function TakerRow({ taker, isStarred }: { taker: Taker; isStarred: boolean }) {
  return (
    <>
      <ModelTile id={taker.id} type={taker.makes} />
      <PickerRow
        title={
          <>
            {visibleLine(taker.id)}
            {isStarred && (
              <Star
                role="img"
                aria-label="Starred"
                className="ms-1.5 inline size-3.5 fill-current align-[-2px] text-accent-text"
              />
            )}
          </>
        }
        detail={[taker.makes && capitalized(taker.makes), taker.price].filter(Boolean).join(" · ")}
        aside={`As ${taker.field.toLowerCase()}`}
      />
    </>
  );
}

/** A model that takes files of one kind, as far as its parameters show. */
interface Taker {
  id: string;
  /** What it makes: `video`, `image`, or the service's own word. */
  makes: string | undefined;
  /** What the service says of its price, such as "$0.40 per second". */
  price: string | undefined;
  /** The name of the field that takes the file. */
  field: string;
}

/** What a model does with files of this kind; undefined where none of its fields takes them. */
function readTaker(detail: ModelDetail, kind: MediaKind): Taker | undefined {
  const fields = readSchema(detail.raw, { place: getSchemaPlace(getConnection()?.queueBaseUrl) }).fields.filter(
    (field) => field.kind === "media",
  );
  const field = fields.find(({ media, role }) => (media === kind || media === "file") && role !== "mask");
  return field && { id: detail.id, makes: detail.type, price: detail.priceText, field: field.label };
}

/** Model IDs in the order in which they are offered: starred models first, then as the catalog has them. */
function starredFirst(ids: readonly string[], starred: readonly string[]): string[] {
  const known = new Set(ids);
  const first = starred.filter((id) => known.has(id));
  return [...first, ...ids.filter((id) => !first.includes(id))];
}

/** Leads to the form of a model with a file of a job in the first field that takes it. */
function useAsInput(): (item: MediaItem, modelId: string) => void {
  const navigate = useNavigate();
  return ({ url, kind }, modelId) => {
    const as = kind === "other" ? {} : { as: kind };
    void navigate({ to: "/create/$modelId", params: { modelId }, search: { put: url, ...as } });
  };
}
