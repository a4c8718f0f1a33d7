import { useQueryClient } from "@tanstack/react-query";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { cellText, readCell } from "#batch/rows/cell-value.ts";
import { problemKeys } from "#batch/rows/row-problems.ts";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { redactOwnKey } from "#connection/find-key.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ModelPicker } from "#models/model-picker.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import type { Field } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getCorrectedRoles, getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import type { Batch, BatchItem } from "#storage/stored-batches.ts";
import { fitHeight } from "#ui/field.tsx";
import { cursorAfterPress, movedTo, toggled } from "#ui/grid-cursor.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { toast } from "#ui/toast-store.ts";
import { type BatchDocument, useBatchDocument } from "../batch-document.ts";
import { useRetry } from "../use-retry.ts";
import { RowDialog } from "./row-dialog.tsx";
import type { useRunList } from "./run-list.tsx";
import type { RowActs } from "./run-row.tsx";
import { useRunEdits } from "./selection-bar.tsx";
import { findModelField, getRowPromptKey, type RunColumn } from "./table-columns.ts";
import { undoLast, useUndoableEdit, withCell } from "./table-edits.ts";
import type { TableLine } from "./table-lines.ts";

interface TableParts extends Pick<ReturnType<typeof useRunList>, "lines" | "positions" | "cursor" | "setCursor"> {
  columns: readonly RunColumn[];
  grid: RefObject<HTMLElement | null>;
}

interface RowActsState {
  acts: RowActs;
  /** Handles a key for the active row. Returns whether it did anything. */
  keys: (event: KeyboardEvent) => boolean;
  editor: { id: string; column: number; element: ReactNode } | undefined;
  dialog: ReactNode;
}

/** What is open: the editor of a cell, the form of a row, or the picker of its model. */
type OpenEditor =
  | { kind: "cell"; id: string; column: number; typed?: string | undefined }
  | { kind: "row" | "model"; id: string };

/** The acts on rows by pointer and by keys, with the editors that they open. */
export function useRowActs(parts: TableParts): RowActsState {
  const document = useBatchDocument();
  const { batch, schemas } = document;
  const undoableEdit = useUndoableEdit();
  const retry = useRetry();
  const edits = useRunEdits();
  const changeModel = useChangeModel();
  const [open, setOpen] = useState<OpenEditor>();
  const { columns, cursor, lines, positions, grid } = parts;

  const findView = (id: string | undefined) =>
    lines.find((line): line is Extract<TableLine, { kind: "run" }> => line.kind === "run" && line.key === id)?.view;
  const close = () => {
    setOpen(undefined);
    grid.current?.focus({ preventScroll: true });
  };
  /** The rows that a key acts on: the selected ones, else the active one. */
  const getTargets = (): ReadonlySet<string> => {
    if (cursor.selected.size > 0) return cursor.selected;
    const view = findView(cursor.active);
    return new Set(view ? [view.item.id] : []);
  };

  function beginEdit(id: string, column: number, typed?: string) {
    const view = findView(id);
    const kind = columns[column]?.kind;
    if (!view) return;
    if (view.state.kind !== "draft") {
      if (kind === undefined || kind === "prompt" || kind === "parameter" || kind === "model")
        toast({
          title: "This run was submitted and can’t be edited",
          body: "Duplicate the run instead.",
          tone: "info",
        });
      return;
    }
    if (kind === "model") setOpen({ kind: "model", id });
    else if (kind === "parameter" || (kind === "prompt" && getRowPromptKey(schemas, view.item) !== undefined))
      setOpen({ kind: "cell", id, column, typed });
    else setOpen({ kind: "row", id });
  }
  function fix(id: string) {
    const view = findView(id);
    if (!view) return;
    const wrong = problemKeys(view.item, schemas);
    const prompt = getRowPromptKey(schemas, view.item);
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
    retry: (id) => void retry(id),
  };
  const acts = useLatest(latest);

  function keys(event: KeyboardEvent): boolean {
    const view = findView(cursor.active);
    if (!view) return false;
    const { id } = view.item;
    const isMod = event.ctrlKey || event.metaKey;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      edits.move(getTargets(), event.key === "ArrowUp" ? -1 : 1);
      return true;
    }
    if (event.altKey) return false;
    if (isMod && event.key.toLowerCase() === "d") edits.duplicate(getTargets());
    else if (isMod && event.key.toLowerCase() === "z" && !event.shiftKey) undoLast(batch.id);
    else if (event.key === "Delete" || event.key === "Backspace") edits.remove(getTargets());
    else if (event.key === "F2" || (event.key === "Enter" && !isMod)) handleEnter(view, cursor.column);
    else if (event.key.length === 1 && !isMod && event.key !== " " && isText(columns[cursor.column]))
      beginEdit(id, cursor.column, event.key);
    else return false;
    // Otherwise the single-key shortcuts of the studio would act as well.
    event.stopPropagation();
    return true;
  }
  function handleEnter(view: ItemView, column: number) {
    const kind = columns[column]?.kind;
    if (kind === "result") {
      // Presses the act that the cell shows.
      const row = globalThis.document.getElementById(`cell-${view.item.id}-${column}`);
      row?.querySelector<HTMLElement>("button, a")?.click();
    } else beginEdit(view.item.id, column);
  }

  return { acts, keys, editor: cellEditor(), dialog: dialog() };

  function cellEditor(): RowActsState["editor"] {
    const view = open?.kind === "cell" ? findView(open.id) : undefined;
    const column = open?.kind === "cell" ? columns[open.column] : undefined;
    if (open?.kind !== "cell" || !view || !column) return undefined;
    const key = column.kind === "parameter" ? column.key : getRowPromptKey(schemas, view.item);
    if (key === undefined) return undefined;
    const alike = alikeRows(document, view, key, cursor.selected);
    const element = (
      <CellEditor
        label={`${column.label} of this run`}
        field={findModelField(schemas, view.item.request.model, key)}
        value={Object.hasOwn(view.item.request.payload, key) ? view.item.request.payload[key] : undefined}
        typed={open.typed}
        alike={alike.ids.size}
        isSelection={alike.isSelection}
        isAtEnd={open.column >= columns.length - 4}
        onCancel={close}
        onSave={(value, all) => {
          const ids = all ? alike.ids : new Set([view.item.id]);
          // The person's API key must not be stored, even if it was pasted into a cell.
          const stored = redactOwnKey(value);
          // Other models may have other keys for their prompts.
          const change = (current: Batch) =>
            withCell(current, ids, (item) => ({
              kind: "value",
              key: column.kind === "prompt" ? (getRowPromptKey(schemas, item) ?? key) : key,
              value: stored,
            }));
          undoableEdit(ids, change, ids.size > 1 ? { title: `${counted(ids.size, "run")} changed` } : {});
          close();
        }}
      />
    );
    return { id: open.id, column: open.column, element };
  }
  function dialog(): ReactNode {
    const view = open && open.kind !== "cell" ? findView(open.id) : undefined;
    if (!view || !open) return null;
    if (open.kind === "row") return <RowDialog item={view.item} onClose={close} />;
    const ids = cursor.selected.has(view.item.id) ? cursor.selected : new Set([view.item.id]);
    return (
      <ModelPicker
        open
        onOpenChange={(isOpen) => !isOpen && close()}
        selected={[view.item.request.model]}
        withTextModels
        onSelect={(model) => {
          void changeModel(ids, visibleLine(model) === "" ? view.item.request.model : model);
          close();
        }}
      />
    );
  }
}

