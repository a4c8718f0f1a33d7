/** A decoded picture: RGBA, 8 bits a channel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
  /** 1 to 8, as TIFF and Exif count; 1 is upright. */
  orientation: number;
}
