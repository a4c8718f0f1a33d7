import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { problemKeys } from "#batch/rows/row-problems.ts";
import { retryItem } from "#batch/runner/batch-edits.ts";
import type { ItemView } from "#batch/runner/item-states.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { redactOwnKey } from "#connection/find-key.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ModelPicker } from "#models/model-picker.tsx";
import type { Batch } from "#storage/stored-batches.ts";
import { cursorAfterPress, type GridPositions, movedTo, toggled } from "#ui/grid-cursor.ts";
import { toast } from "#ui/toast-store.ts";
import { type BatchDocument, useBatchDocument } from "../batch-document.ts";
import { CellEditor } from "./cell-editor.tsx";
import { RowDialog } from "./row-dialog.tsx";
import type { RowActs } from "./row-props.ts";
import { useRunEdits } from "./selection-bar.tsx";
import { fieldOf, promptKeyOf, type TableColumn } from "./table-columns.ts";
import { withCell } from "./table-edits.ts";
import type { TableLine } from "./table-lines.ts";
import { useChangeModel } from "./use-change-model.ts";
import type { TableCursor } from "./use-table-cursor.ts";
import { undoLast, useUndoableEdit } from "./use-undoable-edit.ts";

interface TableParts {
  lines: readonly TableLine[];
  positions: GridPositions;
  columns: readonly TableColumn[];
  cursor: TableCursor;
  setCursor: (next: TableCursor) => void;
  grid: RefObject<HTMLElement | null>;
}

interface RowActsState {
  acts: RowActs;
  /** What a key does to the active row; whether it did anything. */
  keys: (event: KeyboardEvent) => boolean;
  editor: { id: string; column: number; element: ReactNode } | undefined;
  dialog: ReactNode;
}

type Open =
  | { kind: "cell"; id: string; column: number; typed?: string | undefined }
  | { kind: "row" | "model"; id: string };

