import { FolderOpen, Plus, RotateCcw } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { refusedAddresses } from "#jobs/job-inputs.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { forgetUnfinished, unfinishedUploads } from "#media/upload/unfinished-uploads.ts";
import { useRememberedUploads } from "#media/upload/upload-memory.ts";
import { isSamePlace, type UploadPlace, useUploadStore, wantField } from "#media/upload/upload-store.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import { useFormPayload } from "#schema-form/form/use-schema-form.ts";
import { Button } from "#ui/button.tsx";
import { placeOf } from "./field-rows.ts";
import { MediaFieldRow, UPLOAD_KIND } from "./media-field-row.tsx";
import { removePendingFiles, usePendingFiles } from "./media-inputs.ts";
import { PickMediaDialog } from "./pick-media.tsx";
import { askedShape } from "./picture-shape.ts";
import { useFieldRows } from "./use-field-rows.ts";

/** A media parameter on Create: a file that is stored with the service, or any public address; several where allowed. */
export function MediaFields({ field, value, onChange, onBlur, ids, place: position }: MediaControlProps) {
  const { form } = useFormContext();
  const most = field.shape === "one" ? 1 : (field.maxItems ?? Number.POSITIVE_INFINITY);
  const given = mediaAddresses(value);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  }, [onChange]);
  const take = useCallback((addresses: string[]) => report.current(mediaValue(field, addresses)), [field]);
  const payload = useFormPayload(form);
  const { top, place } = useMemo(() => placeOf(form, position, field), [form, position, field]);
  const order = { place, top, field, most, kind: UPLOAD_KIND[field.media], addresses: given };
  const { rows, uploads } = useFieldRows(order, form, payload, take);
  const shown = useSyncExternalStore(rows.subscribe, rows.get);
  const words = JSON.stringify(given);
  useEffect(() => rows.follow(JSON.parse(words)), [rows, words]);
  useWantedField(place, ids.id);

  // Files that were dropped beside the fields are for those that are not inside another.
  const dropped = usePendingFiles(({ pending }) =>
    pending.find((one) => one.form === form.id && one.key === field.key && place.path.length === 1),
  );
  useEffect(() => {
    if (!dropped) return;
    removePendingFiles(dropped);
    rows.addFiles(dropped.files);
  }, [dropped, rows]);

  const [isPicking, setIsPicking] = useState(false);
  const shape = useMemo(() => askedShape(form.schema, payload), [form, payload]);
  const jobs = useTrackedJobs();
  const refused = useMemo(() => refusedAddresses(jobs), [jobs]);
  const names = useFileNames();
  const isFull = shown.length >= most;
  const library = (
    <Button variant={most === 1 ? "outline" : "ghost"} size="sm" onClick={() => setIsPicking(true)}>
      <FolderOpen aria-hidden="true" className="size-3.5" />
      From library
    </Button>
  );
  return (
    <div className="flex flex-col gap-2">
      <UnfinishedLine place={place} isFilled={shown.some(({ upload }) => upload !== undefined)} />
      {shown.map((row, index) => (
        <MediaFieldRow
          key={row.id}
          field={field}
          row={row}
          rows={rows}
          uploads={uploads}
          position={index}
          ids={ids}
          shape={field.media === "image" && field.role !== "mask" ? shape : undefined}
          name={names.get(row.address)}
          extra={most === 1 && library}
          hasFailedJob={refused.has(row.address)}
          onBlur={onBlur}
        />
      ))}
      {most > 1 && (
        <div className="flex flex-wrap gap-1.5">
          {library}
          {!isFull && shown.some(({ address }) => address !== "") && (
            <Button variant="ghost" size="sm" onClick={rows.addEmpty}>
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
        most={most === 1 ? 1 : most - shown.filter(({ address }) => address !== "").length}
        onPick={rows.addAddresses}
      />
    </div>
  );
}

/** Shows the field once its upload was pressed in the queue. */
function useWantedField(place: UploadPlace, id: string): void {
  const isWanted = useUploadStore(({ wantedField }) => wantedField !== undefined && isSamePlace(wantedField, place));
  useEffect(() => {
    if (!isWanted) return;
    wantField(undefined);
    const box = document.getElementById(`${id}-box`);
    box?.scrollIntoView?.({ block: "center" });
    box?.querySelector<HTMLElement>("button, input")?.focus({ preventScroll: true });
  }, [isWanted, id]);
}

/** After a reload: the browser gives no file a second time, so the person has to choose it again. */
function UnfinishedLine({ place, isFilled }: { place: UploadPlace; isFilled: boolean }) {
  const accountId = useConnection()?.accountId ?? "";
  const [names] = useState(() =>
    unfinishedUploads(accountId).flatMap((one) => (isSamePlace(one.place, place) ? [one.name] : [])),
  );
  useEffect(() => forgetUnfinished(accountId, place), [accountId, place]);
  if (names.length === 0 || isFilled) return null;
  return (
    <p role="status" className="wrap-anywhere m-0 flex gap-2 text-[12.5px] text-ink-2">
      <RotateCcw aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      <span>
        The page was reloaded before {names.map((name) => visibleLine(name)).join(", ")}{" "}
        {names.length === 1 ? "was uploaded. Choose the file again." : "were uploaded. Choose the files again."}
      </span>
    </p>
  );
}

/** What files are called that this browser stored with the service, by their address. */
function useFileNames(): ReadonlyMap<string, string> {
  return new Map(useRememberedUploads()?.map(({ publicUrl, name }) => [publicUrl, name]));
}
