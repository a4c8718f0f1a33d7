import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowUpRight, Star, X } from "lucide-react";
import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import type { ModelDetail } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Pill, Skeleton } from "#ui/indicators.tsx";
import { Picker } from "#ui/picker.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { useInactiveModels } from "./inactive-models.ts";
import { ModelTile, modelSummary } from "./model-card.tsx";
import { modelQueries } from "./model-queries.ts";
import { type ModelEntry, searchModels } from "./search-models.ts";
import { toggleStar, useStarredModels } from "./starred-models.ts";

interface ModelPickerBodyProps {
  /** The ids of those that are selected. */
  selected: readonly string[];
  /** A press adds a model or takes it out. */
  takesSeveral?: boolean;
  onSelect: (id: string) => void;
  /** The type that is shown at first: `image`, `video` or `audio`; all types where not given. */
  startType?: string | undefined;
  /** Also offers the text models that fit, as links to their own screen. */
  withTextModels?: boolean;
}

interface ModelPickerProps extends ModelPickerBodyProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The dialog in which generation models are chosen. Where it takes one, it closes itself after a choice. */
export function ModelPicker({ open, onOpenChange, ...body }: ModelPickerProps) {
  const { selected, takesSeveral = false, onSelect } = body;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={takesSeveral ? "Choose models" : "Choose model"}
      footer={
        takesSeveral && (
          <>
            <ChosenModels models={selected} onRemove={onSelect} />
            <Button variant="primary" className="self-end" onClick={() => onOpenChange(false)}>
              {selected.length === 0 ? "Done" : `Use ${counted(selected.length, "model")}`}
            </Button>
          </>
        )
      }
    >
      <ModelPickerBody
        {...body}
        onSelect={(id) => {
          if (!takesSeveral) onOpenChange(false);
          onSelect(id);
        }}
      />
    </Dialog>
  );
}