/** Editing of the table, by pointer and by keys. */
export function useRowActs(parts: TableParts): RowActsState {
  const document = useBatchDocument();
  const { batch, schemas } = document;
  const undoableEdit = useUndoableEdit();
  const { where, runner } = useBatches();
  const edits = useRunEdits();
  const changeModel = useChangeModel();
  const [open, setOpen] = useState<Open>();
  const { columns, cursor, lines, positions, grid } = parts;

  const viewOf = (id: string | undefined) =>
    lines.find((line): line is Extract<TableLine, { kind: "run" }> => line.kind === "run" && line.key === id)?.view;
  const close = () => {
    setOpen(undefined);
    grid.current?.focus({ preventScroll: true });
  };
  /** The rows that an act is about: the selected ones, or the active one. */
  const chosen = (): ReadonlySet<string> => {
    if (cursor.selected.size > 0) return cursor.selected;
    const view = viewOf(cursor.active);
    return new Set(view ? [view.item.id] : []);
  };

  function beginEdit(id: string, column: number, typed?: string) {
    const view = viewOf(id);
    const kind = columns[column]?.kind;
    if (!view) return;
    if (view.state.kind !== "draft") {
      if (kind === undefined || kind === "prompt" || kind === "parameter" || kind === "model")
        toast({ title: "This run was submitted", body: "Duplicate it to change it.", tone: "info" });
      return;
    }
    if (kind === "model") setOpen({ kind: "model", id });
    else if (kind === "parameter" || (kind === "prompt" && promptKeyOf(schemas, view.item) !== undefined))
      setOpen({ kind: "cell", id, column, typed });
    else setOpen({ kind: "row", id });
  }
  function fix(id: string) {
    const view = viewOf(id);
    if (!view) return;
    const wrong = problemKeys(view.item, schemas);
    const prompt = promptKeyOf(schemas, view.item);
    const column = columns.findIndex(
      (one) =>
        (one.kind === "parameter" && wrong.has(one.key)) ||
        (one.kind === "prompt" && prompt !== undefined && wrong.has(prompt)),
    );
    if (column < 0 || view.item.unavailable) return setOpen({ kind: "row", id });
    parts.setCursor({ ...movedTo(cursor, id), column });
    beginEdit(id, column);
  }
  const latest: RowActs = {
    press(id, column, event) {
      if (event.button !== 0) return;
      const isControl = event.target instanceof Element && event.target.closest("button, a, input, label");
      if (event.shiftKey && !isControl) {
        event.preventDefault();
        parts.setCursor({ ...cursor, ...cursorAfterPress({ shift: true, mod: false }, id, cursor, positions) });
      } else parts.setCursor({ ...movedTo(cursor, id), column });
    },
    edit: (id, column) => beginEdit(id, column),
    toggle: (id) => parts.setCursor({ ...cursor, ...toggled(cursor, id) }),
    fix,
    duplicate: (id) => edits.duplicate(new Set([id])),
    move: (id, by) => edits.move(new Set([id]), by),
    remove: (id) => edits.remove(new Set([id])),
    retry(id) {
      retryItem(where, batch.id, id).then(
        () => submitAgain(viewOf(id)),
        () => toast({ title: "Not changed", body: "This browser could not save the change.", tone: "error" }),
      );
    },
  };
  const acts = useLatest(latest);

  /** Another attempt goes its way at once where no other run waits for the person. */
  function submitAgain(view: ItemView | undefined) {
    const price = formatMicroUsd(view?.item.priceMicroUsd ?? 0);
    const { phase } = document.run;
    if (phase === "running") toast({ title: `The run is submitted again for ${price}`, tone: "info" });
    else if (phase === "paused" && document.sums.waiting + document.sums.retried === 0) void runner.start(batch.id);
    else toast({ title: `The run waits again, for ${price}`, body: "Press Resume to submit it.", tone: "info" });
  }

  function keys(event: KeyboardEvent): boolean {
    const view = viewOf(cursor.active);
    if (!view) return false;
    const { id } = view.item;
    const isMod = event.ctrlKey || event.metaKey;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      edits.move(chosen(), event.key === "ArrowUp" ? -1 : 1);
      return true;
    }
    if (event.altKey) return false;
    if (isMod && event.key.toLowerCase() === "d") edits.duplicate(chosen());
    else if (isMod && event.key.toLowerCase() === "z" && !event.shiftKey) undoLast(batch.id);
    else if (event.key === "Delete" || event.key === "Backspace") edits.remove(chosen());
    else if (event.key === "F2" || (event.key === "Enter" && !isMod)) enter(view, cursor.column);
    else if (event.key.length === 1 && !isMod && event.key !== " " && isText(columns[cursor.column]))
      beginEdit(id, cursor.column, event.key);
    else return false;
    // The key belongs to the table: none of the studio's single keys acts.
    event.stopPropagation();
    return true;
  }
  function enter(view: ItemView, column: number) {
    const kind = columns[column]?.kind;
    if (kind === "result") {
      // The act that the cell shows.
      const row = globalThis.document.getElementById(`cell-${view.item.id}-${column}`);
      row?.querySelector<HTMLElement>("button, a")?.click();
    } else beginEdit(view.item.id, column);
  }

  return { acts, keys, editor: cellEditor(), dialog: dialog() };

  function cellEditor(): RowActsState["editor"] {
    const view = open?.kind === "cell" ? viewOf(open.id) : undefined;
    const column = open?.kind === "cell" ? columns[open.column] : undefined;
    if (open?.kind !== "cell" || !view || !column) return undefined;
    const key = column.kind === "parameter" ? column.key : promptKeyOf(schemas, view.item);
    if (key === undefined) return undefined;
    const alike = alikeRows(document, view, key, cursor.selected);
    const element = (
      <CellEditor
        label={`${column.label} of this run`}
        field={fieldOf(schemas, view.item.request.model, key)}
        value={Object.hasOwn(view.item.request.payload, key) ? view.item.request.payload[key] : undefined}
        typed={open.typed}
        alike={alike.ids.size}
        isSelection={alike.isSelection}
        isAtEnd={open.column >= columns.length - 4}
        onCancel={close}
        onSave={(value, all) => {
          const ids = all ? alike.ids : new Set([view.item.id]);
          // The key is in no store of the browser, whatever was typed or pasted.
          const stored = redactOwnKey(value);
          // Another model may have another name for its prompt.
          const change = (now: Batch) =>
            withCell(now, ids, (item) => ({
              kind: "value",
              key: column.kind === "prompt" ? (promptKeyOf(schemas, item) ?? key) : key,
              value: stored,
            }));
          undoableEdit(ids, change, ids.size > 1 ? { title: `${ids.size.toLocaleString("en-US")} runs changed` } : {});
          close();
        }}
      />
    );
    return { id: open.id, column: open.column, element };
  }
  function dialog(): ReactNode {
    const view = open && open.kind !== "cell" ? viewOf(open.id) : undefined;
    if (!view || !open) return null;
    if (open.kind === "row") return <RowDialog item={view.item} onClose={close} />;
    const ids = cursor.selected.has(view.item.id) ? cursor.selected : new Set([view.item.id]);
    return (
      <ModelPicker
        open
        onOpenChange={(isOpen) => !isOpen && close()}
        selectedId={view.item.request.model}
        onSelect={(model) => {
          void changeModel(ids, visibleLine(model) === "" ? view.item.request.model : model);
          close();
        }}
      />
    );
  }
}

const isText = (column: TableColumn | undefined) => column?.kind === "prompt" || column?.kind === "parameter";

/** The drafts that Ctrl with Enter changes: the selected ones, or those of the group with the same value in the cell. */
function alikeRows(
  { batch, schemas }: Pick<BatchDocument, "batch" | "schemas">,
  { item }: ItemView,
  key: string,
  selected: ReadonlySet<string>,
): { ids: ReadonlySet<string>; isSelection: boolean } {
  const drafts = batch.items.filter((one) => one.priceMicroUsd === undefined);
  if (selected.has(item.id) && selected.size > 1) {
    return { ids: new Set(drafts.flatMap(({ id }) => (selected.has(id) ? id : []))), isSelection: true };
  }
  const isPrompt = promptKeyOf(schemas, item) === key;
  const cellOf = (one: typeof item) => one.request.payload[isPrompt ? (promptKeyOf(schemas, one) ?? key) : key];
  const own = cellOf(item);
  const alike = drafts.filter((one) => one.groupId === item.groupId && sameJson(cellOf(one), own));
  return { ids: new Set(alike.map(({ id }) => id)), isSelection: false };
}

/** One object for good, whose functions are always the latest. */
function useLatest(latest: RowActs): RowActs {
  const newest = useRef(latest);
  newest.current = latest;
  const [acts] = useState<RowActs>(() => ({
    press: (...given) => newest.current.press(...given),
    edit: (...given) => newest.current.edit(...given),
    toggle: (...given) => newest.current.toggle(...given),
    fix: (...given) => newest.current.fix(...given),
    duplicate: (...given) => newest.current.duplicate(...given),
    move: (...given) => newest.current.move(...given),
    remove: (...given) => newest.current.remove(...given),
    retry: (...given) => newest.current.retry(...given),
  }));
  return acts;
}
