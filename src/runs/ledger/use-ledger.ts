import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery, storedRowsQuery } from "#connection/stored-rows.ts";
import type { MicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { dayStart } from "#lib/time.ts";
import { NO_LIMITS, type SpendLimits, spentSince } from "#runs/rules/limits.ts";
import { openRows } from "#storage/database.ts";
import { putChange, refuseNewer } from "#storage/typed-rows.ts";
import { useToday } from "#ui/use-today.ts";
import { type LedgerLine, ledgerRows } from "./ledger.ts";
import {
  changedProject,
  NO_PROJECTS,
  offeredProjects,
  type Project,
  type ProjectList,
  projectName,
  projectRows,
  readProjects,
  withProject,
} from "./projects.ts";
import { limitRows, limitsKey, projectsKey, readLimits, reservationRows, reservationsKey } from "./spend-limits.ts";

const ledgerQuery = (accountId: string) =>
  storedRowsQuery(ledgerRows, accountId, (lines): readonly LedgerLine[] => lines.sort((a, b) => b.atMs - a.atMs));

const NO_LINES: readonly LedgerLine[] = [];

/** The ledger of the current key, newest first: every charge and refund that this browser has seen, and how. */
export function useLedger(): readonly LedgerLine[] {
  return useQuery(ledgerQuery(useConnection()?.accountId ?? "")).data ?? NO_LINES;
}

/** Whether the ledger of the current key was read. Until then it is empty, which does not mean that nothing was spent. */
export function useIsLedgerRead(): boolean {
  return useQuery(ledgerQuery(useConnection()?.accountId ?? "")).isFetched;
}

/** The limits of an account, and what counts under them today. */
export interface SpendState {
  limits: SpendLimits;
  /** What counts today under the limit per day: charged and reserved, without answers of unknown cost. */
  todayMicroUsd: number;
  /** What also counts today: the most that answers of unknown cost may have cost. */
  todayMaxMicroUsd: number;
  /** Whether both rows were read. Until then, and where they cannot be read, no limit is shown, though one may be set. */
  isRead: boolean;
  /**
   * Changes these limits; the others stay as they are stored. A limit that was one per session is stored as the limit per
   * day. Rejects with a `StorageError` when nothing was written.
   */
  save: (changes: Partial<SpendLimits>) => Promise<void>;
}

/** The limits of the current key and what counts against them, over all tabs. */
export function useSpendLimits(): SpendState {
  const accountId = useConnection()?.accountId ?? "";
  const limitsRead = useQuery(storedRowQuery(limitRows, limitsKey(accountId)));
  const reservationsRead = useQuery(storedRowQuery(reservationRows, reservationsKey(accountId)));
  const { data: limits = NO_LIMITS } = limitsRead;
  const { data: reservations = [] } = reservationsRead;
  // A limit is shown together with what counts under it.
  const isRead = limitsRead.isFetched && reservationsRead.isFetched;
  // Renders again when a new day begins, because then the amounts of the day start at zero.
  useToday();
  const fromMs = dayStart(Date.now());
  const withKnownCost = reservations.filter(({ isBound }) => !isBound);
  const todayMicroUsd = spentSince(withKnownCost, fromMs);
  return {
    limits: isRead ? limits : NO_LIMITS,
    todayMicroUsd,
    todayMaxMicroUsd: spentSince(reservations, fromMs) - todayMicroUsd,
    isRead,
    save: (changes) => saveLimits(accountId, changes),
  };
}

/** Saves limits in one transaction over all tabs, so that what another tab changed meanwhile stays. */
async function saveLimits(accountId: string, changes: Partial<SpendLimits>): Promise<void> {
  const rows = await openRows();
  const key = limitsKey(accountId);
  await rows.edit({ store: limitRows.store, key }, (row) => {
    refuseNewer(limitRows, row);
    const limits = { ...readLimits(row), ...changes };
    return { changes: [putChange(limitRows, accountId, key, limits)], result: undefined };
  });
}

export type Projects = ReturnType<typeof useProjects>;

/** The projects of the current account, over all tabs. The acts reject with a `StorageError` when nothing was written. */
export function useProjects() {
  const accountId = useConnection()?.accountId ?? "";
  const { data: list = NO_PROJECTS, isFetched } = useQuery(storedRowQuery(projectRows, projectsKey(accountId)));
  return {
    /** The projects that new work can belong to, by name. */
    projects: offeredProjects(list),
    /** All projects, with the archived ones, and the names of deleted ones. */
    all: list.projects,
    /** The current project, remembered over tabs and visits; undefined: no project. */
    current: list.projects.find(({ id }) => id === list.currentId),
    /** Whether the row was read. Until then the list is empty, though there may be projects. */
    isRead: isFetched,
    ...projectActs(accountId),
  };
}

/** What can be done with the projects of an account, also where no screen shows them. */
function projectActs(accountId: string) {
  const change = (id: string, changes: Partial<Omit<Project, "id">>) =>
    editProjects(accountId, (list) => ({ list: changedProject(list, id, changes), result: undefined }));
  return {
    /**
     * Creates a project, or finds the one of that name, and makes it current. Resolves to its id; undefined where the name is empty
     * or there are too many projects.
     */
    create: (name: string) =>
      editProjects(accountId, (list) => {
        const added = withProject(list, { id: randomId(), name, nowMs: Date.now() });
        return { list: added?.list ?? list, result: added?.id };
      }),
    async rename(id: string, name: string): Promise<void> {
      const wanted = projectName(name);
      if (wanted !== "") await change(id, { name: wanted });
    },
    setCap: (id: string, capMicroUsd: MicroUsd | undefined) => change(id, { capMicroUsd }),
    archive: (id: string, isArchived: boolean) => change(id, { isArchived }),
    /** Deletes a project. Its lines in the ledger stay, under its last name. */
    remove: (id: string) => change(id, { isDeleted: true, isArchived: false, capMicroUsd: undefined }),
    /** Makes a project the current one. Undefined: no project. */
    choose: (id: string | undefined) =>
      editProjects(accountId, ({ projects }) => ({ list: { projects, currentId: id }, result: undefined })),
  };
}

/** Edits the projects in one transaction over all tabs, so that what another tab changed meanwhile stays. */
async function editProjects<T>(
  accountId: string,
  decide: (list: ProjectList) => { list: ProjectList; result: T },
): Promise<T> {
  const rows = await openRows();
  const key = projectsKey(accountId);
  return rows.edit({ store: projectRows.store, key }, (row) => {
    refuseNewer(projectRows, row);
    const stored = readProjects(row);
    const { list, result } = decide(stored);
    return { changes: list === stored ? [] : [putChange(projectRows, accountId, key, list)], result };
  });
}
