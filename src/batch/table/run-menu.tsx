import { useNavigate } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, Copy, Ellipsis, Pencil, SquareArrowOutUpRight, Trash2 } from "lucide-react";
import type { ItemView } from "#batch/runner/item-states.ts";
import { Menu } from "#ui/menu.tsx";
import type { RowActs } from "./row-props.ts";

/** Opens the form of a run and not one of its cells. */
const WHOLE_RUN = -1;

/** What can be done with one run, for those who do not use the keys of the table. */
export function RunMenu({
  view: { item, state },
  number,
  acts,
  className = "",
}: {
  view: ItemView;
  number: number;
  acts: RowActs;
  className?: string;
}) {
  const { id } = item;
  const isDraft = state.kind === "draft";
  const navigate = useNavigate();
  const openJob = (requestId: string) => void navigate({ to: "/jobs/$requestId", params: { requestId } });
  return (
    <Menu
      label={`Acts of run ${number}`}
      icon={Ellipsis}
      size="sm"
      align="end"
      className={className}
      items={[
        ...(isDraft ? [{ label: "Edit run", icon: Pencil, onSelect: () => acts.edit(id, WHOLE_RUN) }] : []),
        ...(state.kind === "sent"
          ? [{ label: "Open job", icon: SquareArrowOutUpRight, onSelect: () => openJob(state.requestId) }]
          : []),
        { label: "Duplicate", icon: Copy, onSelect: () => acts.duplicate(id) },
        { label: "Move up", icon: ArrowUp, onSelect: () => acts.move(id, -1) },
        { label: "Move down", icon: ArrowDown, onSelect: () => acts.move(id, 1) },
        ...(isDraft ? [{ label: "Remove", icon: Trash2, onSelect: () => acts.remove(id) }] : []),
      ]}
    />
  );
}