function ChosenModels({ models, onRemove }: { models: readonly string[]; onRemove: (id: string) => void }) {
  return (
    <ul
      aria-label="Selected models"
      className="m-0 me-auto flex min-w-0 flex-1 list-none flex-wrap items-center gap-1.5 p-0 text-sm text-ink-2"
    >
      {models.length === 0 && <li>Select one or more models.</li>}
      {models.map((model) => (
        <li key={model} className="flex min-h-6.5 items-center gap-0.5 rounded-sm bg-accent-soft ps-2 text-ink">
          <span className="max-w-44 truncate">{visibleLine(model)}</span>
          <IconButton size="sm" label={`Remove ${visibleLine(model)}`} onClick={() => onRemove(model)}>
            <X aria-hidden="true" className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const TYPES = [
  { value: "all", label: "All" },
  { value: "image", label: "Image" },
  { value: "video", label: "Video" },
  { value: "audio", label: "Audio" },
];

/** A search field, filters by type and star, and the list of the models that match. */
export function ModelPickerBody(props: ModelPickerBodyProps) {
  const { selected, takesSeveral = false, onSelect, startType = "all", withTextModels = false } = props;
  const { entries, isPending, error, refetch } = useModelEntries();
  const starred = useStarredModels();
  const inactive = useInactiveModels();
  const [text, setText] = useState("");
  const [type, setType] = useState(startType);
  const [onlyStarred, setOnlyStarred] = useState(false);
  const matches = searchModels(entries, {
    text,
    type: type === "all" ? undefined : type,
    starred,
    onlyStarred,
  });
  return (
    <div className="flex flex-col gap-3">
      <Picker
        label="Models"
        placeholder="Search by name or description"
        search={text}
        onSearch={setText}
        items={matches}
        selected={selected}
        takesSeveral={takesSeveral}
        onPick={({ id }) => onSelect(id)}
        row={({ id }) => <ModelRow id={id} isInactive={Object.hasOwn(inactive, id)} />}
        rowHeight={60}
        acts={({ id }) => <StarButton id={id} isStarred={starred.includes(id)} />}
        hasFixedHeight
        filters={
          <>
            <div className="flex flex-wrap items-center gap-2">
              <Segmented
                label="Type"
                options={TYPES}
                value={type}
                onChange={setType}
                className="min-w-[min(260px,100%)] flex-1"
              />
              <Button aria-pressed={onlyStarred} onClick={() => setOnlyStarred(!onlyStarred)}>
                <Star size={16} aria-hidden="true" className={onlyStarred ? "fill-current" : ""} />
                Starred
              </Button>
            </div>
            {error && <ErrorNotice error={error} operation="read" onRetry={refetch} />}
          </>
        }
        loading={isPending ? <LoadingRows /> : undefined}
        empty={(toSearch) =>
          !error && (
            <EmptyState
              title="No matching models"
              actions={
                <Button
                  onClick={() => {
                    setText("");
                    setType("all");
                    setOnlyStarred(false);
                    toSearch();
                  }}
                >
                  Show all models
                </Button>
              }
            >
              {onlyStarred && starred.length === 0
                ? "Star a model to list it first."
                : "Search covers only the descriptions loaded so far."}
            </EmptyState>
          )
        }
        status={isPending ? "Loading models…" : countText(matches.length, entries.length)}
      />
      {withTextModels && <TextModelLinks search={text} />}
    </div>
  );
}

/** One model of the picker, with the detail that it asks for itself. */
function ModelRow({ id, isInactive }: { id: string; isInactive: boolean }) {
  const detail = useQuery(modelQueries(useApi()).detail(id));
  return (
    <>
      <ModelTile id={id} type={detail.data?.type} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-medium text-base leading-snug">{visibleLine(id)}</span>
          {isInactive && <Pill className="ml-1">Inactive</Pill>}
        </span>{" "}
        <span className="flex gap-2 text-xs text-ink-3 leading-normal">
          {detail.isPending && <span className="mt-1 h-3 w-40 animate-pulse rounded-sm bg-hover" />}
          {detail.isError && <span>Couldn’t load details</span>}
          {detail.data && (
            <>
              <span className="max-w-full shrink-0 truncate text-ink-2 tabular-nums">{modelSummary(detail.data)}</span>{" "}
              <span className="truncate">{detail.data.description}</span>
            </>
          )}
        </span>
      </span>
    </>
  );
}

function StarButton({ id, isStarred }: { id: string; isStarred: boolean }) {
  return (
    <IconButton
      label={`${isStarred ? "Unstar" : "Star"} ${visibleLine(id)}`}
      size="md"
      aria-pressed={isStarred}
      onClick={() => toggleStar(id)}
      className={clsx(
        "absolute end-1.5",
        !isStarred && "opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100",
        "pointer-coarse:opacity-100",
      )}
    >
      <Star size={16} aria-hidden="true" className={clsx(isStarred && "fill-current text-ink")} />
    </IconButton>
  );
}

function LoadingRows() {
  return (
    <div className="flex h-[min(52dvh,420px)] max-sm:h-[calc(100dvh-236px)] short:h-[85dvh] flex-col gap-3 overflow-hidden py-2">
      {["a", "b", "c", "d", "e", "f"].map((row) => (
        <Skeleton key={row} className="h-12 w-full" />
      ))}
    </div>
  );
}

function countText(count: number, all: number): string {
  return count === all ? counted(all, "model") : `${formatNumber(count)} of ${counted(all, "model")}`;
}

/** Every model id with its detail from the cache. Details are added as their rows come into view. */
function useModelEntries() {
  const queries = modelQueries(useApi());
  const ids = useQuery(queries.ids());
  const detailsVersion = useDetailsVersion();
  const client = useQueryClient();
  const entries = useMemo<ModelEntry[]>(() => {
    // Only its change matters: the details themselves are read from the cache.
    void detailsVersion;
    return (ids.data ?? []).map((id) => ({ id, detail: client.getQueryData<ModelDetail>(["models", "detail", id]) }));
  }, [ids.data, client, detailsVersion]);
  return { entries, isPending: ids.isPending, error: ids.error, refetch: ids.refetch };
}

/** A number that changes when another detail is read. */
function useDetailsVersion(): number {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((notify: () => void) => cache.subscribe(notify), [cache]);
  const version = () =>
    cache.findAll({ queryKey: ["models", "detail"] }).reduce((sum, query) => sum + query.state.dataUpdateCount, 0);
  return useSyncExternalStore(subscribe, version);
}

/** Characters of a search before text models are offered. */
const SHORTEST_SEARCH = 2;
const MAX_SUGGESTIONS = 5;

/** Text models that match a search among generation models. They are in another list, and run in Playground. */
function TextModelLinks({ search }: { search: string }) {
  const enabled = search.trim().length >= SHORTEST_SEARCH;
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (data ?? []).filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  if (!enabled || matches.length === 0) return null;
  return (
    <div>
      <h3 className="m-0 mb-1 px-2.5 font-medium text-xs text-ink-3">Text models in Playground</h3>
      <ul aria-label="Text models in Playground" className="m-0 list-none p-0">
        {matches.slice(0, MAX_SUGGESTIONS).map(({ id }) => (
          <li key={id}>
            <Link
              to="/playground"
              search={{ model: id }}
              className="flex min-h-10 items-center gap-3 rounded-md px-2.5 py-1.5 font-medium hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{visibleLine(id)}</span>
              <ArrowUpRight aria-hidden className="size-4 text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
