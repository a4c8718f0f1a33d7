import { type Pixels, serveDecoder } from "./serve-decoder.ts";

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  /** Fills `data` with RGBA, upright, and hands it back, or null where it could not. */
  display(target: Pick<Pixels, "data" | "width" | "height">, done: (filled: object | null) => void): void;
}

interface Libheif {
  HeifDecoder: new () => { decode(bytes: ArrayBuffer): HeifImage[] };
}

// The build of plain JavaScript: the page's policy compiles no WebAssembly. libheif is under the LGPL-3.0: it stays in
// a file of its own without a line of ours, so that another build of it can take its place
// (public/licences/libheif.txt).
const loadLibheif = () => import("libheif-js/libheif/libheif.js");

/** The main picture of a HEIC file. @throws where the bytes are not one, or a kind that the decoder does not know. */
export async function readHeic(bytes: ArrayBuffer): Promise<Pixels> {
  const { default: libheif } = await loadLibheif();
  const { HeifDecoder } = (libheif as unknown as () => Libheif)();
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
  if (!image) throw new Error("This file contains no image.");
  const [width, height] = [image.get_width(), image.get_height()];
  const data = new Uint8ClampedArray(width * height * 4);
  const filled = await new Promise((resolve) => image.display({ data, width, height }, resolve));
  if (!filled) throw new Error("This image can’t be read.");
  return { width, height, data, orientation: 1 };
}

serveDecoder(readHeic);
