import { useState } from "react";
import { counted, formatNumber } from "#lib/numbers.ts";
import { useRememberedUploads } from "#media/upload/upload-memory.ts";
import { type EarlierFile, EarlierFiles, useEarlierResults } from "#results/earlier-files.tsx";
import type { FieldMedia } from "#schema-form/read/field.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";

interface PickMediaDialogProps {
  label: string;
  media: FieldMedia;
  /** How many may be selected; with 1 a press chooses at once. */
  max: number;
  onPick: (addresses: readonly string[]) => void;
  onClose: () => void;
}

const SOURCES = [
  { value: "results", label: "Results" },
  { value: "uploads", label: "Uploads" },
] as const;

/** Files that the service already has, to be used as inputs again: results of jobs, and what was uploaded before. */
export function PickMediaDialog({ label, media, max, onPick, onClose }: PickMediaDialogProps) {
  const [source, setSource] = useState<"results" | "uploads">("results");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const results = useEarlierResults(media === "file" ? undefined : media);
  const uploads = useEarlierUploads(media);
  const files: readonly EarlierFile[] | undefined = source === "results" ? results.files : uploads;
  const isReading = source === "results" ? results.isReading && results.files.length === 0 : !uploads;

  function press(url: string) {
    if (max === 1) {
      onPick([url]);
      onClose();
    } else if (chosen.includes(url)) setChosen(chosen.filter((other) => other !== url));
    else if (chosen.length < max) setChosen([...chosen, url]);
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`From library: ${label}`} size="lg">
      <div className="flex flex-col gap-3">
        <Segmented label="Source" options={SOURCES} value={source} onChange={setSource} />
        {isReading ? (
          <Skeleton className="h-40" />
        ) : files && files.length > 0 ? (
          <EarlierFiles
            label={source === "results" ? "Results" : "Uploads"}
            files={files}
            chosen={chosen}
            takesSeveral={max > 1}
            onPress={({ file }) => press(file.url)}
          />
        ) : (
          <EmptyState title={source === "results" ? "No matching results" : "No matching uploads"}>
            {source === "results"
              ? "Results of your jobs appear here for 60 days."
              : "Files you upload in this browser appear here."}
          </EmptyState>
        )}
        {max > 1 && (
          <div className="sticky -bottom-5 short:static -mx-5 -mb-5 flex items-center justify-end gap-3 border-line border-t bg-panel px-5 py-3.5 pb-[max(14px,env(safe-area-inset-bottom))]">
            <span role="status" className="text-sm text-ink-2 tabular-nums">
              {Number.isFinite(max)
                ? `${chosen.length} of up to ${max} selected`
                : `${formatNumber(chosen.length)} selected`}
            </span>
            <Button
              variant="primary"
              aria-disabled={chosen.length === 0}
              onClick={() => {
                onPick(chosen);
                onClose();
              }}
            >
              {chosen.length > 1 ? `Use ${counted(chosen.length, "file")}` : "Use"}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Inputs that this browser stored before, latest first; undefined while they are being read. */
function useEarlierUploads(media: FieldMedia): EarlierFile[] | undefined {
  return (
    useRememberedUploads()
      ?.filter(({ kind }) => media === "file" || kind === media)
      // Its host was noted with the upload; a row may also have come with somebody's export.
      .map(({ publicUrl: url, kind, name }) => ({ file: { id: url, url, kind, isElsewhere: true }, name }))
  );
}
