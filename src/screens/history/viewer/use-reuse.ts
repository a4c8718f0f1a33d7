import { useNavigate } from "@tanstack/react-router";
import type { HistoryEntry } from "../history-entry.ts";

/** Which part of a job's settings goes into the form: the words of Create's address. */
export type Keep = "all" | "noseed" | "prompt" | "seed";

/** Leads to Create with settings of a job in the form. Undefined model: nothing happens. */
export function useReuse(): (entry: HistoryEntry, keep: Keep) => void {
  const navigate = useNavigate();
  return (entry, keep) => {
    if (!entry.model) return;
    void navigate({
      to: "/create/$modelId",
      params: { modelId: entry.model },
      search: { from: entry.requestId, keep },
    });
  };
}
