import { trustWorker } from "#lib/trust-worker.ts";
import { blobKind, convertedName, type FileKind, UnusableFileError } from "../file-kind.ts";
import heicWorker from "./heic-worker.ts?worker&url";
import tiffWorker from "./tiff-worker.ts?worker&url";

/** What a person can do with a file that no decoder here reads. */
const HOW_TO: Readonly<Record<string, string>> = {
  heic: "Export it as JPEG first. On a Mac, choose Export in Photos or Preview. On an iPhone, set Settings > Camera > Formats to Most Compatible.",
  tiff: "Export it as PNG or JPEG from any image program first.",
};

/** A picture of another kind as png or jpeg. @throws UnusableFileError where this browser cannot decode it. */
export async function convertPicture(file: File, found: FileKind): Promise<File> {
  let picture: ReadPicture;
  try {
    picture = await readPicture(file);
  } catch (error) {
    if (error instanceof UnusableFileError) throw error;
    const advice = HOW_TO[found.extension] ?? "Save it as PNG or JPEG first.";
    const problem = `This browser can’t read “${file.name}” (${found.extension}).`;
    throw new UnusableFileError(`${problem} The file may be damaged or have an unusual format. ${advice}`);
  }
  try {
    const made = await drawPicture(picture);
    return new File([made], convertedName(file.name, made.type === "image/jpeg" ? "jpg" : "png"), { type: made.type });
  } catch {
    const size = `${picture.width} × ${picture.height}`;
    throw new UnusableFileError(`“${file.name}” is too large for this browser to convert (${size} pixels).`);
  } finally {
    picture.close();
  }
}

/** A picture's pixels, ready to be drawn. Close it when done. */
export interface ReadPicture {
  source: CanvasImageSource;
  width: number;
  height: number;
  close(): void;
}

const fromBitmap = (bitmap: ImageBitmap): ReadPicture => ({
  source: bitmap,
  width: bitmap.width,
  height: bitmap.height,
  close: () => bitmap.close(),
});

/**
 * Decodes a picture, upright by its own orientation mark. Tries the browser's decoder, then an image element (where
 * some browsers decode HEIC and TIFF), then a decoder of the studio for these two.
 * @throws UnusableFileError where the decoder could not be loaded, another error where nothing can decode it.
 */
export async function readPicture(file: Blob): Promise<ReadPicture> {
  try {
    return fromBitmap(await createImageBitmap(file));
  } catch {
    return readInElement(file).catch(async () => {
      const found = await blobKind(file);
      return fromBitmap(await decodePicture(file, found?.extension ?? ""));
    });
  }
}

async function readInElement(file: Blob): Promise<ReadPicture> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return { source: image, width, height, close: () => URL.revokeObjectURL(url) };
}

// A photograph as png is many times its jpeg: a small one stays exact, a large one becomes a jpeg that shows no loss.
const LARGEST_PNG_BYTES = 8_000_000;
const JPEG_QUALITY = 0.95;

/** A rectangle of a picture, in its own pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A rectangle of a picture at a size in pixels, as png, or as jpeg where nothing shows through and the png would be
 * large.
 * @throws where the canvas is larger than this browser can hold.
 */
export async function drawPicture(
  picture: ReadPicture,
  area: Area = { x: 0, y: 0, width: picture.width, height: picture.height },
  size: { width: number; height: number } = area,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(size.width), Math.round(size.height));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser can’t draw an image of this size.");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture.source, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height);
  const png = await canvas.convertToBlob({ type: "image/png" });
  if (png.size <= LARGEST_PNG_BYTES || isSeeThrough(context)) return png;
  return canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY });
}

/** Whether any pixel is transparent. Reads bands of rows, so that a large picture is not copied as a whole. */
function isSeeThrough(context: OffscreenCanvasRenderingContext2D): boolean {
  const { width, height } = context.canvas;
  const rows = 256;
  for (let top = 0; top < height; top += rows) {
    const { data } = context.getImageData(0, top, width, Math.min(rows, height - top));
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  }
  return false;
}

const WORKERS: Readonly<Record<string, string>> = { heic: heicWorker, tiff: tiffWorker };
// A photograph takes seconds; a file made to keep a decoder busy is given up.
const LONGEST_MS = 60_000;

// HEIC or TIFF, by the extension that `fileKind` gives, decoded in a worker that is loaded with the first one. Rejects
// for other kinds, where the picture cannot be read, and after a minute.
async function decodePicture(file: Blob, extension: string): Promise<ImageBitmap> {
  const address = WORKERS[extension];
  if (!address) throw new Error(`There is no decoder for ${extension}.`);
  const bytes = await file.arrayBuffer();
  const worker = new Worker(trustWorker(address), { type: "module" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<ImageBitmap>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error("The conversion timed out.")), LONGEST_MS);
      worker.onerror = () =>
        reject(
          new UnusableFileError(
            `The converter for ${extension} files couldn’t be loaded. Try again, or reload the page.`,
          ),
        );
      worker.onmessage = ({ data }: MessageEvent<ImageBitmap | undefined>) =>
        data ? resolve(data) : reject(new Error("The decoder can’t read this image."));
      worker.postMessage(bytes, [bytes]);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
