import { Archive, ArchiveRestore, Ellipsis, FolderPlus, Pencil, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { amountText, checkAmount, parseDollars } from "#lib/dollars.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { MAX_PROJECT_NAME_CHARS, type Project, projectName } from "#runs/ledger/projects.ts";
import { type Projects, useProjects } from "#runs/ledger/use-ledger.ts";
import { StorageError } from "#storage/rows.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";
import { spendCommands } from "./commands.ts";
import { SpendGroups } from "./spend-groups.tsx";
import { getEntryProject, type SpendGroup, spendEntries, sumBy, sumEntries } from "./spend-view.ts";

interface ProjectGroupsProps {
  lines: readonly LedgerLine[];
  groups: readonly SpendGroup[];
  projects: Projects;
  nameOf: (id: string) => string;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
}

/** What was spent by project, each with its limit. Here projects are created, renamed, limited, archived and deleted. */
export function ProjectGroups({ lines, groups, projects, nameOf, chosen, onChoose }: ProjectGroupsProps) {
  const [edited, setEdited] = useState<{ project: Project | undefined }>();
  const [deleted, setDeleted] = useState<Project>();
  const totals = useMemo(
    () => new Map(sumBy(spendEntries(lines), getEntryProject).map((group) => [group.id, group.chargedMicroUsd])),
    [lines],
  );
  const spentOn = (id: string | undefined) => totals.get(id ?? "") ?? 0;
  const byId = new Map(projects.all.map((project) => [project.id, project]));
  // Projects without a charge in the range are listed, too, because this is where projects are changed.
  const withoutCharge = projects.projects.filter(({ id }) => !groups.some((group) => group.id === id));
  const emptyGroups = withoutCharge.map(({ id }): SpendGroup => ({ ...NO_SPENDING, id }));
  const showFailure = (change: Promise<void>) =>
    void change.catch(() => toast({ title: "Couldn’t save the project", tone: "error" }));
  return (
    <>
      <SpendGroups
        title="By project"
        columnName="Project"
        groups={[...groups, ...emptyGroups]}
        nameOf={nameOf}
        chosen={chosen}
        onChoose={onChoose}
        underOf={(id) => {
          const cap = byId.get(id)?.capMicroUsd;
          if (cap === undefined) return null;
          const isReached = spentOn(id) >= cap;
          return `${formatMicroUsd(spentOn(id))} of ${formatMicroUsd(cap)} total${isReached ? ", limit reached" : ""}`;
        }}
        actsOf={(id) => {
          const project = byId.get(id);
          if (!project || project.isDeleted) return null;
          const { isArchived } = project;
          return (
            <Menu
              label={`Actions for ${project.name}`}
              icon={Ellipsis}
              size="sm"
              align="end"
              items={[
                { label: "Edit project", icon: Pencil, onSelect: () => setEdited({ project }) },
                {
                  label: isArchived ? "Unarchive" : "Archive",
                  icon: isArchived ? ArchiveRestore : Archive,
                  onSelect: () => showFailure(projects.archive(id, !isArchived)),
                },
                {
                  label: "Delete project",
                  icon: Trash2,
                  danger: true,
                  onSelect: () => setDeleted(project),
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
      {deleted && (
        <ConfirmDialog
          open
          onOpenChange={() => setDeleted(undefined)}
          title={`Delete project “${visibleLine(deleted.name, 60)}”?`}
          description="Its transactions stay in Spend."
          confirmLabel="Delete project"
          danger
          onConfirm={() => {
            setDeleted(undefined);
            showFailure(projects.remove(deleted.id));
          }}
        />
      )}
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

const NO_SPENDING = sumEntries([]);

interface ProjectDialogProps {
  onClose: () => void;
  /** Undefined: the dialog makes a new project. */
  project: Project | undefined;
  /** What was spent on it in all. */
  spentMicroUsd: MicroUsd;
}

/** A dialog for a project's name and limit. */
function ProjectDialog({ onClose, project, spentMicroUsd }: ProjectDialogProps) {
  const { all, create, rename, setCap } = useProjects();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: project?.name ?? "", cap: amountText(project?.capMicroUsd) },
  });
  const checkName = (text: string) => {
    const wanted = projectName(text).toLocaleLowerCase();
    if (wanted === "") return "Enter a name.";
    const isTaken = all.some(
      (other) => other.id !== project?.id && !other.isDeleted && other.name.toLocaleLowerCase() === wanted,
    );
    return !isTaken || "Another project has this name.";
  };
  async function save({ name, cap }: { name: string; cap: string }) {
    try {
      const id = project?.id ?? (await create(name));
      if (id === undefined) throw new Error("no room");
      if (project) await rename(id, name);
      await setCap(id, parseDollars(cap));
      onClose();
    } catch (error) {
      const body = error instanceof StorageError && error.trouble === "newer" ? error.message : undefined;
      toast({ title: "Couldn’t save the project", body, tone: "error" });
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={project ? "Edit project" : "New project"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={(event) => void handleSubmit(save)(event)}>
            Save
          </Button>
        </>
      }
    >
      <form noValidate onSubmit={(event) => void handleSubmit(save)(event)}>
        <Field label="Name" error={formState.errors.name?.message}>
          {({ id, describedBy, invalid }) => (
            <TextInput
              {...register("name", { validate: checkName })}
              id={id}
              maxLength={MAX_PROJECT_NAME_CHARS}
              autoComplete="off"
              aria-describedby={describedBy}
              aria-invalid={invalid}
            />
          )}
        </Field>
        <Field
          label="Limit"
          hint={
            project
              ? `Total in USD. ${formatMicroUsd(spentMicroUsd)} spent.`
              : "Total in USD. Runs and text responses over the limit are blocked."
          }
          error={formState.errors.cap?.message}
        >
          {({ id, describedBy, invalid }) => (
            <TextInput
              {...register("cap", { validate: checkAmount })}
              id={id}
              inputMode="decimal"
              autoComplete="off"
              placeholder="No limit"
              aria-describedby={describedBy}
              aria-invalid={invalid}
            />
          )}
        </Field>
        {/* Enter sends the form, whose button stands in the footer. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
