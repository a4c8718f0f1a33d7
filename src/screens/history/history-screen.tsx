import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { ArchiveWaiting } from "#jobs/archive/archive-waiting.tsx";
import { useMarks } from "#jobs/marks/use-marks.ts";
import { FilterBar, type SearchChange } from "./filter-bar.tsx";
import { FoundJobs } from "./found-jobs.tsx";
import { toEntry } from "./history-entry.ts";
import { changedSearch, filterCount, readHistorySearch } from "./history-search.ts";
import { IndexLine } from "./index-line.tsx";
import { ListedJobs } from "./listed-jobs.tsx";
import { useIndexSearch, useJobIndex, useNoteSeen } from "./local/use-job-index.ts";
import { keptFiles, matchingFiles } from "./matching-files.ts";
import { resetCursor } from "./use-cursor.ts";
import { useHistoryPage } from "./use-history-page.ts";
import { useKnownPrices } from "./use-known-prices.ts";

const route = getRouteApi("/history");
/** What lies over the list: closing it must not take the place in the list along. */
const OVERLAYS = ["view", "open", "compare"];

/** Every job of the key: filtered and paged by the service, or searched in what this browser has seen of them. */
export function HistoryScreen() {
  const raw = route.useSearch();
  const search = useMemo(() => readHistorySearch(raw), [raw]);
  const navigate = route.useNavigate();
  const api = useApi();
  const [nowMs] = useState(() => Date.now());
  const prices = useKnownPrices();
  const marks = useMarks();
  const { index, state } = useJobIndex();
  const found = useIndexSearch(state, { search, marks: marks.marks, prices, nowMs });
  const page = useHistoryPage(search, found === undefined);
  const listed = useMemo(() => page.jobs.map((job) => toEntry(job, prices.get(job.requestId))), [page.jobs, prices]);
  useNoteSeen(index, listed);

  function change(next: SearchChange, replace = "view" in next || "q" in next) {
    if (!Object.keys(next).every((name) => OVERLAYS.includes(name))) resetCursor();
    void navigate({ search: changedSearch(search, next), replace });
  }
  const shared = { search, marks, nowMs, onChange: change };

  return (
    <div className="relative flex h-full min-h-0 flex-col">
      <h1 className="sr-only">History</h1>
      <FilterBar search={search} nowMs={nowMs} marks={marks.marks} onChange={change} />
      <IndexLine
        state={state}
        found={found?.length}
        onReadAll={() => void index.readAll(api)}
        onStop={index.stop}
        onShowAll={() => change({ q: "*" }, false)}
        onLeave={() => change({ q: undefined }, false)}
        isFiltered={filterCount(search) > 0}
        wanted={async (signal, onRead) => (found ? keptFiles(found) : matchingFiles({ api, search, signal, onRead }))}
      />
      <ArchiveWaiting className="mx-[18px] mt-3 max-sm:mx-3" />
      {found ? (
        <FoundJobs {...shared} found={found} state={state} />
      ) : (
        <ListedJobs {...shared} page={page} entries={listed} />
      )}
    </div>
  );
}
