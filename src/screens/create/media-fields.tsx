import { FolderOpen, Plus } from "lucide-react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { refusedAddresses } from "#jobs/job-inputs.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import type { PendingInput } from "#media/upload/media-input.tsx";
import { rememberedUploads } from "#media/upload/upload-memory.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import { useFormPayload } from "#schema-form/form/use-schema-form.ts";
import { Button } from "#ui/button.tsx";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";
import { MediaFieldRow } from "./media-field-row.tsx";
import { createMediaRows, removePendingFiles, usePendingFiles } from "./media-inputs.ts";
import { askedShape } from "./picture-shape.ts";

const PickMediaDialog = lazyNamed(() => import("./pick-media.tsx"), "PickMediaDialog");

/** A media parameter on Create: a file that is stored with the service, or any public address; several where allowed. */
export function MediaFields({
  field,
  value,
  onChange,
  onBlur,
  ids,
  onPending,
}: MediaControlProps & { onPending: (pending: PendingInput, by: 1 | -1) => void }) {
  const { form } = useFormContext();
  const most = field.shape === "one" ? 1 : (field.maxItems ?? Number.POSITIVE_INFINITY);
  const given = mediaAddresses(value);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  }, [onChange]);
  const [rows] = useState(() =>
    createMediaRows({
      addresses: given,
      most,
      onChange: (addresses) => report.current(mediaValue(field, addresses)),
    }),
  );
  const shown = useSyncExternalStore(rows.subscribe, rows.get);
  const words = JSON.stringify(given);
  useEffect(() => rows.follow(JSON.parse(words)), [rows, words]);

  const dropped = usePendingFiles(({ pending }) =>
    pending.find(({ form: formId, key }) => formId === form.id && key === field.key),
  );
  useEffect(() => {
    if (!dropped) return;
    removePendingFiles(dropped);
    rows.addFiles(dropped.files);
  }, [dropped, rows]);

  const [isPicking, setIsPicking] = useState(false);
  const payload = useFormPayload(form);
  const shape = useMemo(() => askedShape(form.schema, payload), [form, payload]);
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
      <LazyMount when={isPicking}>
        <PickMediaDialog
          open={isPicking}
          onOpenChange={setIsPicking}
          label={field.label}
          media={field.media}
          most={most === 1 ? 1 : most - shown.filter(({ address }) => address !== "").length}
          onPick={rows.addAddresses}
        />
      </LazyMount>
    </div>
  );
}

/** What files are called that this browser stored with the service, by their address; read again when those change. */
function useFileNames(addresses: readonly string[]): ReadonlyMap<string, string> {
  const accountId = useConnection()?.accountId ?? "";
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const words = addresses.join(" ").trim();
  useEffect(() => {
    if (words === "") return;
    let isCurrent = true;
    void rememberedUploads(accountId).then(
      (uploads) => isCurrent && setNames(new Map(uploads.map(({ publicUrl, name }) => [publicUrl, name]))),
    );
    return () => {
      isCurrent = false;
    };
  }, [accountId, words]);
  return names;
}
