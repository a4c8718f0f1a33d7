import { clsx } from "clsx";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { statusWords } from "./status-words.ts";

/** The status of a job: a dot and a word, never color alone. */
export function JobStatus({ status, className }: { status: string; className?: string }) {
  return <StatusBadge {...statusWords(status)} className={className} />;
}

/** A state as a dot and a word. */
export function StatusBadge({
  tone,
  word,
  className,
}: {
  tone: StatusTone;
  word: string;
  className?: string | undefined;
}) {
  return (
    <span className={clsx("inline-flex items-center gap-1.5 whitespace-nowrap", className)}>
      <StatusDot tone={tone} />
      {word}
    </span>
  );
}
