import { FolderOpen, Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { useRememberedUploads } from "#media/upload/upload-memory.ts";
import { seeUploads, useUploadStore, wantedUpload, wantField } from "#media/upload/upload-store.ts";
import { getAccountUploads } from "#media/upload/uploads.ts";
import { refusedAddresses } from "#runs/job-inputs.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import { useFormPayload } from "#schema-form/form/use-schema-form.ts";
import { addressesIn, addressOf, maxFiles, mediaItems, mediaValue } from "#schema-form/media-value.ts";
import { Button } from "#ui/button.tsx";
import { MediaFieldRow } from "./media-field-row.tsx";
import {
  droppedUploads,
  followRows,
  isItemOf,
  itemsOf,
  type MediaRow,
  startIn,
  withAddresses,
  withAddressIn,
  withEmptyRow,
  withFileIn,
  withFiles,
  withoutRow,
} from "./media-inputs.ts";
import { PickMediaDialog } from "./pick-media.tsx";
import { askedShape } from "./picture-shape.ts";

/** A media parameter on Create: a file that is stored with the service, or any public address; several where allowed. */
export function MediaFields({ field, value, onChange, onBlur, ids, place }: MediaControlProps) {
  const { form } = useFormContext();
  const max = maxFiles(field);
  const uploads = getAccountUploads(useApi(), useConnection()?.accountId ?? "");
  const start = startIn(form, place, field, uploads);
  const [shown, setShown] = useState<readonly MediaRow[]>([]);
  const rows = followRows(shown, mediaItems(value));
  if (rows !== shown) setShown(rows);
  useShown(form.modelId, rows, ids.id);

  function change(next: readonly MediaRow[]) {
    setShown(next);
    for (const upload of droppedUploads(rows, next)) uploads.cancel(upload);
    onChange(mediaValue(field, itemsOf(next)));
  }
  /** Files that came to one input: the first is for it, more for others. */
  function giveFiles(key: number, [first, ...others]: readonly File[]) {
    if (!first) return;
    const next = withFileIn(rows, key, first, start);
    change(max > 1 ? withFiles(next, max, others, start) : next);
  }

  const [isPicking, setIsPicking] = useState(false);
  const payload = useFormPayload(form);
  const shape = useMemo(() => askedShape(form.schema, payload), [form, payload]);
  const jobs = useTrackedJobs();
  const refused = useMemo(() => refusedAddresses(jobs), [jobs]);
  const names = useFileNames();
  const isGiven = rows.some(({ item }) => addressOf(item) !== "");
  const library = (
    <Button variant={max === 1 ? "outline" : "ghost"} size="sm" onClick={() => setIsPicking(true)}>
      <FolderOpen aria-hidden="true" className="size-3.5" />
      From library
    </Button>
  );
  return (
    <div className="flex flex-col gap-2">
      {rows.map((row, index) => (
        <MediaFieldRow
          key={row.key}
          field={field}
          row={row}
          rows={rows}
          uploads={uploads}
          position={index}
          ids={ids}
          shape={field.media === "image" && field.role !== "mask" ? shape : undefined}
          names={names}
          extra={max === 1 && library}
          refused={refused}
          onRows={change}
          onAddress={(address) => change(withAddressIn(rows, row.key, address))}
          onClear={() => change(withoutRow(rows, row.key))}
          onFiles={(files) => giveFiles(row.key, files)}
          onBlur={onBlur}
        />
      ))}
      {max > 1 && (
        <div className="flex flex-wrap gap-1.5">
          {library}
          {rows.length < max && isGiven && (
            <Button variant="ghost" size="sm" onClick={() => setShown(withEmptyRow(rows, max))}>
              <Plus aria-hidden="true" className="size-3.5" />
              Add another
            </Button>
          )}
        </div>
      )}
      <PickMediaDialog
        open={isPicking}
        onOpenChange={setIsPicking}
        label={field.label}
        media={field.media}
        max={max === 1 ? 1 : max - itemsOf(rows).length}
        onPick={(addresses) => change(withAddresses(rows, max, addresses))}
      />
    </div>
  );
}

/** The field is on the screen: the queue need not say that a file is in it, and who pressed its line there sees it. */
function useShown(modelId: string, rows: readonly MediaRow[], id: string): void {
  const uploads = useUploadStore((state) => state.uploads);
  const isWanted = useUploadStore((state) => {
    const wanted = wantedUpload(state);
    return wanted !== undefined && wanted.modelId === modelId && rows.some(({ item }) => isItemOf(item, wanted));
  });
  useEffect(() => {
    if (uploads.length > 0) seeUploads(addressesIn(itemsOf(rows)));
  }, [uploads, rows]);
  useEffect(() => {
    if (!isWanted) return;
    wantField(undefined);
    const box = document.getElementById(`${id}-box`);
    box?.scrollIntoView?.({ block: "center" });
    box?.querySelector<HTMLElement>("button, input")?.focus({ preventScroll: true });
  }, [isWanted, id]);
}

/** What files are called that this browser stored with the service, by their address. */
function useFileNames(): ReadonlyMap<string, string> {
  return new Map(useRememberedUploads()?.map(({ publicUrl, name }) => [publicUrl, name]));
}
