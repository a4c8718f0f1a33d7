import { bulkEntries } from "../../src/media/download/bulk-entries.ts";
import { openPrivateTarget, saveZip } from "../../src/media/download/save-zip.ts";

/** A target that counts and keeps nothing, as a picked file does. */
function sink() {
  let bytes = 0;
  const createWritable = async () =>
    new WritableStream({
      write: (/** @type {Uint8Array} */ chunk) => {
        bytes += chunk.length;
      },
    });
  return { target: { createWritable }, size: () => bytes };
}

/**
 * The browser's own download, which is stopped short of the folder it would land in.
 * @returns {Promise<{ target: Parameters<typeof saveZip>[2], size: () => number }>}
 */
async function downloads() {
  let blob = new Blob();
  URL.createObjectURL = (object) => {
    if (object instanceof Blob) blob = object;
    return "blob:none";
  };
  HTMLAnchorElement.prototype.click = () => undefined;
  return { target: (await openPrivateTarget()) ?? "download", size: () => blob.size };
}

window.makeZip = async ({ files, bytes, lost, into }) => {
  const jobs = Array.from({ length: files }, (_, place) => ({
    requestId: `job-${place}`,
    model: "clips",
    status: "success",
    payload: { prompt: `Clip ${place}` },
    createdAtSeconds: 1_760_000_000,
    media: [
      {
        id: String(place),
        kind: /** @type {const} */ ("video"),
        url: `${location.origin}/file?bytes=${bytes}&n=${place}${place < lost ? "&lost=1" : ""}`,
      },
    ],
  }));
  /** @type {Parameters<typeof bulkEntries>[0]["failures"]} */
  const failures = [];
  const { target, size } = into === "sink" ? sink() : await downloads();
  const start = performance.now();
  await saveZip(bulkEntries({ files: jobs.map((job) => ({ job, index: 0 })), failures }), "bench.zip", target);
  return { ms: performance.now() - start, bytes: size(), failures: failures.length };
};
