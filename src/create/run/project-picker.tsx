import { Folder } from "lucide-react";
import { useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { ProjectSelect } from "#runs/ledger/project-select.tsx";
import { LONGEST_PROJECT_NAME, projectName } from "#runs/ledger/projects.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast-store.ts";
import { createCommands } from "../commands.ts";

/** What the next runs are spent on: a project, none, or a new one by its name. Remembered, over all tabs. */
export function ProjectPicker() {
  const { current, isRead, choose } = useProjects();
  const [isNew, setIsNew] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  useCommands([
    {
      ...createCommands.project,
      icon: Folder,
      run: () => select.current?.focus(),
    },
  ]);
  // As high as the field, so that nothing moves.
  if (!isRead) return <div className={HEIGHT} />;
  if (isNew) {
    return (
      <NewProject
        onEnd={() => {
          setIsNew(false);
          requestAnimationFrame(() => select.current?.focus());
        }}
      />
    );
  }
  return (
    <div className={`flex items-center gap-2 text-[12.5px] text-ink-2 ${HEIGHT}`} data-field="">
      <Folder aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <ProjectSelect
        ref={select}
        aria-label="Project"
        className="min-w-0 flex-1"
        projectId={current?.id}
        onChoose={(id) => void choose(id).catch(couldNotSave)}
        extraOption={{ label: "New project…", onChoose: () => setIsNew(true) }}
      />
    </div>
  );
}

const HEIGHT = "min-h-[26px] pointer-coarse:min-h-11";

const couldNotSave = () =>
  toast({ title: "Could not save the project", body: "This browser could not write to its storage.", tone: "error" });

function NewProject({ onEnd }: { onEnd: () => void }) {
  const { create } = useProjects();
  const { register, handleSubmit } = useForm({ defaultValues: { name: "" } });
  const save = async ({ name }: { name: string }) => {
    try {
      await create(name);
      onEnd();
    } catch {
      couldNotSave();
    }
  };
  const submit = () => void handleSubmit(save)();
  return (
    // Not a form, because it is inside the model's form.
    <fieldset
      data-field=""
      className={`m-0 flex min-w-0 items-center gap-1.5 border-0 p-0 ${HEIGHT}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" && event.key !== "Enter") return;
        if (event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Enter") submit();
        else onEnd();
      }}
    >
      <TextInput
        {...register("name", { validate: (text) => projectName(text) !== "" })}
        aria-label="Name of the new project"
        placeholder="Name of the new project"
        autoComplete="off"
        maxLength={LONGEST_PROJECT_NAME}
        // The person chose to write it just now.
        autoFocus
        className="min-h-[26px] min-w-0 flex-1"
      />
      <Button size="sm" onClick={submit}>
        Save
      </Button>
      <Button size="sm" variant="ghost" onClick={onEnd}>
        Cancel
      </Button>
    </fieldset>
  );
}
