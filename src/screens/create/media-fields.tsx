import { FolderOpen, Plus } from "lucide-react";
import { lazy, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { refusedAddresses } from "#jobs/host-refusals.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import type { MediaInputProps } from "#media/media-input.tsx";
import { type MediaControlProps, useFormContext } from "#schema-form/form/form-context.ts";
import { mediaAddresses, mediaValue } from "#schema-form/form/media-addresses.ts";
import { useFormPayload } from "#schema-form/form/use-schema-form.ts";
import { Button } from "#ui/button.tsx";
import { OnDemand } from "#ui/on-demand.tsx";
import { askedShape } from "./asked-shape.ts";
import { takeOffer, useFileDesk } from "./file-desk.ts";
import { MediaFieldRow } from "./media-field-row.tsx";
import { createMediaRows } from "./media-rows.ts";
import { useFileNames } from "./use-file-names.ts";

const PickMediaDialog = lazy(() =>
  import("./pick-media-dialog.tsx").then((module) => ({ default: module.PickMediaDialog })),
);

/** A media parameter on Create: a file that is stored with the service, or any public address; several where allowed. */
export function MediaFields({
  field,
  value,
  onChange,
  onBlur,
  ids,
  onPending,
}: MediaControlProps & { onPending: MediaInputProps["onPending"] }) {
  const { store } = useFormContext();
  const most = field.shape === "one" ? 1 : (field.maxItems ?? Number.POSITIVE_INFINITY);
  const given = mediaAddresses(value);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  }, [onChange]);
  const [rows] = useState(() =>
    createMediaRows({
      addresses: given,
      most,
      onChange: (addresses) => tell.current(mediaValue(field, addresses)),
    }),
  );
  const shown = useSyncExternalStore(rows.subscribe, rows.get);
  const words = JSON.stringify(given);
  useEffect(() => rows.follow(JSON.parse(words)), [rows, words]);

  const offer = useFileDesk(({ offers }) => offers.find(({ form, key }) => form === store.id && key === field.key));
  useEffect(() => {
    if (!offer) return;
    takeOffer(offer);
    rows.addFiles(offer.files);
  }, [offer, rows]);

  const [isPicking, setIsPicking] = useState(false);
  const payload = useFormPayload(store);
  const shape = useMemo(() => askedShape(store.schema, payload), [store, payload]);
  const jobs = useTrackedJobs();
  const refused = useMemo(() => refusedAddresses(jobs), [jobs]);
  const names = useFileNames(shown.map(({ address }) => address));
  // For several at once one answer is enough, for as long as the run asks for the same shape.
  const [wholeFor, setWholeFor] = useState<string>();
  const isFull = shown.length >= most;
  const earlier = (
    <Button variant={most === 1 ? "outline" : "ghost"} size="sm" onClick={() => setIsPicking(true)}>
      <FolderOpen aria-hidden="true" className="size-3.5" />
      Earlier files
    </Button>
  );
  return (
    <div className="flex flex-col gap-2">
      {shown.map((row, position) => (
        <MediaFieldRow
          key={row.id}
          field={field}
          row={row}
          rows={rows}
          position={position}
          ids={ids}
          shape={field.media === "image" && field.role !== "mask" ? shape : undefined}
          name={names.get(row.address)}
          isWhole={wholeFor !== undefined && wholeFor === shape?.label}
          onWhole={() => setWholeFor(shape?.label)}
          extra={most === 1 && earlier}
          hasFailedJob={refused.has(row.address)}
          onBlur={onBlur}
          onPending={onPending}
        />
      ))}
      {most > 1 && (
        <div className="flex flex-wrap gap-1.5">
          {earlier}
          {!isFull && shown.some(({ address }) => address !== "") && (
            <Button variant="ghost" size="sm" onClick={rows.addEmpty}>
              <Plus aria-hidden="true" className="size-3.5" />
              Add another
            </Button>
          )}
        </div>
      )}
      <OnDemand when={isPicking}>
        <PickMediaDialog
          open={isPicking}
          onOpenChange={setIsPicking}
          label={field.label}
          media={field.media}
          most={most === 1 ? 1 : most - shown.filter(({ address }) => address !== "").length}
          onPick={rows.addAddresses}
        />
      </OnDemand>
    </div>
  );
}
