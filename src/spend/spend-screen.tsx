import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, Folder, Wallet, X } from "lucide-react";
import { useMemo } from "react";
import type { MicroUsd } from "#lib/money.ts";
import { saveBlob } from "#media/download/download-media.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { type Projects, useIsLedgerRead, useLedger, useProjects, useSpendLimits } from "#runs/ledger/use-ledger.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Select } from "#ui/field.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { useToday } from "#ui/use-today.ts";
import { spendCommands } from "./commands.ts";
import { ImportJobsPanel } from "./import-jobs-panel.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { ledgerCsv, modelColorClass, modelName } from "./ledger-words.ts";
import { LimitsForm, SessionLimitNotice } from "./limits-form.tsx";
import { ProjectGroups } from "./project-groups.tsx";
import { ChartPanel } from "./spend-chart.tsx";
import { SpendFigures } from "./spend-figures.tsx";
import { DEFAULT_RANGE, NONE_WORD, SPEND_RANGES, type SpendFilter, type SpendSearch } from "./spend-filter.ts";
import { SpendGroups } from "./spend-groups.tsx";
import { type SpendEntry, type SpendView, spendView } from "./spend-view.ts";

/** `/spend`: what was charged and refunded, how each of it is known, and the limits. No balance: the service reports none. */
export function SpendScreen() {
  const lines = useLedger();
  const isRead = useIsLedgerRead();
  const projects = useProjects();
  const spent = useSpendLimits();
  const [filter, change] = useSpendFilter();
  const today = useToday();
  // The filter is a new object with each render, but its parts are equal.
  const { range, model, project, state } = filter;
  const view = useMemo(
    () => spendView(lines, { range, model, project, state }, Math.max(Date.now(), today)),
    [lines, range, model, project, state, today],
  );
  const nameOf = createNameOf(projects);
  const hasLines = lines.length > 0;
  return (
    <>
      <PageBar title="Spend">
        {projects.all.length > 0 && (
          <fieldset className="m-0 flex min-w-0 items-center gap-2 border-0 p-0">
            <Folder aria-hidden="true" className="size-4 text-ink-3" />
            <Select
              aria-label="Project"
              className="w-42.5 max-sm:w-37.5"
              value={project ?? "*"}
              onChange={({ target }) => change({ project: target.value === "*" ? undefined : target.value })}
            >
              <option value="*">All projects</option>
              {projects.all.map(({ id }) => (
                <option key={id} value={id}>
                  {nameOf(id)}
                </option>
              ))}
              <option value="">No project</option>
            </Select>
          </fieldset>
        )}
        <Segmented
          className="max-sm:order-last max-sm:w-full"
          label="Time"
          options={RANGES}
          value={range}
          onChange={(next) => change({ range: next })}
        />
        <CommandButton
          disabled={view.listed.length === 0}
          command={{
            ...spendCommands.export,
            icon: Download,
            ...(view.listed.length === 0 ? { unavailable: "Nothing to export" } : {}),
            run: () => saveLedger(view.listed, nameOf),
          }}
        >
          <span className="max-sm:sr-only">{spendCommands.export.label}</span>
        </CommandButton>
      </PageBar>
      {/* Nothing is shown until the ledger is read, which takes milliseconds: what stands below would move otherwise. */}
      {isRead && projects.isRead && spent.isRead && (
        <div className="mx-auto flex max-w-270 flex-col gap-4 p-4.5 max-sm:p-4">
          <SessionLimitNotice state={spent} />
          {model !== undefined && (
            <p className="m-0 flex items-center gap-2 text-sm text-ink-2">
              <span className="min-w-0 truncate">
                Only <bdi className="font-medium text-ink">{modelName(model)}</bdi>
              </span>
              <Button size="sm" variant="ghost" onClick={() => change({ model: undefined })} data-field="">
                <X aria-hidden="true" className="size-4" />
                All models
              </Button>
            </p>
          )}
          {hasLines ? (
            <SpendOfView
              view={view}
              filter={filter}
              change={change}
              projects={projects}
              nameOf={nameOf}
              perDayMicroUsd={spent.limits.perDayMicroUsd}
            />
          ) : (
            <EmptyState
              icon={Wallet}
              title="No spending in this browser yet"
              actions={
                <Link to="/create" className={buttonClass({ variant: "primary" })}>
                  Go to Create
                </Link>
              }
            >
              Charges and refunds appear here after your first run.
            </EmptyState>
          )}
          <LimitsForm state={spent} />
          <section>
            <h2 className="m-0 mb-1 font-semibold text-base">Import jobs</h2>
            <p className="m-0 mb-3 max-w-[68ch] text-sm text-ink-3">
              Spend covers jobs and text responses from this browser. The service gives no balance, and its job records
              have no prices. {SHARED_BALANCE}
            </p>
            <ImportJobsPanel />
          </section>
        </div>
      )}
    </>
  );
}

