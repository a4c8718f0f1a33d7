/** How many pixels one rem has: 16 unless the person has set another font size in the browser. */
const ROOT_PX =
  Number.parseFloat(globalThis.document ? getComputedStyle?.(document.documentElement)?.fontSize : "") || 16;

/**
 * A height or width of text in pixels, for layouts that are computed: what `pixels` becomes at the reader's font size. It is read
 * when the page loads, so a new font size shows after a reload.
 */
export function rem(pixels: number): number {
  return (pixels / 16) * ROOT_PX;
}
