import { ArrowDown, ArrowUp, Crop } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { noteFacts } from "#media/file-facts.ts";
import { CropDialog } from "#media/upload/crop-dialog.tsx";
import { MediaInput } from "#media/upload/media-input.tsx";
import type { PreviewResult } from "#media/upload/media-input-preview.tsx";
import { MediaRehost } from "#media/upload/media-rehost.tsx";
import { useUploadStore } from "#media/upload/upload-store.ts";
import type { Uploads } from "#media/upload/uploads.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { Button, IconButton } from "#ui/button.tsx";
import type { FieldIds } from "#ui/field.tsx";
import type { MediaRow, MediaRows } from "./media-inputs.ts";
import { type AskedShape, isOtherShape } from "./picture-shape.ts";

export const UPLOAD_KIND = { image: "image", video: "video", audio: "audio", file: undefined } as const;

interface MediaFieldRowProps {
  field: MediaField;
  row: MediaRow;
  rows: MediaRows;
  uploads: Pick<Uploads, "retry">;
  position: number;
  ids: FieldIds;
  /** What the file at the row's address is called, where this browser stored it. */
  name: string | undefined;
  /** What the run asks for, where a picture may be cut to it. */
  shape: AskedShape | undefined;
  hasFailedJob: boolean;
  /** Another way to fill it. */
  extra: ReactNode;
  onBlur: () => void;
}

/** One input of a media field: its order among others, cutting it to shape, and storing it again where a host refuses. */
export function MediaFieldRow({ field, row, rows, position, ids, shape, hasFailedJob, ...rest }: MediaFieldRowProps) {
  const upload = useUploadStore(({ uploads }) => uploads.find(({ id }) => id === row.upload));
  const [preview, setPreview] = useState<{ source: string | File; result: PreviewResult }>();
  const [isCropping, setIsCropping] = useState(false);
  const label = position === 0 ? field.label : `${field.label} ${position + 1}`;
  const source = upload?.file ?? row.address;
  const name = row.name ?? rest.name;
  // A file that is stored under an address is the same picture until that is read. That the page could not show the file
  // says nothing about its address.
  const isStored =
    preview?.source instanceof File &&
    preview.result !== "refused" &&
    row.name === preview.source.name &&
    row.address === source;
  const result = (isStored || preview?.source === source) && source !== "" ? preview?.result : undefined;
  // For the frame of a run that is pressed before the address was read.
  useEffect(() => {
    if (result && result !== "refused" && !upload && row.address !== "") noteFacts(row.address, result);
  }, [result, upload, row.address]);
  useDeletedMedia();
  const isDeleted = isFileDeleted(row.address) !== false;
  // Of several files those that are gone are marked, and not the others.
  const invalid = rows.get().some(({ address }) => isFileDeleted(address)) ? isDeleted : ids.invalid;
  const size = result && result !== "refused" && (upload || !isDeleted) ? result : undefined;
  const isForeign = !upload && !isDeleted && /^https?:/i.test(row.address) && (hasFailedJob || result === "refused");
  const give = (file: File) => rows.giveFiles(row.id, [file]);
  const stop = () => row.upload !== undefined && rows.dropUpload(row.upload);
  return (
    <MediaInput
      id={position === 0 ? ids.id : `${ids.id}-${position}`}
      label={label}
      describedBy={ids.describedBy}
      invalid={invalid}
      kind={UPLOAD_KIND[field.media]}
      value={row.address}
      name={name}
      note={row.note}
      upload={upload}
      onChange={(address) => rows.set(row.id, address)}
      onClear={() => rows.remove(row.id)}
      onFiles={(files) => rows.giveFiles(row.id, files)}
      isSeveral={field.shape !== "one"}
      onCancel={stop}
      onRetry={() => upload && rest.uploads.retry(upload.id)}
      onPreview={(found) => setPreview({ source, result: found })}
      onBlur={rest.onBlur}
      tools={rows.get().length > 1 && <MediaRowTools label={label} row={row} rows={rows} position={position} />}
      extra={rest.extra}
      lines={
        <>
          {size && shape && isOtherShape(size, shape.ratio) && (
            <CropOffer size={size} shape={shape} onCrop={() => setIsCropping(true)} />
          )}
          {isForeign && (
            <MediaRehost
              key={row.address}
              address={row.address}
              label={label}
              hasFailedJob={hasFailedJob}
              onFile={give}
            />
          )}
          {shape && (
            <CropDialog
              open={isCropping}
              onOpenChange={setIsCropping}
              source={source}
              name={upload?.file.name ?? name}
              shape={shape}
              onCropped={give}
            />
          )}
        </>
      }
    />
  );
}

/** Moves one of several inputs up and down. The focus stays on the button, so that it can be pressed again. */
function MediaRowTools({
  label,
  row,
  rows,
  position,
}: {
  label: string;
  row: MediaRow;
  rows: MediaRows;
  position: number;
}) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  function move(by: -1 | 1) {
    flushSync(() => rows.move(row.id, by));
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
        aria-disabled={position === rows.get().length - 1}
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
