/** A picture: RGBA bytes in sRGB, row by row, always opaque. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** Size in pixels (both even, as H.264 wants) and frames per second of a clip. */
export interface ClipShape {
  width: number;
  height: number;
  fps: number;
}

/**
 * What differs between Node and a page: turning pixels and samples into files. Painting and composing are the same code
 * on both, so the same request gives the same picture in both.
 */
export interface MediaEncoders {
  /** A PNG file of exactly the pixels' size. */
  png(pixels: Pixels): Promise<Uint8Array<ArrayBuffer>>;
  /** A JPEG file; `quality` is 1 to 100. */
  jpeg(pixels: Pixels, quality: number): Promise<Uint8Array<ArrayBuffer>>;
  /** A playable, seekable MP4 with H.264. Frames are taken one at a time, each of the clip's size. */
  mp4(frames: Iterable<Pixels> | AsyncIterable<Pixels>, shape: ClipShape): Promise<Uint8Array<ArrayBuffer>>;
  /** A 16-bit WAV file from interleaved stereo samples between -1 and 1; `rate` is in samples per second. */
  wav(samples: Float32Array, rate: number): Promise<Uint8Array<ArrayBuffer>>;
}
