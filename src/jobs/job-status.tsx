import { clsx } from "clsx";
import { StatusDot } from "#ui/status-dot.tsx";
import { statusWords } from "./status-words.ts";

/** The status of a job: a dot and a word, never colour alone. */
export function JobStatus({ status, className }: { status: string; className?: string }) {
  const { word, tone } = statusWords(status);
  return (
    <span className={clsx("inline-flex items-center gap-1.5 whitespace-nowrap", className)}>
      <StatusDot tone={tone} />
      {word}
    </span>
  );
}
