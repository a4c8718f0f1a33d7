import { type ReactNode, useEffect } from "react";
import { GONE, hasNoResult, isJobRunning } from "#api/final-status.ts";
import type { FileFacts, Job } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { formatDateTime } from "#lib/time.ts";
import { type Deletion, useDeletedMedia, useDeletion } from "#media/deleted-media.ts";
import { askFacts, useFilesFacts } from "#media/file-facts.ts";
import { statusWords } from "#runs/status-words.ts";
import { openRows } from "#storage/database.ts";
import { type JobRecord, type TrackedJob, trackedKey, trackedRows } from "#storage/job-records.ts";
import { readFileFacts } from "#storage/stored-files.ts";
import { isNewer, putChange } from "#storage/typed-rows.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { Notice, type NoticeTone } from "#ui/notice.tsx";
import { EndActs } from "./end-acts.tsx";
import { NoResult, WholeAnswerLink } from "./no-result.tsx";
import { ResultFiles } from "./result-files.tsx";
import { useJobSchema } from "./settings/used-facts.ts";
import { UsedSettings } from "./settings/used-settings.tsx";

interface ResultBodyProps {
  job: JobRecord;
  /** Its own record is still to be read, and has the files. `error`: why it was not read. */
  awaited: { error: Error | null; retry: () => void } | undefined;
  /** Quiet buttons at the end of what was used. */
  links?: ReactNode;
}

/**
 * A job that is over, or has files already: its files, or why there are none and what can be done about it, and what was
 * used for it.
 */
export function ResultBody({ job, awaited, links }: ResultBodyProps) {
  const deletion = useDeletion(job.requestId);
  const { defaults } = useJobSchema(job.model);
  const files = useFileRecords(job, defaults);
  const hasFiles = job.media.length > 0 && !deletion;
  return (
    <>
      {hasFiles ? (
        <ResultFiles job={job} payload={job.payload ?? {}} files={files} />
      ) : awaited && !deletion ? (
        awaited.error ? (
          <ErrorNotice error={awaited.error} operation="read" onRetry={awaited.retry} />
        ) : (
          <Skeleton className="min-h-[200px] flex-1 rounded-md" />
        )
      ) : (
        <div className="grid min-h-[200px] flex-1 place-items-center">
          <EndNotice job={job} />
        </div>
      )}
      {hasFiles && isJobRunning(job) && (
        <p role="status" className="m-0 text-[12.5px] text-ink-3">
          More files may follow. The job is still running.
        </p>
      )}
      <UsedSettings job={job} files={files}>
        {links}
      </UsedSettings>
    </>
  );
}

interface EndNoticeProps {
  job: JobRecord;
}

/**
 * In the place of files: why a job that ended has none, what is known of its charge, and what can be done. For a job that
 * is final, that the service no longer has, or whose media were deleted.
 */
function EndNotice({ job }: EndNoticeProps) {
  const deletion = useDeletion(job.requestId);
  const { tone, title, body } = deletion ? deletedWords(deletion) : endWords(job);
  return (
    <Notice
      tone={tone}
      title={title}
      className="w-full max-w-[560px]"
      actions={!deletion?.isUnderWay && <EndActs job={job} size="sm" />}
    >
      {!deletion && <NoResult job={job} />}
      {body && <p className="m-0 mt-1">{body}</p>}
      {!deletion && job.status === "success" && <WholeAnswerLink requestId={job.requestId} />}
    </Notice>
  );
}

interface EndWords {
  tone: NoticeTone;
  title: string;
  body?: string;
}

function endWords({ status }: Job): EndWords {
  if (status === "failed") return { tone: "error", title: "The job failed" };
  if (status === "cancelled") return { tone: "info", title: "The job was cancelled" };
  if (status === GONE) return { tone: "warning", title: statusWords(status).word };
  if (hasNoResult(status)) return { tone: "error", title: statusWords(status).word };
  return { tone: "info", title: "Finished without files", body: "The job succeeded, and its answer lists no files." };
}

function deletedWords({ atMs, isConfirmed, isUnderWay }: Deletion): EndWords {
  if (isUnderWay) return { tone: "info", title: "The files are being deleted" };
  const when = atMs === undefined ? "" : ` on ${formatDateTime(atMs / 1000)}`;
  if (isConfirmed) {
    return {
      tone: "info",
      title: "Files deleted",
      body: `You deleted these files${when}. The job and its settings stay.`,
    };
  }
  return {
    tone: "warning",
    title: "Deletion not confirmed",
    body: `You asked the service to delete these files${when}, and it did not confirm it. They may be gone, so they are not shown. Delete them again to be sure.`,
  };
}

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
function useFileRecords(job: JobRecord, defaults: JsonRecord | undefined): readonly FileFacts[] {
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
async function recordFiles(accountId: string, requestId: string, { files, defaults }: RecordedFacts): Promise<void> {
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
