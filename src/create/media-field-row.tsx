import { ArrowDown, ArrowUp, Crop } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { noteFacts } from "#media/file-facts.ts";
import { CropDialog } from "#media/upload/crop-dialog.tsx";
import { MediaInput } from "#media/upload/media-input.tsx";
import type { PreviewResult } from "#media/upload/media-input-preview.tsx";
import { MediaRehost } from "#media/upload/media-rehost.tsx";
import { uploadTo, useUploadStore } from "#media/upload/upload-store.ts";
import type { Uploads } from "#media/upload/uploads.ts";
import { addressOf, isUpload, mediaKindOf } from "#schema-form/media-value.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { Button, IconButton } from "#ui/button.tsx";
import type { FieldIds } from "#ui/field.tsx";
import { type MediaRow, movedRow } from "./media-inputs.ts";
import { type AskedShape, isOtherShape } from "./picture-shape.ts";

interface MediaFieldRowProps {
  field: MediaField;
  row: MediaRow;
  rows: readonly MediaRow[];
  uploads: Uploads;
  position: number;
  ids: FieldIds;
  /** What the file at an address is called, where this browser stored it. */
  names: ReadonlyMap<string, string>;
  /** What the run asks for, where a picture may be cut to it. */
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

/** One input of a media field: its order among others, cutting it to shape, and storing it again where a host refuses. */
export function MediaFieldRow({ field, row, rows, position, ids, shape, uploads, ...rest }: MediaFieldRowProps) {
  const { item } = row;
  const address = addressOf(item);
  const upload =
    useUploadStore((state) => isUpload(item) && state.uploads.find(({ id }) => id === item.upload)) || undefined;
  const stored = useUploadStore((state) => uploadTo(state.uploads, address));
  const [preview, setPreview] = useState<{
    source: string | File;
    upload: string | undefined;
    result: PreviewResult;
  }>();
  const [isCropping, setIsCropping] = useState(false);
  const label = position === 0 ? field.label : `${field.label} ${position + 1}`;
  const source = upload?.file ?? address;
  const name = stored?.name ?? rest.names.get(address);
  const hasFailedJob = rest.refused.has(address);
  // The address has just come: what the preview of the file found holds until the address itself was read. That the page could
  // not show the file says nothing about its address.
  const isStored = preview?.upload !== undefined && preview.result !== "refused" && preview.upload === stored?.id;
  const result = (isStored || preview?.source === source) && source !== "" ? preview?.result : undefined;
  // For the frame of a run that is pressed before the address was read.
  useEffect(() => {
    if (result && result !== "refused" && !upload && address !== "") noteFacts(address, result);
  }, [result, upload, address]);
  useDeletedMedia();
  const isDeleted = isFileDeleted(address) !== false;
  // Of several files those that are gone are marked, and not the others.
  const isAnyDeleted = rows.some((one) => isFileDeleted(addressOf(one.item)) !== false);
  const invalid = isAnyDeleted ? isDeleted : ids.invalid;
  const size = result && result !== "refused" && (upload || !isDeleted) ? result : undefined;
  const isForeign = !upload && !isDeleted && /^https?:/i.test(address) && (hasFailedJob || result === "refused");
  const give = useGive(rest.onFiles);
  return (
    <MediaInput
      id={position === 0 ? ids.id : `${ids.id}-${position}`}
      label={label}
      describedBy={ids.describedBy}
      invalid={invalid}
      kind={mediaKindOf(field.media)}
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
          {shape && (
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
 * Gives a file to the input that was made for it and took a while: the field may have changed meanwhile. Where the input is
 * gone, the file is not wanted any more.
 */
function useGive(onFiles: (files: readonly File[]) => void): (file: File) => void {
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
    // The browser takes the focus off an element that is put elsewhere.
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
 * Offered where a picture has other proportions than the result will have. It can be left alone: nothing waits for it.
 * One line, since it comes when the picture is measured and moves what stands below it; the dialog has the numbers, too.
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
  const why = `The image is ${size.width} × ${size.height} and the result will be ${shape.label}, so the model may cut it.`;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2.5 text-[12.5px] text-ink-2">
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
