import type { MouseEvent, ReactNode } from "react";
import type { HistoryEntry } from "./history-entry.ts";

interface JobLinkProps {
  entry: HistoryEntry;
  onPress: (event: MouseEvent) => void;
  className?: string;
  children: ReactNode;
}

/**
 * A link to a job's own page. A plain press is the list's; the middle button and the link menu work as on any link. Not
 * the router's link: hundreds of those, each following the address, cost most of a frame while the list is scrolled.
 */
export function JobLink({ entry, onPress, className, children }: JobLinkProps) {
  return (
    <a
      href={`/jobs/${encodeURIComponent(entry.requestId)}`}
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