/** Lost values that the toast names. */
const MAX_NAMED = 5;

const isText = (column: RunColumn | undefined) => column?.kind === "prompt" || column?.kind === "parameter";

/** The drafts that Ctrl+Enter changes: the selected ones, or those of the group with the same value in this cell. */
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
  const isPrompt = getRowPromptKey(schemas, item) === key;
  const getValue = (one: typeof item) => one.request.payload[isPrompt ? (getRowPromptKey(schemas, one) ?? key) : key];
  const value = getValue(item);
  const alike = drafts.filter((one) => one.groupId === item.groupId && sameJson(getValue(one), value));
  return { ids: new Set(alike.map(({ id }) => id)), isSelection: false };
}

/** One object that never changes, whose functions call the latest ones. */
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

interface CellEditorProps {
  label: string;
  field: Field | undefined;
  value: unknown;
  /** The key that opened the editor, which replaces the value; undefined: the value is edited. */
  typed: string | undefined;
  /** How many rows Ctrl+Enter changes, this one included. */
  alike: number;
  /** Ctrl+Enter changes the selected rows. */
  isSelection: boolean;
  /** The cell is near the right edge, so the editor grows to the left. */
  isAtEnd: boolean;
  onSave: (value: unknown, all: boolean) => void;
  onCancel: () => void;
}

/**
 * Edits a cell in place. Enter changes this run, Ctrl or Cmd+Enter all like it, and Escape nothing. A text that cannot be read is
 * stored as typed, and becomes a problem of the row.
 */
