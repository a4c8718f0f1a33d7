import { useConnection } from "#connection/connection-store.ts";
import { useProjects } from "#runs/ledger/use-projects.ts";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";
import { moveLine } from "./move-line.ts";
import type { SpendEntry } from "./spend-summary.ts";

/** The project of a line, and the list of those that it can be moved to. A refund goes with its charge. */
export function ProjectMenu({ entry, nameOf }: { entry: SpendEntry; nameOf: (projectId: string) => string }) {
  const { projects } = useProjects();
  const accountId = useConnection()?.accountId ?? "";
  const { line, projectId } = entry;
  const name = nameOf(projectId ?? "");
  const look = "block max-w-full truncate text-[12.5px] text-ink-2";
  if (line.kind === "refunded" || (projects.length === 0 && projectId === undefined)) {
    return (
      <span dir="auto" className={look}>
        {name}
      </span>
    );
  }
  const move = async (id: string | undefined) => {
    try {
      await moveLine(accountId, line, id);
    } catch {
      toast({ title: "Could not move the entry", body: "This browser could not write to its storage.", tone: "error" });
    }
  };
  const choices = [{ id: undefined, name: "No project" }, ...projects].filter(({ id }) => id !== projectId);
  return (
    <Menu
      label={`Project: ${name}. Move to another project`}
      align="end"
      items={choices.map(({ id, name: label }) => ({ label, onSelect: () => void move(id) }))}
      className="-mx-1.5 min-h-6 max-w-full cursor-pointer rounded-sm px-1.5 hover:bg-hover pointer-coarse:min-h-11"
    >
      <span dir="auto" className={look}>
        {name}
      </span>
    </Menu>
  );
}
