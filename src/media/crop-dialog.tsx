import { useEffect, useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { Slider } from "#ui/slider.tsx";
import { convertedName } from "./convert/converted-name.ts";
import { type Area, drawPicture } from "./convert/draw-picture.ts";
import { type ReadPicture, readPicture } from "./convert/read-picture.ts";
import { croppedSize, largestArea, scaledArea } from "./crop-area.ts";
import { CropFrame } from "./crop-frame.tsx";
import { fetchMedia } from "./fetch-media.ts";

export interface CropDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The picture: where it is, or itself where it is not stored yet. */
  source: string | File;
  shape: { ratio: number; pixels: { width: number; height: number } | undefined; label: string };
  /** The cut, to be stored in the picture's place. */
  onCropped: (file: File) => void;
}

/** Cuts a picture to the proportions that the run asks for, and makes it no larger than the run will be. */
export function CropDialog({ open, onOpenChange, ...rest }: CropDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Crop to ${rest.shape.label}`} size="md">
      <CropBody
        key={`${typeof rest.source === "string" ? rest.source : rest.source.name} ${rest.shape.label}`}
        {...rest}
        onClose={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

interface Loaded {
  picture: ReadPicture;
  src: string;
}

function CropBody({
  source,
  shape,
  onCropped,
  onClose,
}: Omit<CropDialogProps, "open" | "onOpenChange"> & { onClose: () => void }) {
  const loaded = usePicture(source);
  const [area, setArea] = useState<Area>();
  const [isBusy, setIsBusy] = useState(false);
  if (loaded === "failed") {
    return (
      <Notice tone="error" title="This picture cannot be cut here">
        {typeof source === "string"
          ? "Its host lets the page show it and not read it. Save it, then choose the file."
          : "This browser cannot read it. Save it as PNG or JPEG first."}
      </Notice>
    );
  }
  if (!loaded) return <Skeleton className="h-64" />;
  const { picture, src } = loaded;
  const most = largestArea(picture, shape.ratio);
  const kept = area ?? most;
  const size = croppedSize(kept, shape.pixels);

  async function crop() {
    setIsBusy(true);
    const made = await drawPicture(picture, kept, size);
    onCropped(new File([made], cutName(source, made.type === "image/jpeg" ? "jpg" : "png"), { type: made.type }));
    onClose();
  }
  return (
    <div className="flex flex-col gap-3">
      <CropFrame src={src} picture={picture} area={kept} onArea={setArea} />
      <div className="flex items-center gap-3">
        <span className="shrink-0 text-[12.5px] text-ink-2">Size</span>
        <Slider
          aria-label="Part of the picture, percent"
          min={10}
          max={100}
          value={Math.round((kept.width / most.width) * 100)}
          onChange={(event) =>
            setArea(scaledArea(kept, picture, (Number(event.target.value) * most.width) / 100 / kept.width))
          }
        />
        <span className="w-10 shrink-0 text-right text-[12.5px] text-ink-2 tabular-nums">
          {Math.round((kept.width / most.width) * 100)}%
        </span>
      </div>
      <p className="m-0 text-[12.5px] text-ink-2 tabular-nums">
        {picture.width} × {picture.height} becomes {size.width} × {size.height}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={isBusy} onClick={() => void crop()}>
          Crop and store
        </Button>
      </div>
    </div>
  );
}

/** "sea.png" cut is "sea cut.png", so that it is found again among earlier files. */
function cutName(source: string | File, extension: string): string {
  const name = typeof source === "string" ? "picture" : source.name;
  return convertedName(name, extension).replace(/(\.[a-z]+)$/, " cut$1");
}

function usePicture(source: string | File): Loaded | "failed" | undefined {
  const [loaded, setLoaded] = useState<Loaded | "failed">();
  useEffect(() => {
    const controller = new AbortController();
    let close: (() => void) | undefined;
    async function load() {
      const blob = typeof source === "string" ? await (await fetchMedia(source, controller.signal)).blob() : source;
      const picture = await readPicture(blob);
      const src = URL.createObjectURL(blob);
      close = () => {
        picture.close();
        URL.revokeObjectURL(src);
      };
      if (controller.signal.aborted) close();
      else setLoaded({ picture, src });
    }
    load().catch(() => !controller.signal.aborted && setLoaded("failed"));
    return () => {
      controller.abort();
      close?.();
    };
  }, [source]);
  return loaded;
}
