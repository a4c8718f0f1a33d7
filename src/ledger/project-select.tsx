import type { ComponentProps } from "react";
import { Select } from "#ui/field.tsx";
import { useProjects } from "./use-projects.ts";

interface ProjectSelectProps extends Omit<ComponentProps<typeof Select>, "value" | "onChange"> {
  /** Undefined: no project. */
  projectId: string | undefined;
  onChoose: (projectId: string | undefined) => void;
  /** More than projects, below them: an act with a value of its own. */
  more?: { label: string; onChoose: () => void };
}

const MORE = "+";

/** The project that new work belongs to, or none. One that is archived is offered only where it is the chosen one. */
export function ProjectSelect({ projectId, onChoose, more, ...select }: ProjectSelectProps) {
  const { projects, all } = useProjects();
  const chosen = all.find(({ id }) => id === projectId);
  const offered = chosen && !projects.includes(chosen) ? [chosen, ...projects] : projects;
  return (
    <Select
      {...select}
      compact
      value={projectId ?? ""}
      onChange={({ target }) => (target.value === MORE ? more?.onChoose() : onChoose(target.value || undefined))}
    >
      <option value="">No project</option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {more && <option value={MORE}>{more.label}</option>}
    </Select>
  );
}
