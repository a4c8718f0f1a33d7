import { getDeletedMedia } from "#media/deleted-media.ts";
import { fileKey, filePlace } from "#media/file-address.ts";
import { allUploads } from "#media/upload/upload-memory.ts";

/**
 * Whether the service stores the file at an address as an input: a deletion takes such a file along, and never touches
 * one that is hosted elsewhere (spec 4.1 rule 3). The record of a job does not distinguish them, so what counts is what
 * this browser uploaded, and whatever lies in the same place as its uploads, results of jobs aside (`made`; undefined:
 * they are not known, and only the uploads themselves count). Never rejects.
 */
export async function storedInputTest(
  accountId: string,
  made: ReadonlySet<string> | undefined,
): Promise<(address: string) => boolean> {
  const uploads = await allUploads(accountId).catch(() => []);
  const own = new Set(uploads.flatMap(({ publicUrl }) => fileKey(publicUrl) ?? []));
  for (const { inputs } of getDeletedMedia(accountId).jobs.values()) for (const key of inputs) own.add(key);
  const places = new Set([...own].map(filePlace));
  return (address) => {
    const key = fileKey(address);
    if (key === undefined) return false;
    return own.has(key) || (made !== undefined && !made.has(key) && places.has(filePlace(key)));
  };
}
