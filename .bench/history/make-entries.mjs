const WORDS =
  "tram lighthouse snow harbour kite paper lantern moss garden storm glass rooftop noon river night train".split(" ");
/** @type {JobRecord["status"][]} */
const STATUSES = ["success", "success", "success", "success", "success", "success", "success", "failed", "cancelled"];

/** @typedef {import("../../src/storage/job-records.ts").JobRecord} JobRecord */

/**
 * So many jobs as History holds them, the same each time, newest first, one every six minutes.
 * @param {number} count
 * @param {number} nowMs
 * @returns {JobRecord[]}
 */
export function makeEntries(count, nowMs) {
  return Array.from({ length: count }, (_, place) => {
    /** @param {number} step */
    const word = (step) => WORDS[(place * step + step) % WORDS.length];
    const prompt = `A ${word(3)} ${word(7)} over the ${word(11)} at ${word(5)}, take ${place}`;
    return {
      requestId: `req-${((place * 2654435761) >>> 0).toString(16).padStart(8, "0")}-${place}`,
      model: `model-${place % 17}`,
      status: STATUSES[place % STATUSES.length] ?? "success",
      media: [],
      payload: { prompt, seed: place, size: "1024x1024", steps: 20 + (place % 30) },
      raw: {},
      createdAtSeconds: Math.floor(nowMs / 1000) - place * 360,
      updatedAtSeconds: Math.floor(nowMs / 1000) - place * 360 + 40,
      failureReason: undefined,
      priceMicroUsd: 10_000 + (place % 900) * 100,
    };
  });
}
