import { Link } from "@tanstack/react-router";
import { Repeat2 } from "lucide-react";
import type { Job } from "#api/types.ts";
import { buttonClass } from "#ui/button-class.ts";

/** Leads to Create with the settings of this job in the form. */
export function ReuseLink({ job }: { job: Job }) {
  if (!job.model || !job.payload) return null;
  return (
    <Link
      to="/create/$modelId"
      params={{ modelId: job.model }}
      search={{ from: job.requestId, keep: "all" }}
      preload={false}
      className={buttonClass()}
    >
      <Repeat2 aria-hidden className="size-4" />
      Use these settings
    </Link>
  );
}