const RANGE_WORDS = { "7": "7 days", "30": "30 days", month: "This month", all: "All" } as const;
const RANGES = SPEND_RANGES.map((value) => ({ value, label: RANGE_WORDS[value] }));

/** A function that gives the name of a project, also of an archived or deleted one. */
function createNameOf({ all }: Projects): (id: string) => string {
  const names = new Map(
    all.map(({ id, name, isArchived, isDeleted }) => [
      id,
      isDeleted ? `${name} (deleted)` : isArchived ? `${name} (archived)` : name,
    ]),
  );
  return (id) => (id === "" ? "No project" : (names.get(id) ?? "Unknown project"));
}

/** Saves the ledger as octet-stream: a browser must never open it as a page of this origin. */
function saveLedger(entries: readonly SpendEntry[], nameOf: (id: string) => string): void {
  const file = new Blob([ledgerCsv(entries, nameOf)], { type: "application/octet-stream" });
  saveBlob(file, `safelight-ledger-${new Date().toISOString().slice(0, 10)}.csv`);
}

interface SpendOfViewProps {
  view: SpendView;
  filter: ReturnType<typeof useSpendFilter>[0];
  change: ReturnType<typeof useSpendFilter>[1];
  projects: Projects;
  nameOf: (id: string) => string;
  perDayMicroUsd: MicroUsd | undefined;
}

function SpendOfView({ view, filter, change, projects, nameOf, perDayMicroUsd }: SpendOfViewProps) {
  const lines = useLedger();
  const tracked = useTrackedJobs();
  const kindOf = useMemo(() => kindOfModels(tracked, lines), [tracked, lines]);
  // The limit is for all that is spent in a day, so it is not shown beside the sums of a part.
  const isUnfiltered = filter.model === undefined && filter.project === undefined;
  const limit = isUnfiltered ? perDayMicroUsd : undefined;
  return (
    <>
      <SpendFigures
        sums={view.sums}
        today={view.today}
        perDayMicroUsd={limit}
        onShowUnknown={() => change({ state: "unknown" })}
      />
      <ChartPanel view={view} limit={limit} />
      <div className="grid gap-4 lg:grid-cols-2">
        <SpendGroups
          title="By model"
          columnName="Model"
          groups={view.models}
          nameOf={modelName}
          chosen={filter.model}
          onChoose={(model) => change({ model })}
          colorOf={(id) => modelColorClass(view.series, id)}
          noteOf={kindOf}
        />
        <ProjectGroups
          lines={lines}
          groups={view.projects}
          projects={projects}
          nameOf={nameOf}
          chosen={filter.project}
          onChoose={(project) => change({ project })}
        />
      </div>
      <LedgerTable
        filterKey={JSON.stringify(filter)}
        view={view}
        state={filter.state}
        onState={(state) => change({ state })}
        nameOf={nameOf}
      />
    </>
  );
}

/**
 * A function that says what a model makes, as its jobs and responses showed: "image", "video", "text". Empty where none did.
 */
function kindOfModels(tracked: readonly TrackedJob[], lines: readonly LedgerLine[]): (model: string) => string {
  const kinds = new Map<string, string>();
  for (const { model, answerId } of lines) if (model !== undefined && answerId !== undefined) kinds.set(model, "text");
  for (const { model, media } of tracked) {
    const kind = media[0]?.kind;
    if (kind && model !== undefined) kinds.set(model, kind);
  }
  return (model) => kinds.get(model) ?? "";
}

const route = getRouteApi("/studio/spend");

/** The filter in the address, and a function that changes a part of it. The browser's Back undoes a change. */
export function useSpendFilter(): [filter: SpendFilter, change: (part: Partial<SpendFilter>) => void] {
  const filter = toFilter(route.useSearch());
  const navigate = route.useNavigate();
  return [filter, (part) => void navigate({ search: toSearch({ ...filter, ...part }), resetScroll: false })];
}

const fromWord = (word: string | undefined) => (word === NONE_WORD ? "" : word);
const toWord = (name: string | undefined) => (name === "" ? NONE_WORD : name);

function toFilter({ range = DEFAULT_RANGE, model, project, state }: SpendSearch): SpendFilter {
  return { range, model: fromWord(model), project: fromWord(project), state };
}

function toSearch({ range, model, project, state }: SpendFilter): SpendSearch {
  return { range: range === DEFAULT_RANGE ? undefined : range, model: toWord(model), project: toWord(project), state };
}
