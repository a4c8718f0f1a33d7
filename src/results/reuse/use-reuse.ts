import { useNavigate } from "@tanstack/react-router";
import type { Job, MediaItem } from "#api/types.ts";

/** Which part of a job's settings goes into the form: the words of Create's address. */
export type ReusedPart = "all" | "noseed" | "prompt" | "seed";

/** Leads to the form of a model with a file of a job in the first field that takes it. */
export function useAsInput(): (item: MediaItem, modelId: string) => void {
  const navigate = useNavigate();
  return ({ url, kind }, modelId) => {
    const as = kind === "other" ? {} : { as: kind };
    void navigate({ to: "/create/$modelId", params: { modelId }, search: { put: url, ...as } });
  };
}

/** Leads to Create with settings of a job in the form. Undefined model: nothing happens. */
export function useReuse(): (job: Pick<Job, "requestId" | "model">, keep: ReusedPart) => void {
  const navigate = useNavigate();
  return (job, keep) => {
    if (!job.model) return;
    void navigate({
      to: "/create/$modelId",
      params: { modelId: job.model },
      search: { from: job.requestId, keep },
    });
  };
}
