import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { AudioLines, Clapperboard, File, Image, type LucideIcon, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { isFinal } from "#api/final-status.ts";
import type { MediaItem, MediaKind } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { useBlockedHost } from "#media/known-hosts.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { useExpectedResult } from "#results/waiting/use-expected-result.ts";
import { useTrackedJobs } from "#runs/use-jobs.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";

/** Rows are small in the rail and large in the sheet of a phone. */
export type QueueSize = "rail" | "sheet";

interface TileProps {
  size: QueueSize;
  /** Shown on the tile while the rail is folded: then the words are there for assistive technology only. */
  tone?: StatusTone | undefined;
  /** More than one lie behind it. */
  isStack?: boolean | undefined;
  children: ReactNode;
}

/** The square at the start of a row. */
export function QueueTile({ size, tone, isStack = false, children }: TileProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx("relative isolate block shrink-0", size === "rail" ? "size-[38px]" : "size-[54px]")}
    >
      {isStack && (
        <>
          <span className="absolute inset-x-2 -top-[6px] -z-10 h-2 rounded-t-[5px] bg-hover opacity-60" />
          <span className="absolute inset-x-1 -top-[3px] -z-10 h-2 rounded-t-[5px] bg-line-strong" />
        </>
      )}
      <span
        className={clsx(
          "absolute inset-0 grid place-items-center overflow-hidden bg-raised text-ink-2 forced-colors:border",
          size === "rail" ? "rounded-sm" : "rounded-[8px]",
        )}
      >
        {children}
      </span>
      {tone && size === "rail" && (
        <span className="absolute -end-[3px] -bottom-[3px] hidden rounded-full bg-canvas p-[3px] folded:block">
          <StatusDot tone={tone} />
        </span>
      )}
    </span>
  );
}

const ICONS: Record<MediaKind, LucideIcon> = { image: Image, video: Clapperboard, audio: AudioLines, other: File };

/** What a model makes: as the catalogue said where it was read, else as its last result shows. Nothing is asked for it. */
export function useModelKind(model: string | undefined): MediaKind | undefined {
  const detail = useQuery({ ...modelQueries(useApi()).detail(model ?? ""), enabled: false }).data;
  const tracked = useTrackedJobs();
  const reported = KINDS.find((kind) => kind === detail?.type);
  return reported ?? tracked.find((job) => job.model === model && job.media[0])?.media[0]?.kind;
}

const KINDS: readonly MediaKind[] = ["image", "video", "audio"];

/** What a job makes, as a sign; where nobody knows, a sign of something new. */
export function KindIcon({ kind }: { kind: MediaKind | undefined }) {
  const Icon = kind ? ICONS[kind] : Sparkles;
  return <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />;
}

/** A job as a small picture: its result; its input, faintly, while it runs; a sign of its kind where there is neither. */
export function JobPicture({ job }: { job: TrackedJob }) {
  const { input } = useExpectedResult(job.model, job.payload);
  const kind = useModelKind(job.model);
  const isDeleted = useIsMediaDeleted(job.requestId);
  const result = job.media[0];
  if (result && (result.kind === "image" || result.kind === "video")) {
    return (
      <span className="absolute inset-0">
        <CachedThumb item={result} alt="" createdAtSeconds={job.createdAtSeconds} isDeleted={isDeleted} isSmall />
      </span>
    );
  }
  if (result) return <KindIcon kind={result.kind} />;
  if (input && !isFinal(job.status)) return <FaintInput {...input} />;
  return <KindIcon kind={kind} />;
}

/** An input is loaded only where its host is known: a row of the queue is no place to ask. */
function FaintInput({ url, kind }: Pick<MediaItem, "url" | "kind">) {
  if (useBlockedHost(url) !== undefined) return <KindIcon kind={kind} />;
  return (
    <MediaThumb item={{ id: url, url, kind }} alt="" isSmall className="absolute inset-0 opacity-55 saturate-75" />
  );
}
