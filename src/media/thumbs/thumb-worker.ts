// The page may import only types and the address of this file: as a module of the page it would take its messages.

/** A picture to make small: a file, or a frame of a clip. */
export interface ThumbQuestion {
  id: number;
  picture: Blob | ImageBitmap;
}

/** `thumb` is missing where the browser cannot read the picture. */
export interface ThumbAnswer {
  id: number;
  thumb: DrawnThumb | undefined;
}

export interface DrawnThumb {
  /** "image/webp", or what the browser writes in its place. */
  type: string;
  bytes: ArrayBuffer;
  /** Pixels of the picture itself. */
  width: number;
  height: number;
}

/** Twice as high as a tile of the list, and wide enough for the widest ones. */
const MAX_HEIGHT = 440;
const MAX_WIDTH = 800;
const QUALITY = 0.78;

/** The size of a small picture: inside the bounds, in the same shape, and never larger than the picture. */
export function thumbSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, MAX_HEIGHT / height, MAX_WIDTH / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Makes a picture small. Of one that moves the first frame is taken, and it stands upright as its file says.
 * @throws what the browser throws where it cannot read or draw it.
 */
export async function drawThumb(picture: Blob | ImageBitmap): Promise<DrawnThumb> {
  const frame = picture instanceof Blob ? await createImageBitmap(picture) : picture;
  const { width, height } = frame;
  const size = thumbSize(width, height);
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("There is no canvas.");
  context.imageSmoothingQuality = "high";
  context.drawImage(frame, 0, 0, size.width, size.height);
  frame.close();
  const blob = await encode(canvas, context);
  return { type: blob.type, bytes: await blob.arrayBuffer(), width, height };
}

// A browser that writes no WebP gives a PNG, which is large: then a JPEG, unless something shows through.
async function encode(canvas: OffscreenCanvas, context: OffscreenCanvasRenderingContext2D): Promise<Blob> {
  const first = await canvas.convertToBlob({ type: "image/webp", quality: QUALITY });
  if (first.type !== "image/png") return first;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return first;
  return canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}

/** Makes small pictures off the page's thread. What cannot be read is answered without one. */
self.onmessage = async ({ data }: MessageEvent<ThumbQuestion>) => {
  const answer: ThumbAnswer = { id: data.id, thumb: await drawThumb(data.picture).catch(() => undefined) };
  self.postMessage(answer, { transfer: answer.thumb ? [answer.thumb.bytes] : [] });
};
