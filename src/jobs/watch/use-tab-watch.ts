import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Api } from "#api/create-api.ts";
import type { Job } from "#api/types.ts";
import { jobKey } from "../job-queries.ts";
import { laterOf } from "../track-job.ts";
import { joinTabs } from "./browser-leadership.ts";
import type { Role } from "./leadership.ts";
import { recordFromCache } from "./record-from-cache.ts";
import type { TabChannel } from "./tab-channel.ts";

/**
 * Takes part in the watching of all tabs: gives this tab's role, passes on what it learns from the service, and takes
 * over what another tab learned.
 */
export function useTabWatch({ api, accountId, queryClient }: { api: Api; accountId: string; queryClient: QueryClient }): {
  role: Role;
  tell: (job: Job) => void;
} {
  const channel = useRef<TabChannel>(undefined);
  const tell = useCallback((job: Job) => channel.current?.post({ kind: "told", job }), []);
  const [role, setRole] = useState<Role>("unknown");
  useEffect(() => {
    const tabs = joinTabs(accountId, ({ job }) => {
      queryClient.setQueryData<Job>(jobKey(job.requestId), (known) => laterOf(known, job));
    });
    channel.current = tabs.channel;
    const stopListening = tabs.leadership.subscribe(() => setRole(tabs.leadership.role()));
    setRole(tabs.leadership.role());
    const stopRecording = recordFromCache({ api, accountId, queryClient, onLearned: tell });
    return () => {
      stopListening();
      stopRecording();
      tabs.stop();
    };
  }, [api, accountId, queryClient, tell]);
  return { role, tell };
}
