import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, Star } from "lucide-react";
import { type KeyboardEvent, useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ModelDetail } from "#api/types.ts";
import { textModelQueries } from "#chat/text-model-queries.ts";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { useFavourites } from "./favourites-store.ts";
import { ModelList } from "./model-list.tsx";
import { modelQueries } from "./model-queries.ts";
import { type ModelEntry, searchModels } from "./search-models.ts";

/** The dialog in which a generation model is chosen. It closes itself after a choice. */
export function ModelPicker({
  open,
  onOpenChange,
  selectedId,
  onSelect,
  startType,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  selectedId: string | undefined;
  onSelect: (id: string) => void;
  /** `image`, `video` or `audio`: what is shown at first, in place of all. */
  startType?: string | undefined;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Choose a model" size="md">
      <ModelPickerBody
        selected={selectedId === undefined ? [] : [selectedId]}
        startType={startType}
        withTextModels
        onSelect={(id) => {
          onOpenChange(false);
          onSelect(id);
        }}
      />
    </Dialog>
  );
}

const TYPES = [
  { value: "all", label: "All" },
  { value: "image", label: "Image" },
  { value: "video", label: "Video" },
  { value: "audio", label: "Audio" },
];

/** Search, type, favourites, and the list of what fits. */
export function ModelPickerBody({
  selected,
  takesSeveral = false,
  onSelect,
  startType = "all",
  withTextModels = false,
}: {
  selected: readonly string[];
  /** A press adds a model or takes it out. */
  takesSeveral?: boolean;
  onSelect: (id: string) => void;
  startType?: string | undefined;
  /** Also offers the text models that fit, as links to their own screen. */
  withTextModels?: boolean;
}) {
  const { entries, isPending, error, refetch } = useModelEntries();
  const favourites = useFavourites();
  const searchInput = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [type, setType] = useState(startType);
  const [onlyFavourites, setOnlyFavourites] = useState(false);
  const [enterCount, setEnterCount] = useState(0);
  const fitting = searchModels(entries, {
    text,
    type: type === "all" ? undefined : type,
    favourites,
    onlyFavourites,
  });

  const onSearchKey = (event: KeyboardEvent) => {
    const first = fitting[0];
    if (event.key === "ArrowDown" && first !== undefined) {
      event.preventDefault();
      setEnterCount((count) => count + 1);
    } else if (event.key === "Enter" && first !== undefined && text.trim() !== "") {
      event.preventDefault();
      onSelect(first.id);
    }
  };
  const clear = () => {
    setText("");
    setType("all");
    setOnlyFavourites(false);
    searchInput.current?.focus();
  };

  return (
    <div className="flex flex-col gap-3">
      <TextInput
        ref={searchInput}
        type="search"
        aria-label="Search models"
        placeholder="Search by name or description"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onSearchKey}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Type"
          options={TYPES}
          value={type}
          onChange={setType}
          className="min-w-[min(260px,100%)] flex-1"
        />
        <Button aria-pressed={onlyFavourites} onClick={() => setOnlyFavourites(!onlyFavourites)}>
          <Star size={16} aria-hidden="true" className={onlyFavourites ? "fill-current" : ""} />
          Favourites
        </Button>
      </div>
      {error && <ErrorNotice error={error} operation="read" onRetry={refetch} />}
      {isPending && <LoadingRows />}
      {!isPending && !error && fitting.length === 0 && (
        <EmptyState title="No matching models" actions={<Button onClick={clear}>Show all models</Button>}>
          {onlyFavourites && favourites.length === 0
            ? "Star a model to keep it at the top."
            : "The search covers the descriptions that are loaded so far."}
        </EmptyState>
      )}
      {fitting.length > 0 && (
        <ModelList
          entries={fitting}
          selected={selected}
          takesSeveral={takesSeveral}
          onSelect={onSelect}
          searchInput={searchInput}
          enterCount={enterCount}
        />
      )}
      {withTextModels && <TextModelLinks search={text} />}
      <p role="status" className="m-0 text-[12px] text-ink-3 tabular-nums">
        {isPending ? "Loading models" : countText(fitting.length, entries.length)}
      </p>
    </div>
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

function countText(fitting: number, all: number): string {
  if (fitting === all) return all === 1 ? "1 model" : `${all} models`;
  return `${fitting} of ${all} models`;
}

/** Every model id with the detail the cache holds for it, which grows while rows are seen. */
function useModelEntries() {
  const queries = modelQueries(useApi());
  const ids = useQuery(queries.ids());
  const detailsVersion = useDetailsVersion();
  const client = useQueryClient();
  const entries = useMemo<ModelEntry[]>(() => {
    // Read for its change alone: the details live in the cache.
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

const SHORTEST = 2;
const MOST = 5;

/** Text models that fit a search among generation models (spec 1): they are another catalogue, and another screen. */
function TextModelLinks({ search }: { search: string }) {
  const enabled = search.trim().length >= SHORTEST;
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = (data ?? []).filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  if (!enabled || fitting.length === 0) return null;
  return (
    <div>
      <h3 className="m-0 mb-1 px-2.5 font-medium text-[12px] text-ink-3">Text models, in Playground</h3>
      <ul aria-label="Text models, in Playground" className="m-0 list-none p-0">
        {fitting.slice(0, MOST).map(({ id }) => (
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
