import { Archive, ArchiveRestore, Ellipsis, FolderPlus, Pencil, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import type { Project } from "#runs/ledger/projects.ts";
import type { Projects } from "#runs/ledger/use-projects.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";
import { spendCommands } from "./commands.ts";
import { ProjectDialog } from "./project-dialog.tsx";
import { SpendGroups } from "./spend-groups.tsx";
import { type SpendGroup, spendEntries, sumBy, sumEntries } from "./spend-summary.ts";
import { projectOf } from "./spend-view.ts";

interface ProjectGroupsProps {
  lines: readonly LedgerLine[];
  groups: readonly SpendGroup[];
  projects: Projects;
  nameOf: (id: string) => string;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
}

/** What was spent by project, each with its limit; new ones, other names, and what is over. */
export function ProjectGroups({ lines, groups, projects, nameOf, chosen, onChoose }: ProjectGroupsProps) {
  const [edited, setEdited] = useState<{ project: Project | undefined }>();
  const totals = useMemo(
    () => new Map(sumBy(spendEntries(lines), projectOf).map((group) => [group.id, group.chargedMicroUsd])),
    [lines],
  );
  const spentOn = (id: string | undefined) => totals.get(id ?? "") ?? 0;
  const byId = new Map(projects.all.map((project) => [project.id, project]));
  // Those without a charge in the range are there, too: this is where they are changed.
  const idle = projects.projects.filter(({ id }) => !groups.some((group) => group.id === id));
  const empty = idle.map(({ id }): SpendGroup => ({ ...EMPTY, id }));
  const act = (done: Promise<void>) =>
    void done.catch(() => toast({ title: "Could not save the project", tone: "error" }));
  return (
    <>
      <SpendGroups
        title="By project"
        of="Project"
        groups={[...groups, ...empty]}
        nameOf={nameOf}
        chosen={chosen}
        onChoose={onChoose}
        underOf={(id) => {
          const cap = byId.get(id)?.capMicroUsd;
          if (cap === undefined) return null;
          const isReached = spentOn(id) >= cap;
          return `${formatMicroUsd(spentOn(id))} of ${formatMicroUsd(cap)} in all${isReached ? ", limit reached" : ""}`;
        }}
        actsOf={(id) => {
          const project = byId.get(id);
          if (!project || project.isDeleted) return null;
          const { isArchived } = project;
          return (
            <Menu
              label={`Change ${project.name}`}
              icon={Ellipsis}
              size="sm"
              align="end"
              items={[
                { label: "Name and limit", icon: Pencil, onSelect: () => setEdited({ project }) },
                {
                  label: isArchived ? "Use again" : "Archive",
                  icon: isArchived ? ArchiveRestore : Archive,
                  onSelect: () => act(projects.archive(id, !isArchived)),
                },
                {
                  label: "Delete, keep its entries",
                  icon: Trash2,
                  danger: true,
                  onSelect: () => act(projects.remove(id)),
                },
              ]}
            />
          );
        }}
        aside={
          <CommandButton
            size="sm"
            variant="ghost"
            className="-me-2"
            command={{
              ...spendCommands.project,
              icon: FolderPlus,
              run: () => setEdited({ project: undefined }),
            }}
          />
        }
      />
      {edited && (
        <ProjectDialog
          onClose={() => setEdited(undefined)}
          project={edited.project}
          spentMicroUsd={spentOn(edited.project?.id)}
        />
      )}
    </>
  );
}

const EMPTY = sumEntries([]);
