import { Copy, MoveDown, MoveUp, Trash2, X } from "lucide-react";
import { counted, formatNumber } from "#lib/numbers.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { withSelected } from "#ui/grid-cursor.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { copyRuns, movedRows, useUndoableEdit, withCopies, withoutRows } from "./table-edits.ts";
import type { TableCursor } from "./table-lines.ts";

/** Edits of some rows, used by the selection bar, the menus and the shortcuts of the table. All can be undone. */
export function useRunEdits(): {
  duplicate: (ids: ReadonlySet<string>) => void;
  remove: (ids: ReadonlySet<string>) => void;
  move: (ids: ReadonlySet<string>, by: -1 | 1) => void;
} {
  const { batch } = useBatchDocument();
  const edit = useUndoableEdit();
  return {
    duplicate(ids) {
      const copies = copyRuns(batch.items.filter(({ id }) => ids.has(id)));
      edit(ids, (current) => withCopies(current, ids, copies), {
        added: new Set([...copies.values()].map(({ id }) => id)),
      });
    },
    remove(ids) {
      const removedCount = batch.items.filter((item) => ids.has(item.id) && item.priceMicroUsd === undefined).length;
      if (removedCount === 0) {
        toast({ title: "Not removed", body: "Submitted runs stay in the batch.", tone: "info" });
        return;
      }
      const title = `${counted(removedCount, "run")} removed`;
      edit(ids, (current) => withoutRows(current, ids), { title });
    },
    move: (ids, by) => edit(ids, (current) => movedRows(current, ids, by)),
  };
}

/** The bar under the table while runs are selected. */
export function SelectionBar({ cursor, setCursor }: { cursor: TableCursor; setCursor: (next: TableCursor) => void }) {
  const edits = useRunEdits();
  const { selected } = cursor;
  if (selected.size === 0) return null;
  return (
    <section
      aria-label="Selected runs"
      className="flex flex-wrap items-center gap-2 border-line border-t bg-panel px-4.5 py-2"
    >
      <span className="me-1 font-medium tabular-nums" role="status">
        {formatNumber(selected.size)} selected
      </span>
      <CommandButton
        size="sm"
        command={{
          ...batchCommands.duplicateRuns,
          label: "Duplicate",
          icon: Copy,
          run: () => edits.duplicate(selected),
        }}
      />
      <CommandButton
        size="sm"
        command={{ ...batchCommands.moveRunsUp, label: "Move up", icon: MoveUp, run: () => edits.move(selected, -1) }}
      />
      <CommandButton
        size="sm"
        command={{
          ...batchCommands.moveRunsDown,
          label: "Move down",
          icon: MoveDown,
          run: () => edits.move(selected, 1),
        }}
      />
      <CommandButton
        size="sm"
        variant="danger"
        command={{ ...batchCommands.removeRuns, label: "Remove", icon: Trash2, run: () => edits.remove(selected) }}
      />
      <CommandButton
        size="sm"
        variant="ghost"
        command={{
          ...batchCommands.clearSelection,
          icon: X,
          run: () => setCursor({ ...cursor, ...withSelected(cursor, new Set()) }),
        }}
      />
      <span className="flex items-center gap-1.5 text-sm text-ink-3 max-lg:hidden">
        <Kbd keys="mod+enter" /> in a cell edits all selected runs
      </span>
    </section>
  );
}
