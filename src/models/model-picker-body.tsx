import { Star } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { useFavourites } from "./favourites-store.ts";
import { ModelList } from "./model-list.tsx";
import { searchModels } from "./search-models.ts";
import { TextModelLinks } from "./text-model-links.tsx";
import { useModelEntries } from "./use-model-entries.ts";

const TYPES = [
  { value: "all", label: "All" },
  { value: "image", label: "Image" },
  { value: "video", label: "Video" },
  { value: "audio", label: "Audio" },
];

/** Search, type, favourites, and the list of what fits. */
export function ModelPickerBody({
  selectedId,
  onSelect,
  withTextModels = false,
}: {
  selectedId: string | undefined;
  onSelect: (id: string) => void;
  /** Also offers the text models that fit, as links to their own screen. */
  withTextModels?: boolean;
}) {
  const { entries, isPending, error, refetch } = useModelEntries();
  const favourites = useFavourites();
  const searchInput = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [type, setType] = useState("all");
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
    <div className="flex flex-col gap-3 pt-0.5">
      <TextInput
        ref={searchInput}
        type="search"
        aria-label="Search models"
        placeholder="Search by name or what it does"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onSearchKey}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Type" options={TYPES} value={type} onChange={setType} className="min-w-[260px] flex-1" />
        <Button aria-pressed={onlyFavourites} onClick={() => setOnlyFavourites(!onlyFavourites)}>
          <Star size={16} aria-hidden="true" className={onlyFavourites ? "fill-current" : ""} />
          Favourites
        </Button>
      </div>
      {error && <ErrorNotice error={error} doing="read" onRetry={refetch} />}
      {isPending && <LoadingRows />}
      {!isPending && !error && fitting.length === 0 && (
        <EmptyState title="No model fits" actions={<Button onClick={clear}>Show all models</Button>}>
          {onlyFavourites && favourites.length === 0
            ? "Mark a model with the star and it stays at the top."
            : "Descriptions are searched as far as they have been loaded."}
        </EmptyState>
      )}
      {fitting.length > 0 && (
        <ModelList
          entries={fitting}
          selectedId={selectedId}
          onSelect={onSelect}
          searchInput={searchInput}
          enterCount={enterCount}
        />
      )}
      {withTextModels && <TextModelLinks search={text} />}
      <p role="status" className="m-0 text-[12px] text-ink-3 tabular-nums">
        {isPending ? "Loading the models" : countText(fitting.length, entries.length)}
      </p>
    </div>
  );
}

function LoadingRows() {
  return (
    <div className="flex h-[min(52dvh,420px)] max-sm:h-[calc(100dvh-236px)] flex-col gap-3 overflow-hidden py-2">
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
