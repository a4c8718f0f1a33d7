import { formatDateTime, machineTime } from "#lib/time.ts";

interface TimeProps {
  /** Unix seconds. */
  seconds: number;
  /** Another way to write it, such as `formatAge`; the whole date and time is then its tooltip. */
  format?: ((seconds: number) => string) | undefined;
  className?: string | undefined;
}

/** A moment on the screen, in the reader's own zone, that machines can read too. */
export function Time({ seconds, format, className }: TimeProps) {
  const full = formatDateTime(seconds);
  return (
    <time dateTime={machineTime(seconds)} title={format && full} className={className}>
      {format ? format(seconds) : full}
    </time>
  );
}