function CellEditor(props: CellEditorProps) {
  const { label, field, value, typed, alike, isSelection, isAtEnd, onSave, onCancel } = props;
  const hintId = useId();
  const isChoice = field?.kind === "choice" || field?.kind === "boolean";
  const [text, setText] = useState(() => (isChoice ? cellText(value, field) : (typed ?? cellText(value, field))));
  const box = useRef<HTMLTextAreaElement & HTMLSelectElement>(null);
  const isFinished = useRef(false);
  useEffect(() => {
    const element = box.current;
    element?.focus();
    if (element instanceof HTMLTextAreaElement) {
      fitHeight(element);
      const end = element.value.length;
      element.setSelectionRange(typed === undefined ? 0 : end, end);
    }
  }, [typed]);

  function save(all: boolean) {
    if (isFinished.current) return;
    isFinished.current = true;
    onSave(readCell(field, text), all);
  }
  const shared = {
    ref: box,
    value: text,
    "aria-label": label,
    "aria-describedby": hintId,
    onBlur: (event: FocusEvent) => {
      if (!event.currentTarget.parentElement?.contains(event.relatedTarget)) save(false);
    },
    onKeyDown: (event: KeyboardEvent) => {
      // The shortcuts of the table must not act while a person types.
      event.stopPropagation();
      if (event.key === "Escape") {
        event.preventDefault();
        isFinished.current = true;
        onCancel();
      } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
        event.preventDefault();
        save(event.ctrlKey || event.metaKey);
      } else if (event.key === "Tab") {
        event.preventDefault();
        save(false);
      }
    },
  };
  const inputClass =
    "block w-full resize-none border-0 bg-transparent p-0 text-ink outline-none [font:inherit] leading-snug";
  return (
    <fieldset
      onDoubleClick={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      className={`absolute top-0 z-20 m-0 min-w-full rounded-sm border-0 bg-canvas px-2 py-1.25 shadow-float outline-2 outline-accent ${isAtEnd ? "end-0" : "start-0"} ${isChoice ? "w-max" : "w-[max(100%,300px)]"}`}
    >
      {isChoice ? (
        <select {...shared} className={`${inputClass} cursor-pointer`} onChange={({ target }) => setText(target.value)}>
          {getChoices(field, text).map((choice) => (
            <option key={choice.text} value={choice.text}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...shared}
          dir="auto"
          rows={1}
          spellCheck={field?.kind === "text"}
          className={inputClass}
          onChange={({ target }) => {
            setText(target.value);
            fitHeight(target);
          }}
        />
      )}
      <p id={hintId} className="m-0 mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-ink-3">
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <Kbd keys="enter" /> this run
        </span>
        {alike > 1 && (
          <button
            type="button"
            tabIndex={-1}
            onClick={() => save(true)}
            className="flex cursor-pointer items-center gap-1.5 whitespace-nowrap border-0 bg-transparent p-0 text-ink-3 hover:text-ink"
          >
            <Kbd keys="mod+enter" /> all {formatNumber(alike)} {isSelection ? "selected runs" : "matching runs"}
          </button>
        )}
      </p>
    </fieldset>
  );
}

function getChoices(field: Field | undefined, current: string): { text: string; label: string }[] {
  const known =
    field?.kind === "choice"
      ? field.options.map(({ value, label }) => ({ text: cellText(value, field), label: visibleLine(label, 80) }))
      : [
          { text: "yes", label: "On" },
          { text: "no", label: "Off" },
        ];
  const none = field?.required && field.defaultValue === undefined ? [] : [{ text: "", label: "Default" }];
  const all = [...none, ...known];
  // A present value that is no option is offered as well, so that opening the cell does not change it.
  return all.some(({ text }) => text === current) ? all : [...all, { text: current, label: visibleLine(current, 80) }];
}

/**
 * Returns the function that gives drafts another model. Values are carried to it, and a toast names what it has no field for. If
 * its parameters cannot be loaded, the values stay as they are, and the rows have problems.
 */
function useChangeModel(): (ids: ReadonlySet<string>, model: string) => Promise<void> {
  const { schemas, batch } = useBatchDocument();
  const edit = useUndoableEdit();
  const api = useApi();
  const client = useQueryClient();
  const service = useConnection()?.queueBaseUrl;

  async function loadSchema(model: string) {
    const known = schemas.get(model);
    if (known?.state === "ready") return known.schema;
    const detail = await client.fetchQuery(modelQueries(api).detail(model));
    return readSchema(detail.raw, { roles: getCorrectedRoles(model), place: getSchemaPlace(service) });
  }

  return async (ids, model) => {
    const to = await loadSchema(model).catch(() => undefined);
    const lost = new Set<string>();
    const carryPayload = ({ request }: BatchItem) => {
      const from = schemas.get(request.model);
      if (!to || from?.state !== "ready") return request.payload;
      const { payload, dropped } = carryValues(from.schema, request.payload, to);
      for (const label of dropped) lost.add(visibleLine(label, 60));
      return payload;
    };
    const payloads = new Map(
      batch.items.flatMap((item) => (ids.has(item.id) ? [[item.id, carryPayload(item)] as const] : [])),
    );
    edit(ids, (current) =>
      withCell(current, ids, (item) => ({
        kind: "model",
        model,
        payload: payloads.get(item.id) ?? item.request.payload,
      })),
    );
    if (lost.size === 0) return;
    toast({
      title: `Not available in ${visibleLine(model, 60)}: ${[...lost].slice(0, MAX_NAMED).join(", ")}`,
      body: "These values were removed.",
      tone: "info",
    });
  };
}
