import { Link } from "@tanstack/react-router";
import { Repeat2 } from "lucide-react";
import type { Job } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import { buttonClass } from "#ui/button-class.ts";

/** Leads to Create with the settings of this job in the form. */
export function ReuseLink({ job, payload }: { job: Job; payload: JsonRecord | undefined }) {
  if (!job.model || !payload) return null;
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
