import { ArrowDown, ArrowUp, CloudUpload, Crop, FolderOpen, Plus } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { uploadCommands } from "#media/commands.ts";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { readMedia } from "#media/fetch-media.ts";
import { nameInAddress } from "#media/file-address.ts";
import { noteFacts } from "#media/file-facts.ts";
import { MediaInput, type PreviewResult } from "#media/upload/media-input.tsx";
import { useRememberedUploads } from "#media/upload/upload-memory.ts";
import { seeUploads, uploadTo, useUploadStore, wantedUpload, wantField } from "#media/upload/upload-store.ts";
import { getAccountUploads, type Uploads } from "#media/upload/uploads.ts";
import { refusedAddresses } from "#runs/job-inputs.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import { useFormPayload } from "#schema-form/form/use-schema-form.ts";
import {
  addressesIn,
  getMediaAddress,
  getMediaKind,
  isUpload,
  maxFiles,
  mediaItems,
  mediaValue,
} from "#schema-form/media-value.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import type { FieldIds } from "#ui/field.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import {
  type AskedShape,
  askedShape,
  droppedUploads,
  followRows,
  getMediaItems,
  isOtherShape,
  isUploadedItem,
  type MediaRow,
  movedRow,
  startIn,
  withAddresses,
  withAddressIn,
  withEmptyRow,
  withFileIn,
  withFiles,
  withoutRow,
} from "./media-inputs.ts";

// Loaded when needed: it reads pictures, and draws them.
const CropDialog = lazyPart(() => import("#media/upload/crop-dialog.tsx").then((module) => module.CropDialog));

import { PickMediaDialog } from "./pick-media.tsx";

/**
 * A media parameter on Create: a file that is stored with the service, or any public address; several where allowed.
 */
export function MediaFields({ field, value, onChange, onBlur, ids, place }: MediaControlProps) {
  const { form } = useFormContext();
  const max = maxFiles(field);
  const uploads = getAccountUploads(useApi(), useConnection()?.accountId ?? "");
  const start = startIn(form, place, field, uploads);
  const [shown, setShown] = useState<readonly MediaRow[]>([]);
  const rows = followRows(shown, mediaItems(value));
  if (rows !== shown) setShown(rows);
  useNoteShown(form.modelId, rows, ids.id);

  function change(next: readonly MediaRow[]) {
    setShown(next);
    for (const upload of droppedUploads(rows, next)) uploads.cancel(upload);
    onChange(mediaValue(field, getMediaItems(next)));
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
  const isGiven = rows.some(({ item }) => getMediaAddress(item) !== "");
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
      {isPicking && (
        <PickMediaDialog
          label={field.label}
          media={field.media}
          max={max === 1 ? 1 : max - getMediaItems(rows).length}
          onPick={(addresses) => change(withAddresses(rows, max, addresses))}
          onClose={() => setIsPicking(false)}
        />
      )}
    </div>
  );
}

/**
 * Notes that the field is on the screen: its stored files leave the queue. Scrolls to it if that was asked for there.
 */
function useNoteShown(modelId: string, rows: readonly MediaRow[], id: string): void {
  const uploads = useUploadStore((state) => state.uploads);
  const isWanted = useUploadStore((state) => {
    const wanted = wantedUpload(state);
    return wanted !== undefined && wanted.modelId === modelId && rows.some(({ item }) => isUploadedItem(item, wanted));
  });
  useEffect(() => {
    if (uploads.length > 0) seeUploads(addressesIn(getMediaItems(rows)));
  }, [uploads, rows]);
  useEffect(() => {
    if (!isWanted) return;
    wantField(undefined);
    const box = document.getElementById(`${id}-box`);
    box?.scrollIntoView?.({ block: "center" });
    box?.querySelector<HTMLElement>("button, input")?.focus({ preventScroll: true });
  }, [isWanted, id]);
}

/** The names of files that this browser stored with the service, by their address. */
function useFileNames(): ReadonlyMap<string, string> {
  return new Map(useRememberedUploads()?.map(({ publicUrl, name }) => [publicUrl, name]));
}

