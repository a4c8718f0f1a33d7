import { ArrowDown, ArrowUp, Crop } from "lucide-react";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { MediaInput, type PendingInput } from "#media/upload/media-input.tsx";
import type { PreviewResult } from "#media/upload/media-input-preview.tsx";
import { MediaRehost } from "#media/upload/media-rehost.tsx";
import type { MediaField } from "#schema-form/read/field.ts";
import { Button, IconButton } from "#ui/button.tsx";
import type { FieldIds } from "#ui/field.tsx";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";
import type { MediaRow, MediaRows } from "./media-inputs.ts";
import { type AskedShape, isOtherShape, pictureSize } from "./picture-shape.ts";

const CropDialog = lazyNamed(() => import("#media/upload/crop-dialog.tsx"), "CropDialog");

const UPLOAD_KIND = { image: "image", video: "video", audio: "audio", file: undefined } as const;

interface MediaFieldRowProps {
  field: MediaField;
  row: MediaRow;
  rows: MediaRows;
  position: number;
  ids: FieldIds;
  /** What the file at the row's address is called, where this browser stored it. */
  name: string | undefined;
  /** What the run asks for, where a picture may be cut to it. */
  shape: AskedShape | undefined;
  /** The person chose to use pictures of this field uncut. */
  isWhole: boolean;
  onWhole: () => void;
  hasFailedJob: boolean;
  /** Another way to fill it. */
  extra: ReactNode;
  onBlur: () => void;
  onPending: (pending: PendingInput, by: 1 | -1) => void;
}

/** One input of a media field: its order among others, cutting it to shape, and storing it again where a host refuses. */
export function MediaFieldRow({ field, row, rows, position, ids, shape, hasFailedJob, ...rest }: MediaFieldRowProps) {
  const [preview, setPreview] = useState<{ address: string; result: PreviewResult }>();
  const [waitingSize, setWaitingSize] = useState<{ width: number; height: number }>();
  const [isCropping, setIsCropping] = useState(false);
  const label = position === 0 ? field.label : `${field.label} ${position + 1}`;
  const isSeveral = field.shape !== "one";
  const result = preview?.address === row.address && row.address !== "" ? preview.result : undefined;
  useDeletedMedia();
  const isDeleted = isFileDeleted(row.address) !== false;
  // Of several files those that are gone are marked, and not the others.
  const invalid = rows.get().some(({ address }) => isFileDeleted(address)) ? isDeleted : ids.invalid;
  const isOther = !isDeleted && shape && result && result !== "refused" && isOtherShape(result, shape.ratio);
  const isForeign = !isDeleted && /^https?:/i.test(row.address) && (hasFailedJob || result === "refused");
  const ratio = rest.isWhole ? undefined : shape?.ratio;
  // Cut before it is stored: what is cut away never leaves this device, and nothing is uploaded twice.
  const asksFirst = useCallback(
    async (file: File) => {
      const size = ratio === undefined ? undefined : await pictureSize(file);
      setWaitingSize(size);
      return size !== undefined && ratio !== undefined && isOtherShape(size, ratio);
    },
    [ratio],
  );
  return (
    <MediaInput
      id={position === 0 ? ids.id : `${ids.id}-${position}`}
      label={label}
      describedBy={ids.describedBy}
      invalid={invalid}
      kind={UPLOAD_KIND[field.media]}
      value={row.address}
      name={rest.name}
      file={row.file}
      onChange={(address) => rows.set(row.id, address)}
      onClear={() => rows.remove(row.id)}
      onFiles={(files) => rows.giveFiles(row.id, files)}
      isSeveral={isSeveral}
      onCancel={() => rows.dropFile(row.id)}
      asksFirst={asksFirst}
      onPreview={(found) => setPreview({ address: row.address, result: found })}
      onBlur={rest.onBlur}
      onPending={rest.onPending}
      tools={rows.get().length > 1 && <MediaRowTools label={label} row={row} rows={rows} position={position} />}
      extra={
        <>
          {isOther && (
            <Button size="sm" onClick={() => setIsCropping(true)}>
              <Crop aria-hidden="true" className="size-3.5" />
              Crop to {shape.label}
            </Button>
          )}
          {rest.extra}
        </>
      }
      lines={(send, waiting) => (
        <>
          {waiting && waitingSize && shape && (
            <CropChoice
              size={waitingSize}
              shape={shape}
              wholeWords={rows.get().length > 1 ? "Keep all whole" : "Keep it whole"}
              onCrop={() => setIsCropping(true)}
              onWhole={() => (isSeveral ? rest.onWhole() : send(waiting))}
            />
          )}
          {isForeign && !waiting && (
            <MediaRehost key={row.address} address={row.address} hasFailedJob={hasFailedJob} onFile={send} />
          )}
          {shape && (
            <LazyMount when={isCropping}>
              <CropDialog
                open={isCropping}
                onOpenChange={setIsCropping}
                source={waiting ?? row.address}
                shape={shape}
                onCropped={send}
              />
            </LazyMount>
          )}
        </>
      )}
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

/** A picture of other proportions than the run asks for, before it is stored: cut first, or uncut. */
function CropChoice({
  size,
  shape,
  wholeWords,
  onCrop,
  onWhole,
}: {
  size: { width: number; height: number };
  shape: AskedShape;
  wholeWords: string;
  onCrop: () => void;
  onWhole: () => void;
}) {
  return (
    <>
      <p role="status" className="m-0 text-[12.5px] text-ink-2 tabular-nums">
        {size.width} × {size.height}, and the run makes {shape.label}.
      </p>
      <div data-choice="" className="flex flex-wrap gap-1.5">
        <Button size="sm" onClick={onCrop}>
          <Crop aria-hidden="true" className="size-3.5" />
          Crop to {shape.label}
        </Button>
        <Button size="sm" onClick={onWhole}>
          {wholeWords}
        </Button>
      </div>
    </>
  );
}
