import { clsx } from "clsx";
import { useState } from "react";
import { type EarlierFile, useEarlierResults } from "#jobs/earlier-results.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { useRememberedUploads } from "#media/upload/upload-memory.ts";
import type { FieldMedia } from "#schema-form/read/field.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";

interface PickMediaDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  media: FieldMedia;
  /** How many may be picked; with 1 a press picks at once. */
  most: number;
  onPick: (addresses: readonly string[]) => void;
}

const SOURCES = [
  { value: "results", label: "Results" },
  { value: "uploads", label: "Uploads" },
] as const;

/** Files that the service already has, to be used as inputs again: results of jobs, and what was uploaded before. */
export function PickMediaDialog({ open, onOpenChange, label, ...rest }: PickMediaDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`From library: ${label}`} size="lg">
      <PickMediaBody {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PickMediaBody({
  media,
  most,
  onPick,
  onClose,
}: Pick<PickMediaDialogProps, "media" | "most" | "onPick"> & { onClose: () => void }) {
  const [source, setSource] = useState<"results" | "uploads">("results");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const results = useEarlierResults(media === "file" ? undefined : media);
  const uploads = useEarlierUploads(media);
  const files: readonly EarlierFile[] | undefined = source === "results" ? results.files : uploads;
  const isReading = source === "results" ? results.isReading && results.files.length === 0 : !uploads;

  function press(url: string) {
    if (most === 1) {
      onPick([url]);
      onClose();
    } else if (chosen.includes(url)) setChosen(chosen.filter((other) => other !== url));
    else if (chosen.length < most) setChosen([...chosen, url]);
  }
  return (
    <div className="flex flex-col gap-3">
      <Segmented label="Source" options={SOURCES} value={source} onChange={setSource} />
      {isReading ? (
        <Skeleton className="h-40" />
      ) : files && files.length > 0 ? (
        <PickMediaGrid files={files} chosen={chosen} isSeveral={most > 1} onPress={press} />
      ) : (
        <EmptyState title={source === "results" ? "No results of this kind" : "No uploads of this kind"}>
          {source === "results"
            ? "Results of your jobs are listed here for 60 days."
            : "Files that you upload in this browser are listed here."}
        </EmptyState>
      )}
      {most > 1 && (
        <div className="sticky -bottom-5 short:static -mx-5 -mb-5 flex items-center justify-end gap-3 border-line border-t bg-panel px-5 py-3.5 pb-[max(14px,env(safe-area-inset-bottom))]">
          <span role="status" className="text-[12.5px] text-ink-2 tabular-nums">
            {Number.isFinite(most) ? `${chosen.length} of at most ${most}` : `${chosen.length} chosen`}
          </span>
          <Button
            variant="primary"
            aria-disabled={chosen.length === 0}
            onClick={() => {
              onPick(chosen);
              onClose();
            }}
          >
            {chosen.length > 1 ? `Use ${chosen.length} files` : "Use"}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Files as pictures to press. Where several may be chosen each carries its place in the order. */
function PickMediaGrid({
  files,
  chosen,
  isSeveral,
  onPress,
}: {
  files: readonly EarlierFile[];
  chosen: readonly string[];
  isSeveral: boolean;
  onPress: (url: string) => void;
}) {
  return (
    <ul className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(116px,1fr))] gap-2.5 p-0.5">
      {files.map(({ url, kind, name, isElsewhere }) => {
        const place = chosen.indexOf(url) + 1;
        return (
          <li key={url} className="min-w-0">
            <button
              type="button"
              aria-label={place > 0 ? `${name}, number ${place}` : name}
              aria-pressed={isSeveral ? place > 0 : undefined}
              onClick={() => onPress(url)}
              className={clsx(
                "relative block aspect-square w-full cursor-pointer overflow-hidden rounded-md border bg-raised p-0",
                place > 0 ? "border-accent outline-2 outline-accent" : "border-line hover:border-line-strong",
              )}
            >
              <MediaThumb item={{ id: url, url, kind, ...(isElsewhere ? { isElsewhere } : {}) }} alt="" />
              {place > 0 && (
                <span
                  aria-hidden="true"
                  className="absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full bg-accent font-semibold text-[12.5px] text-accent-ink tabular-nums"
                >
                  {place}
                </span>
              )}
            </button>
            <p className="m-0 mt-1 truncate text-[12px] text-ink-3" title={name} dir="auto">
              {name}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** Inputs that this browser stored before, newest first; undefined while they are being read. */
function useEarlierUploads(media: FieldMedia): EarlierFile[] | undefined {
  return (
    useRememberedUploads()
      ?.filter(({ kind }) => media === "file" || kind === media)
      // Its host was noted with the upload; a row may also have come with somebody's export.
      .map(({ publicUrl, kind, name }) => ({ url: publicUrl, kind, name, isElsewhere: true }))
  );
}
