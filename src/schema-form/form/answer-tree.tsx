import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { isRecord, tryParseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { AnswerPath, FormSchema } from "../read/field.ts";

/** Rows under one place, and of the whole tree. */
const MAX_CHILDREN = 100;
const MAX_ROWS = 600;

interface Row {
  id: string;
  path: AnswerPath;
  label: string;
  hint: string;
  /** Undefined where nothing lies below. */
  isOpen: boolean | undefined;
  /** How many parameters it would list, where it is known to list some. */
  count: number | undefined;
}

const idOf = (path: AnswerPath) => JSON.stringify(path);

interface AnswerTreeProps {
  schema: FormSchema;
  /** Called with the place that the person points at. */
  onChoose: (path: AnswerPath) => void;
}

/**
 * What the service says, as a tree in which the person points at the list of parameters. One tab stop: arrows move, open
 * and close, Enter takes the place.
 */
export function AnswerTree({ schema, onChoose }: AnswerTreeProps) {
  const counts = useMemo(() => countsOf(schema), [schema]);
  const [open, setOpen] = useState(() => startOf(schema));
  const [active, setActive] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const rows = rowsOf(schema.answer, open, counts);
  const chosen = schema.place && idOf(schema.place.path);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === (active ?? chosen)),
  );

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: "nearest" });
  }, []);

  function toggle(id: string, isOpen: boolean) {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  }
  function focus(index: number) {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setActive(row.id);
    const item = [...(list.current?.children ?? [])].find((child) => child.getAttribute("data-id") === row.id);
    if (item instanceof HTMLElement) item.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    const row = rows[at];
    if (!row) return;
    const parent = rows.findLastIndex((other, index) => index < at && other.path.length < row.path.length);
    const moves: Record<string, () => void> = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (row.isOpen === false ? toggle(row.id, true) : row.isOpen && focus(at + 1)),
      ArrowLeft: () => (row.isOpen ? toggle(row.id, false) : parent >= 0 && focus(parent)),
      Enter: () => onChoose(row.path),
      " ": () => onChoose(row.path),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  return (
    <div
      ref={list}
      role="tree"
      aria-label="Raw response about this model"
      className="m-0 max-h-72 overflow-auto rounded-md border border-line bg-sunken p-1 text-[12px]"
    >
      {rows.map((row, index) => (
        <div
          key={row.id}
          data-id={row.id}
          role="treeitem"
          aria-level={row.path.length + 1}
          aria-expanded={row.isOpen}
          aria-selected={row.id === chosen}
          tabIndex={index === at ? 0 : -1}
          onFocus={() => setActive(row.id)}
          onKeyDown={onKeyDown}
          onClick={({ target }) => {
            const isToggle = target instanceof Element && target.closest("[data-toggle]") !== null;
            if (isToggle && row.isOpen !== undefined) toggle(row.id, !row.isOpen);
            else onChoose(row.path);
          }}
          style={{ paddingLeft: Math.min(row.path.length, 12) * 14 + 4 }}
          className={clsx(
            "flex min-h-7 cursor-pointer items-center gap-1.5 rounded-sm pr-2 hover:bg-hover pointer-coarse:min-h-11",
            row.id === chosen && "bg-accent-soft",
          )}
        >
          <span aria-hidden="true" data-toggle className="grid size-4 flex-none place-items-center text-ink-3">
            {row.isOpen !== undefined && (row.isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
          </span>
          <span className="max-w-[60%] flex-none truncate font-mono text-ink">{row.label}</span>{" "}
          <span className="min-w-0 truncate text-ink-3">{row.hint}</span>
          {row.count !== undefined && (
            <span className="ml-auto flex-none rounded-sm bg-accent-soft px-1.5 text-accent-text tabular-nums">
              {row.count === 1 ? "1 field" : `${row.count} fields`}
            </span>
          )}
        </div>
      ))}
      {rows.length >= MAX_ROWS && <div className="px-2 py-1 text-ink-3">The rest is not shown.</div>}
    </div>
  );
}

function countsOf({ place, others = [] }: FormSchema): ReadonlyMap<string, number> {
  const places = place ? [place, ...others] : others;
  return new Map(places.map(({ path, count }) => [idOf(path), count]));
}

/** The way to each place that could be meant is open, and the top. */
function startOf({ place, others = [] }: FormSchema): ReadonlySet<string> {
  const paths = [...(place ? [place] : []), ...others].slice(0, 6).map(({ path }) => path);
  return new Set(["[]", ...paths.flatMap((path) => path.map((_, at) => idOf(path.slice(0, at))))]);
}

function rowsOf(answer: unknown, open: ReadonlySet<string>, counts: ReadonlyMap<string, number>): Row[] {
  const rows: Row[] = [];
  const add = (label: string, given: unknown, path: AnswerPath) => {
    if (rows.length >= MAX_ROWS) return;
    const value = parsed(given);
    const id = idOf(path);
    const children = childrenOf(value);
    const isOpen = children.length === 0 ? undefined : open.has(id);
    rows.push({ id, path, label, hint: hintOf(value), isOpen, count: counts.get(id) });
    if (isOpen) for (const [step, inner] of children) add(stepWord(step), inner, [...path, step]);
  };
  add("answer", answer, []);
  return rows;
}

const stepWord = (step: string | number) => (typeof step === "number" ? `item ${step + 1}` : visibleLine(step, 60));

function parsed(value: unknown): unknown {
  const isJson = typeof value === "string" && value.length < 400_000 && /^\s*[[{]/.test(value);
  return isJson ? (tryParseJson(value) ?? value) : value;
}

function childrenOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(0, MAX_CHILDREN).map((item, at) => [at, item]);
  return isRecord(value) ? Object.entries(value).slice(0, MAX_CHILDREN) : [];
}

function hintOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 entry" : `${value.length.toLocaleString("en-US")} entries`;
  if (isRecord(value)) return "";
  return visibleLine(typeof value === "string" ? value : String(value), 80);
}
