import { useForm } from "react-hook-form";
import { amountText, checkAmount, parseDollars } from "#lib/dollars.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { LONGEST_PROJECT_NAME, type Project, projectName } from "#runs/ledger/projects.ts";
import { useProjects } from "#runs/ledger/use-projects.ts";
import { StorageError } from "#storage/rows.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast-store.ts";

interface ProjectDialogProps {
  onClose: () => void;
  /** Undefined: a new one. */
  project: Project | undefined;
  /** What was spent on it in all. */
  spentMicroUsd: MicroUsd;
}

/** A project's name and its limit. */
export function ProjectDialog({ onClose, project, spentMicroUsd }: ProjectDialogProps) {
  const { all, create, rename, setCap } = useProjects();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: project?.name ?? "", cap: amountText(project?.capMicroUsd) },
  });
  const checkName = (text: string) => {
    const wanted = projectName(text).toLocaleLowerCase();
    if (wanted === "") return "Enter a name";
    const isTaken = all.some(
      (one) => one.id !== project?.id && !one.isDeleted && one.name.toLocaleLowerCase() === wanted,
    );
    return !isTaken || "Another project has this name";
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
      toast({ title: "Could not save the project", body, tone: "error" });
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
              maxLength={LONGEST_PROJECT_NAME}
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
              ? `In dollars, in all. ${formatMicroUsd(spentMicroUsd)} so far.`
              : "In dollars, in all. What exceeds it is not sent."
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
