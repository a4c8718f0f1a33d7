import { percentile } from "../samples.mjs";
import { thumbTimes } from "./thumb-times.mjs";

/** @typedef {Parameters<typeof thumbTimes>[1]} ThumbOptions */

/**
 * Jumps through the grid twice, in two pages that share what the browser keeps: the first visit reads the files, the
 * second finds their small pictures. `open` opens the grid with its index read, `run` runs a function in the page.
 * @param {import("@playwright/test").Page} page
 * @param {number} jumps
 * @param {{
 *   open: () => Promise<void>,
 *   run: (work: typeof thumbTimes, options: ThumbOptions) => ReturnType<typeof thumbTimes>,
 * }} studio
 */
export async function measureThumbs(page, jumps, { open, run }) {
  const first = countMedia(page);
  await open();
  const seen = await run(thumbTimes, { jumps, longestMs: 8000 });
  // What was made last is written a moment later.
  await page.waitForTimeout(2000);
  const originals = await first();

  const kept = seen.filter(({ ms }) => ms !== undefined).map(({ job }) => job);
  if (kept.length === 0) throw new Error("No picture of the grid was painted.");
  const second = countMedia(page);
  await open();
  const again = await run(thumbTimes, { jumps, longestMs: 3000, only: kept });
  const media = await second();
  const times = again.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY);
  return {
    tiles: times.length,
    late: times.filter((ms) => ms > 300).length / Math.max(1, times.length),
    median: percentile(times, 0.5),
    p90: percentile(times, 0.9),
    originals,
    media,
  };
}

/**
 * Counts the files that are read from now on, and their bytes: those from the browser's own cache, too.
 * @param {import("@playwright/test").Page} page
 */
function countMedia(page) {
  /** @type {Promise<number>[]} */
  const bytes = [];
  /** @param {import("@playwright/test").Request} request */
  const onFinished = (request) => {
    if (!/\.(png|jpe?g|webp|avif|gif|mp4|webm|wav|mp3)$/.test(new URL(request.url()).pathname)) return;
    bytes.push(
      request.sizes().then(
        ({ responseBodySize }) => responseBodySize,
        () => 0,
      ),
    );
  };
  page.on("requestfinished", onFinished);
  return async () => {
    page.off("requestfinished", onFinished);
    const sizes = await Promise.all(bytes);
    return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };
}
