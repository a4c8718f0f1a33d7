// Projects: how they are stored in one row, and how the list changes.
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asFilledText, asNumber, isRecord } from "#lib/read.ts";
import { oneLine } from "#lib/visible-text.ts";
import type { StoredRow } from "#storage/rows.ts";
import type { RowKind } from "#storage/typed-rows.ts";

/** A project of the person: runs, answers and conversations belong to it, and it has a total and a cap. */
export interface Project {
  id: string;
  name: string;
  /** The most that may be spent on it in all, in whole micro-USD; undefined: no limit. */
  capMicroUsd: MicroUsd | undefined;
  /** An archived project stays with its total, and new work cannot belong to it. */
  isArchived: boolean;
  /** Of a deleted project only the name is left, for the ledger lines that were spent on it. */
  isDeleted: boolean;
  createdAtMs: number;
}

/** The projects of an account and the one that is being worked on, in one row, so that tabs change the same list. */
export interface ProjectList {
  projects: readonly Project[];
  /** Undefined: no project. */
  currentId: string | undefined;
}

export const NO_PROJECTS: ProjectList = { projects: [], currentId: undefined };

/** The most projects of an account, and the most names of deleted projects that stay. */
const MAX_PROJECTS = 500;
export const MAX_PROJECT_NAME_CHARS = 60;

/** The row of an account's projects, read as untrusted data. */
export const projectRows: RowKind<ProjectList> = {
  store: "settings",
  version: 1,
  read: (raw) => {
    if (!isRecord(raw) || !Array.isArray(raw.projects)) return undefined;
    const seen = new Set<string>();
    const projects = raw.projects.slice(0, 2 * MAX_PROJECTS).flatMap((item: unknown) => {
      const project = readProject(item);
      if (!project || seen.has(project.id)) return [];
      seen.add(project.id);
      return [project];
    });
    const current = projects.find(({ id, ...project }) => id === raw.currentId && isOffered(project));
    return { projects, currentId: current?.id };
  },
};

function readProject(raw: unknown): Project | undefined {
  if (!isRecord(raw)) return undefined;
  const id = asFilledText(raw.id);
  const name = asFilledText(raw.name)?.slice(0, MAX_PROJECT_NAME_CHARS);
  if (id === undefined || name === undefined) return undefined;
  return {
    id,
    name,
    capMicroUsd: isMicroUsd(raw.capMicroUsd) ? raw.capMicroUsd : undefined,
    isArchived: raw.isArchived === true,
    isDeleted: raw.isDeleted === true,
    createdAtMs: asNumber(raw.createdAtMs) ?? 0,
  };
}

const isOffered = ({ isArchived, isDeleted }: Pick<Project, "isArchived" | "isDeleted">) => !isArchived && !isDeleted;

/** Reads the projects of a row. Empty where there is no row, or none that can be read. */
export function readProjects(row: StoredRow | undefined): ProjectList {
  return (row && projectRows.read(row.body, row)) ?? NO_PROJECTS;
}

/** The projects that new work can belong to, by name. */
export function offeredProjects({ projects }: ProjectList): Project[] {
  return projects.filter(isOffered).sort((a, b) => a.name.localeCompare(b.name));
}

const sameName = (a: string, b: string) => a.toLocaleLowerCase() === b.toLocaleLowerCase();

/** A name as it is stored: without space around it, one line, at most 60 characters; empty where nothing is left. */
export function projectName(text: string): string {
  return oneLine(text, MAX_PROJECT_NAME_CHARS);
}

/**
 * The list with a project of this name as the current one. Where a project has that name already, in whatever case, it is
 * used, also if it was archived or another tab made it. Undefined where the name is empty or the list is full.
 */
export function withProject(
  list: ProjectList,
  { id, name, nowMs }: { id: string; name: string; nowMs: number },
): { list: ProjectList; id: string } | undefined {
  const wanted = projectName(name);
  if (wanted === "") return undefined;
  const known = list.projects.find((project) => !project.isDeleted && sameName(project.name, wanted));
  if (known) {
    const changed = changedProject(list, known.id, { isArchived: false });
    return { list: { ...changed, currentId: known.id }, id: known.id };
  }
  if (list.projects.filter(({ isDeleted }) => !isDeleted).length >= MAX_PROJECTS) return undefined;
  const project: Project = {
    id,
    name: wanted,
    capMicroUsd: undefined,
    isArchived: false,
    isDeleted: false,
    createdAtMs: nowMs,
  };
  return { list: { projects: [...list.projects, project], currentId: id }, id };
}

/** The list with one project changed; one that is archived or deleted is no longer the current one. */
export function changedProject(
  { projects, currentId }: ProjectList,
  id: string,
  change: Partial<Omit<Project, "id">>,
): ProjectList {
  const changed = projects.map((project) => (project.id === id ? { ...project, ...change } : project));
  const deleted = changed.filter(({ isDeleted }) => isDeleted);
  const forgotten = new Set(deleted.slice(0, Math.max(0, deleted.length - MAX_PROJECTS)));
  const remaining = changed.filter((project) => !forgotten.has(project));
  return {
    projects: remaining,
    currentId: remaining.find((project) => project.id === currentId && isOffered(project))?.id,
  };
}
