import { ArrowDown, ArrowUp, Crop } from "lucide-react";
import { lazy, useState } from "react";
import { MediaInput } from "#media/media-input.tsx";
import type { PreviewResult } from "#media/media-input-preview.tsx";
import { MediaRehost } from "#media/media-rehost.tsx";
import type { MediaField } from "#schema-form/field.ts";
import { Button } from "#ui/button.tsx";
import type { FieldIds } from "#ui/field.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { OnDemand } from "#ui/on-demand.tsx";
import type { AskedShape } from "./asked-shape.ts";
import type { MediaRow, MediaRows } from "./media-rows.ts";

const CropDialog = lazy(() => import("#media/crop-dialog.tsx").then((module) => ({ default: module.CropDialog })));

const UPLOAD_KIND = { image: "image", video: "video", audio: "audio", file: undefined } as const;

/** Proportions closer than this are the same to the eye. */
const SAME_RATIO = 0.01;

export interface MediaFieldRowProps {
  field: MediaField;
  row: MediaRow;
  rows: MediaRows;
  position: number;
  ids: FieldIds;
  /** What the run asks for, where a picture may be cut to it. */
  shape: AskedShape | undefined;
  hasFailedJob: boolean;
  onBlur: () => void;
  onBusyChange: (isBusy: boolean) => void;
}

/** One input of a media field: its order among others, cutting it to shape, and storing it again where a host refuses. */
export function MediaFieldRow({ field, row, rows, position, ids, shape, hasFailedJob, ...rest }: MediaFieldRowProps) {
  const [preview, setPreview] = useState<{ address: string; result: PreviewResult }>();
  const [isCropping, setIsCropping] = useState(false);
  const label = position === 0 ? field.label : `${field.label} ${position + 1}`;
  const count = rows.get().length;
  const result = preview?.address === row.address && row.address !== "" ? preview.result : undefined;
  const size = result === "refused" ? undefined : result;
  const isOther = size && shape && Math.abs(Math.log(size.width / size.height / shape.ratio)) > SAME_RATIO;
  const isForeign = /^https?:/i.test(row.address) && (hasFailedJob || result === "refused");
  return (
    <MediaInput
      id={position === 0 ? ids.id : `${ids.id}-${position}`}
      label={label}
      describedBy={ids.describedBy}
      invalid={ids.invalid}
      kind={UPLOAD_KIND[field.media]}
      value={row.address}
      file={row.file}
      onChange={(address) => rows.set(row.id, address)}
      onClear={() => rows.remove(row.id)}
      onMoreFiles={field.shape === "one" ? undefined : rows.addFiles}
      onPreview={(found) => setPreview({ address: row.address, result: found })}
      onBlur={rest.onBlur}
      onBusyChange={rest.onBusyChange}
      tools={
        count > 1 && (
          <>
            <IconButton label={`Move ${label} up`} aria-disabled={position === 0} onClick={() => rows.move(row.id, -1)}>
              <ArrowUp aria-hidden="true" className="size-4" />
            </IconButton>
            <IconButton
              label={`Move ${label} down`}
              aria-disabled={position === count - 1}
              onClick={() => rows.move(row.id, 1)}
            >
              <ArrowDown aria-hidden="true" className="size-4" />
            </IconButton>
          </>
        )
      }
      extra={
        isOther && (
          <Button size="sm" onClick={() => setIsCropping(true)}>
            <Crop aria-hidden="true" className="size-3.5" />
            Crop to {shape.label}
          </Button>
        )
      }
      lines={(send) => (
        <>
          {isForeign && (
            <MediaRehost key={row.address} address={row.address} hasFailedJob={hasFailedJob} onFile={send} />
          )}
          {shape && (
            <OnDemand when={isCropping}>
              <CropDialog
                open={isCropping}
                onOpenChange={setIsCropping}
                address={row.address}
                shape={shape}
                onCropped={send}
              />
            </OnDemand>
          )}
        </>
      )}
    />
  );
}
