import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useState } from "react";
import type { JobRecord } from "#storage/job-records.ts";

interface JobLinkProps {
  entry: JobRecord;
  onPress: (event: MouseEvent) => void;
  /** "auto" where the link is the job's prompt; a picture with its badges does not turn with it. */
  dir?: "auto";
  className?: string;
  children: ReactNode;
}

/**
 * A link to a job's own page. A plain press is handled by the list; the middle button and the link menu work as on any
 * link. Not the router's `Link`: hundreds of those, each subscribed to the address, cost most of a frame of scrolling.
 */
export function JobLink({ entry, onPress, dir, className, children }: JobLinkProps) {
  return (
    <a
      href={`/jobs/${encodeURIComponent(entry.requestId)}`}
      dir={dir}
      tabIndex={-1}
      draggable={false}
      className={className}
      onClick={(event) => {
        event.preventDefault();
        onPress(event);
      }}
    >
      {children}
    </a>
  );
}

/** Whether the list stood still since this job came into this place: a job that is only scrolled past loads nothing. */
export function useSettled(requestId: string, isScrollingFast: boolean): boolean {
  const [settled, setSettled] = useState(isScrollingFast ? undefined : requestId);
  useEffect(() => {
    if (!isScrollingFast) setSettled(requestId);
  }, [requestId, isScrollingFast]);
  return !isScrollingFast || settled === requestId;
}

/**
 * Cells inherit `vertical-align` from their row unless they have their own, and Chromium then stores and searches one
 * cached style for every place a row ever had: 40 ms a frame after ten thousand rows.
 */
export const OWN_ALIGN = "align-middle";

/** A cell that can be selected: in a table with the role `grid` it may be; the linter sees the cell alone. */
export function GridCell(props: ComponentProps<"td">) {
  return <td {...props} />;
}