interface MediaFieldRowProps {
  field: MediaField;
  row: MediaRow;
  rows: readonly MediaRow[];
  uploads: Uploads;
  position: number;
  ids: FieldIds;
  /** The names of files that this browser stored, by address. */
  names: ReadonlyMap<string, string>;
  /** The shape of the run's result, where an image may be cropped to it. */
  shape: AskedShape | undefined;
  /** Addresses with which a job has failed. */
  refused: ReadonlySet<string>;
  /** Another way to fill it. */
  extra: ReactNode;
  onRows: (rows: readonly MediaRow[]) => void;
  onAddress: (address: string) => void;
  onClear: () => void;
  onFiles: (files: readonly File[]) => void;
  onBlur: () => void;
}

/**
 * One input of a media field: its order among others, cutting it to shape, and storing it again where a host refuses.
 */
function MediaFieldRow({ field, row, rows, position, ids, shape, uploads, ...rest }: MediaFieldRowProps) {
  const { item } = row;
  const address = getMediaAddress(item);
  const upload =
    useUploadStore((state) => isUpload(item) && state.uploads.find(({ id }) => id === item.upload)) || undefined;
  const stored = useUploadStore((state) => uploadTo(state.uploads, address));
  const [preview, setPreview] = useState<{
    source: string | File;
    upload: string | undefined;
    result: PreviewResult;
  }>();
  // Undefined before the dialog is opened for the first time.
  const [isCropping, setIsCropping] = useState<boolean>();
  const label = position === 0 ? field.label : `${field.label} ${position + 1}`;
  const source = upload?.file ?? address;
  const name = stored?.name ?? rest.names.get(address);
  const hasFailedJob = rest.refused.has(address);
  // When an upload has just become an address, the measurements of the file count until the address itself was loaded.
  // A file that could not be shown says nothing about the address.
  const isStored = preview?.upload !== undefined && preview.result !== "refused" && preview.upload === stored?.id;
  const result = (isStored || preview?.source === source) && source !== "" ? preview?.result : undefined;
  // So that a run that is pressed before the address was loaded knows its size.
  useEffect(() => {
    if (result && result !== "refused" && !upload && address !== "") noteFacts(address, result);
  }, [result, upload, address]);
  useDeletedMedia();
  const isDeleted = isFileDeleted(address) !== false;
  // Of several files only the deleted ones are marked.
  const isAnyDeleted = rows.some((one) => isFileDeleted(getMediaAddress(one.item)) !== false);
  const invalid = isAnyDeleted ? isDeleted : ids.invalid;
  const size = result && result !== "refused" && (upload || !isDeleted) ? result : undefined;
  const isForeign = !upload && !isDeleted && /^https?:/i.test(address) && (hasFailedJob || result === "refused");
  const give = useGiveLater(rest.onFiles);
  return (
    <MediaInput
      id={position === 0 ? ids.id : `${ids.id}-${position}`}
      label={label}
      describedBy={ids.describedBy}
      invalid={invalid}
      kind={getMediaKind(field.media)}
      value={address}
      name={name}
      note={stored?.state.phase === "done" ? stored.state.note : undefined}
      upload={upload}
      onChange={rest.onAddress}
      onClear={rest.onClear}
      onFiles={rest.onFiles}
      isSeveral={field.shape !== "one"}
      onCancel={() => upload && uploads.cancel(upload.id)}
      onRetry={() => upload && uploads.retry(upload.id)}
      onPreview={(found) => setPreview({ source, upload: upload?.id, result: found })}
      onBlur={rest.onBlur}
      tools={
        rows.length > 1 && (
          <MediaRowTools label={label} row={row} rows={rows} onRows={rest.onRows} position={position} />
        )
      }
      extra={rest.extra}
      lines={
        <>
          {size && shape && isOtherShape(size, shape.ratio) && (
            <CropOffer size={size} shape={shape} onCrop={() => setIsCropping(true)} />
          )}
          {isForeign && (
            <MediaRehost key={address} address={address} label={label} hasFailedJob={hasFailedJob} onFile={give} />
          )}
          {shape && isCropping !== undefined && (
            <CropDialog
              open={isCropping}
              onOpenChange={setIsCropping}
              source={source}
              name={upload?.name ?? name}
              shape={shape}
              onCropped={give}
            />
          )}
        </>
      }
    />
  );
}

