import { useEffect } from "react";
import type { FileFacts } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { askFacts, useFilesFacts } from "#media/file-facts.ts";
import { openRows } from "#storage/database.ts";
import { type JobRecord, type TrackedJob, trackedKey, trackedRows } from "#storage/job-records.ts";
import { readFileFacts } from "#storage/stored-files.ts";
import { isNewer, putChange } from "#storage/typed-rows.ts";

/** Files load one after the other; what they are is written once, when it has been quiet for so long. */
const QUIET_MS = 800;
/** Defaults of a schema that are longer than this as JSON are not worth a row. */
const LONGEST_DEFAULTS = 20_000;

/**
 * What is known of each file of a job from the file itself, in their order: pixels and length once an element has loaded
 * it, bytes and kind once its first kilobyte was read, and what was recorded of it before. New facts are recorded with
 * the job, where this browser knows it, so that they outlive the file. `defaults`: of the model's schema, where it is
 * known.
 */
export function useFileRecords(job: JobRecord, defaults: JsonRecord | undefined): readonly FileFacts[] {
  const urls = job.media.map((item) => item.url);
  const facts = useFilesFacts(urls);
  const isDeleted = useDeletedMedia().jobs.has(job.requestId);
  const recorded = job.files?.length === urls.length ? job.files : [];
  const files = urls.map((_, at) => ({ ...recorded[at], ...readFileFacts(facts[at]) }));

  // What an element could load can be asked for its kind and size, too. Nothing is asked of a file that is not shown.
  const unasked = urls
    .filter((url, at) => facts[at]?.isLoaded && !files[at]?.extension && /^https?:/i.test(url))
    .join("\n");
  useEffect(() => {
    if (unasked === "" || isDeleted) return;
    const controller = new AbortController();
    // One that gives no parts to a page is shown all the same; its size stays unknown.
    for (const url of unasked.split("\n")) void askFacts(url, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [unasked, isDeleted]);

  const accountId = useConnection()?.accountId;
  const isNews = job.origin !== undefined && !sameJson(files, job.files ?? []) && facts.some((one) => one?.isLoaded);
  const news = isNews && accountId !== undefined ? JSON.stringify(files) : undefined;
  useEffect(() => {
    if (news === undefined || accountId === undefined) return;
    const timer = setTimeout(() => {
      void recordFiles(accountId, job.requestId, { files: JSON.parse(news), defaults }).catch(() => undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [news, accountId, job.requestId, defaults]);
  return files;
}

interface RecordedFacts {
  files: FileFacts[];
  defaults: JsonRecord | undefined;
}

/**
 * Writes what was learned of a job's files into its row. Facts that were recorded before stay where nothing new is known,
 * and the first defaults stay: those of later versions of the schema are not those that the job ran with. Rejects with
 * `StorageError` where it was not written.
 */
export async function recordFiles(
  accountId: string,
  requestId: string,
  { files, defaults }: RecordedFacts,
): Promise<void> {
  const key = trackedKey(accountId, requestId);
  await (await openRows()).edit({ store: trackedRows.store, key, isExpendable: true }, (row) => {
    const known = row && !isNewer(trackedRows, row) ? trackedRows.read(row.body, row) : undefined;
    if (!known) return { changes: [], result: undefined };
    const fits = defaults !== undefined && JSON.stringify(defaults).length <= LONGEST_DEFAULTS;
    const next: TrackedJob = {
      ...known,
      files: files.map((file, at) => ({ ...(known.files?.length === files.length ? known.files[at] : {}), ...file })),
      ...(known.defaults === undefined && fits ? { defaults } : {}),
    };
    if (sameJson(known, next)) return { changes: [], result: undefined };
    return { changes: [putChange(trackedRows, accountId, key, next)], result: undefined };
  });
}
