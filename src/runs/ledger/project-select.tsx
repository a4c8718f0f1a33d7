import type { ComponentProps } from "react";
import { Select } from "#ui/field.tsx";
import { useProjects } from "./use-ledger.ts";

interface ProjectSelectProps extends Omit<ComponentProps<typeof Select>, "value" | "onChange"> {
  /** Undefined: no project. */
  projectId: string | undefined;
  onChoose: (projectId: string | undefined) => void;
  /** An option below the projects that acts instead of choosing, such as "New project". */
  extraOption?: { label: string; onChoose: () => void };
}

// The value of the extra option. No project has this id.
const EXTRA = "+";

/** The project that new work belongs to, or none. One that is archived or deleted is there only while it is the chosen one. */
export function ProjectSelect({ projectId, onChoose, extraOption, ...select }: ProjectSelectProps) {
  const { projects, all, isRead } = useProjects();
  const chosen = all.find(({ id }) => id === projectId);
  const shown = chosen && !projects.includes(chosen) ? [chosen, ...projects] : projects;
  return (
    <Select
      {...select}
      compact
      value={projectId ?? ""}
      onChange={({ target }) =>
        target.value === EXTRA ? extraOption?.onChoose() : onChoose(target.value || undefined)
      }
    >
      <option value="">No project</option>
      {shown.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {projectId !== undefined && !chosen && <option value={projectId}>{isRead ? "Unknown project" : "…"}</option>}
      {extraOption && <option value={EXTRA}>{extraOption.label}</option>}
    </Select>
  );
}