/**
 * A function that gives a file to the input later, such as after cropping. It uses the latest `onFiles`, because the
 * field may have changed meanwhile, and does nothing once the input is gone.
 */
function useGiveLater(onFiles: (files: readonly File[]) => void): (file: File) => void {
  const latest = useRef<typeof onFiles>(undefined);
  useEffect(() => {
    latest.current = onFiles;
    return () => {
      latest.current = undefined;
    };
  }, [onFiles]);
  return (file) => latest.current?.([file]);
}

/** Moves one of several inputs up and down. The focus stays on the button, so that it can be pressed again. */
function MediaRowTools({
  label,
  row,
  rows,
  onRows,
  position,
}: {
  label: string;
  row: MediaRow;
  rows: readonly MediaRow[];
  onRows: (rows: readonly MediaRow[]) => void;
  position: number;
}) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  function move(by: -1 | 1) {
    flushSync(() => onRows(movedRow(rows, row.key, by)));
    // An element that moves in the document loses the focus.
    (by === -1 ? up : down).current?.focus();
  }
  return (
    <>
      <IconButton ref={up} size="sm" label={`Move ${label} up`} aria-disabled={position === 0} onClick={() => move(-1)}>
        <ArrowUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        ref={down}
        size="sm"
        label={`Move ${label} down`}
        aria-disabled={position === rows.length - 1}
        onClick={() => move(1)}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  );
}

/**
 * Offers to crop an image that has other proportions than the result will have. Nothing waits for it. It is one
 * line, because it appears late, once the image is measured, and moves what stands below.
 */
function CropOffer({
  size,
  shape,
  onCrop,
}: {
  size: { width: number; height: number };
  shape: AskedShape;
  onCrop: () => void;
}) {
  const why = `This image is ${size.width} × ${size.height}, but the result is ${shape.label}. The model may crop it.`;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2.5 text-sm text-ink-2">
      <p className="m-0" title={why}>
        Crop the image first?
      </p>
      <Button size="sm" title={why} onClick={onCrop}>
        <Crop aria-hidden="true" className="size-3.5" />
        Crop to {shape.label}
      </Button>
    </div>
  );
}

/** Offers to store a file of another host with the service, for a host that refuses data centres (spec 4.1 rule 4). */
function MediaRehost({
  address,
  label,
  hasFailedJob,
  onFile,
}: {
  address: string;
  /** The label of its field. */
  label: string;
  /** Whether a job failed because of it; else only this page could not show it. */
  hasFailedJob: boolean;
  onFile: (file: File) => void;
}) {
  const [phase, setPhase] = useState<"asking" | "fetching" | "refused">("asking");
  async function rehost() {
    setPhase("fetching");
    try {
      const bytes = await (await readMedia(address)).arrayBuffer();
      setPhase("asking");
      onFile(new File([bytes], nameInAddress(address) ?? "input"));
    } catch {
      setPhase("refused");
    }
  }
  return (
    <div role="status" className="flex items-start gap-2 text-sm text-ink-2">
      <span className="min-w-0 flex-1">
        {phase === "refused"
          ? "This page can’t read the file either. Download it in your browser, then drop it here."
          : hasFailedJob
            ? "A job failed because the service couldn’t load this file. Upload a copy to use it."
            : "The file’s host doesn’t allow a preview here. The service may not be able to load it either."}
      </span>
      {phase !== "refused" && (
        <CommandButton
          size="sm"
          busy={phase === "fetching"}
          command={{
            ...uploadCommands.rehost,
            label: `Upload a copy: ${label}`,
            icon: CloudUpload,
            run: () => void rehost(),
          }}
        >
          Upload a copy
        </CommandButton>
      )}
    </div>
  );
}
