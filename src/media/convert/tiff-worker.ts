import { decode, decodeImage, type IFD, toRGBA8 } from "utif2";
import { type Pixels, serveDecoder } from "./serve-decoder.ts";

// Tags of TIFF 6.0 by their numbers, as the decoder names them.
const WIDTH = "t256";
const COLOURS = "t262";
const ORIENTATION = "t274";
const SAMPLES = "t277";
const CMYK = 5;

/** The first page of a TIFF. @throws where the bytes are no such file, or a kind that the decoder does not know. */
export function readTiff(bytes: ArrayBuffer): Pixels {
  const page = decode(bytes).find((ifd) => WIDTH in ifd);
  if (!page) throw new Error("This TIFF contains no image.");
  decodeImage(bytes, page);
  const { width, height } = page;
  const data = new Uint8ClampedArray(toRGBA8(page));
  if (!(width > 0 && height > 0) || data.length !== width * height * 4) throw new Error("This TIFF is damaged.");
  // The decoder reads the alpha of the last CMYK pixel from beyond the data.
  if (firstNumber(page, COLOURS) === CMYK && firstNumber(page, SAMPLES) === 4) data[data.length - 1] = 255;
  return { width, height, data, orientation: firstNumber(page, ORIENTATION) ?? 1 };
}

function firstNumber(page: IFD, tag: string): number | undefined {
  const value = page[tag];
  const [first] = Array.isArray(value) ? value : [];
  return typeof first === "number" ? first : undefined;
}

// For CMYK the decoder looks for a color library in `window`, which a worker does not have.
Object.assign(self, { window: self });
serveDecoder(readTiff);
