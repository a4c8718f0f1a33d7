import { Copy, MoveDown, MoveUp, Trash2, X } from "lucide-react";
import { CommandButton } from "#ui/command-button.tsx";
import { toast } from "#ui/toast.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { copiesOf, movedRows, withCopies, withoutRows } from "./table-edits.ts";
import type { TableCursor } from "./use-table-cursor.ts";

/** What can be done with the selected runs, or with the active one: also by keys of the table. */
export function useRunEdits(): {
  duplicate: (ids: ReadonlySet<string>) => void;
  remove: (ids: ReadonlySet<string>) => void;
  move: (ids: ReadonlySet<string>, by: -1 | 1) => void;
} {
  const { batch, edit } = useBatchDocument();
  return {
    duplicate(ids) {
      const copies = copiesOf(batch.items.filter(({ id }) => ids.has(id)));
      edit((now) => withCopies(now, ids, copies));
    },
    remove(ids) {
      const before = batch.items;
      const gone = before.filter((item) => ids.has(item.id) && item.priceMicroUsd === undefined);
      if (gone.length === 0) {
        toast({ title: "Not removed", body: "Runs that were submitted stay in the batch.", tone: "info" });
        return;
      }
      edit((now) => withoutRows(now, ids));
      toast({
        title: gone.length === 1 ? "1 run removed" : `${gone.length} runs removed`,
        tone: "info",
        action: {
          label: "Undo",
          onAct: () =>
            edit((now) => {
              const there = new Map(now.items.map((item) => [item.id, item]));
              const old = before.flatMap((item) => there.get(item.id) ?? (ids.has(item.id) ? item : []));
              const known = new Set(old.map(({ id }) => id));
              return { ...now, items: [...old, ...now.items.filter(({ id }) => !known.has(id))] };
            }),
        },
      });
    },
    move: (ids, by) => edit((now) => movedRows(now, ids, by)),
  };
}

/** Floats at the end of the table while runs are selected. */
export function SelectionBar({ cursor, setCursor }: { cursor: TableCursor; setCursor: (next: TableCursor) => void }) {
  const edits = useRunEdits();
  const { selected } = cursor;
  if (selected.size === 0) return null;
  const group = "Batch";
  return (
    <section
      aria-label="Selected runs"
      className="flex flex-wrap items-center gap-2 border-line border-t bg-panel px-[18px] py-2"
    >
      <span className="me-1 font-medium tabular-nums" role="status">
        {selected.size} selected
      </span>
      <CommandButton
        size="sm"
        command={{ id: "batch.duplicate", label: "Duplicate", group, icon: Copy, run: () => edits.duplicate(selected) }}
      />
      <CommandButton
        size="sm"
        command={{ id: "batch.move-up", label: "Move up", group, icon: MoveUp, run: () => edits.move(selected, -1) }}
      />
      <CommandButton
        size="sm"
        command={{
          id: "batch.move-down",
          label: "Move down",
          group,
          icon: MoveDown,
          run: () => edits.move(selected, 1),
        }}
      />
      <CommandButton
        size="sm"
        variant="danger"
        command={{ id: "batch.remove", label: "Remove", group, icon: Trash2, run: () => edits.remove(selected) }}
      />
      <CommandButton
        size="sm"
        variant="ghost"
        command={{
          id: "batch.deselect",
          label: "Clear selection",
          group,
          icon: X,
          run: () => setCursor({ ...cursor, selected: new Set() }),
        }}
      />
      <span className="text-[12.5px] text-ink-3 max-sm:hidden">
        To change a value in all of them, edit it in one and press Ctrl or ⌘ with Enter.
      </span>
    </section>
  );
}
