import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import type { MicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { openRows } from "#storage/database.ts";
import { putChange, refuseNewer } from "#storage/typed-rows.ts";
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
import { projectsKey } from "./spend-limits.ts";

/** The projects of the current account. The acts reject with a `StorageError` when nothing was written. */
export interface Projects {
  /** Those that new work can belong to, by name. */
  projects: readonly Project[];
  /** With the archived ones, and the names of deleted ones. */
  all: readonly Project[];
  /** What is being worked on, remembered over tabs and visits; undefined: no project. */
  current: Project | undefined;
  /** Until then the list is empty, which does not mean that there is none. */
  isRead: boolean;
  /** Makes a project, or finds the one of that name, and makes it the current one. Undefined for an empty name. */
  create(name: string): Promise<string | undefined>;
  rename(id: string, name: string): Promise<void>;
  setCap(id: string, capMicroUsd: MicroUsd | undefined): Promise<void>;
  archive(id: string, isArchived: boolean): Promise<void>;
  /** Its lines in the ledger stay, under its last name. */
  remove(id: string): Promise<void>;
  /** Undefined: no project. */
  choose(id: string | undefined): Promise<void>;
}

/** The projects of the current account, over all tabs. */
export function useProjects(): Projects {
  const accountId = useConnection()?.accountId ?? "";
  const { data: list = NO_PROJECTS, isFetched } = useQuery(storedRowQuery(projectRows, projectsKey(accountId)));
  return {
    projects: offeredProjects(list),
    all: list.projects,
    current: list.projects.find(({ id }) => id === list.currentId),
    isRead: isFetched,
    ...projectActs(accountId),
  };
}

type Acts = Omit<Projects, "projects" | "all" | "current" | "isRead">;

/** What can be done with the projects of an account, also where no screen shows them. */
function projectActs(accountId: string): Acts {
  const change = (id: string, changes: Partial<Omit<Project, "id">>) =>
    editProjects(accountId, (list) => ({ list: changedProject(list, id, changes), result: undefined }));
  return {
    create: (name) =>
      editProjects(accountId, (list) => {
        const made = withProject(list, { id: randomId(), name, nowMs: Date.now() });
        return { list: made?.list ?? list, result: made?.id };
      }),
    async rename(id, name) {
      const wanted = projectName(name);
      if (wanted !== "") await change(id, { name: wanted });
    },
    setCap: (id, capMicroUsd) => change(id, { capMicroUsd }),
    archive: (id, isArchived) => change(id, { isArchived }),
    remove: (id) => change(id, { isDeleted: true, isArchived: false, capMicroUsd: undefined }),
    choose: (id) =>
      editProjects(accountId, ({ projects }) => ({ list: { projects, currentId: id }, result: undefined })),
  };
}

/** In one transaction over all tabs, so that what another tab changed meanwhile stays. */
async function editProjects<T>(
  accountId: string,
  decide: (list: ProjectList) => { list: ProjectList; result: T },
): Promise<T> {
  const rows = await openRows();
  const key = projectsKey(accountId);
  return rows.edit({ store: projectRows.store, key }, (row) => {
    refuseNewer(projectRows, row);
    const before = readProjects(row);
    const { list, result } = decide(before);
    return { changes: list === before ? [] : [putChange(projectRows, accountId, key, list)], result };
  });
}
