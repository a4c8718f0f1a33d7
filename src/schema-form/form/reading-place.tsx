import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { counted } from "#lib/numbers.ts";
import { isRecord, tryParseJson } from "#lib/read.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { Button, FoldButton } from "#ui/button.tsx";
import { TextArea } from "#ui/field.tsx";
import { indexAfterKey } from "#ui/list-keys.ts";
import type { AnswerPath, FormSchema } from "../read/field.ts";
import { placeWords, readSchema } from "../read/read-schema.ts";
import { rememberPlace } from "../read/reading-hints.ts";

/** Characters of the response that are shown as text. */
const MAX_TEXT = 40_000;
/** Other places that are offered above a form. */
const MAX_OFFERED = 2;

/** Above a form that may be the wrong one: says so, and offers the places that could be meant instead. */
export function ReadingDoubt({ schema }: { schema: FormSchema }) {
  const service = useConnection()?.queueBaseUrl ?? "";
  const others = (schema.others ?? []).filter(({ count }) => count > 0).slice(0, MAX_OFFERED);
  return (
    <div role="status" aria-label="Field mapping is uncertain" className="mb-3 flex flex-col items-start gap-2 text-sm">
      <p className="wrap-anywhere m-0 text-ink-2">
        {schema.place && `These fields come from ${placeWords(schema.place.path)}. `}
        {others.length > 0
          ? "Another part of the response may be right."
          : "These may not be the model’s parameters. Compare them with its docs."}
      </p>
      {others.map(({ path, count }) => (
        <Button key={JSON.stringify(path)} size="sm" onClick={() => rememberPlace(service, path)}>
          Use {placeWords(path)} ({counted(count, "field")})
        </Button>
      ))}
    </div>
  );
}

/** Shows where the form was read from, and the tree to choose another place. It is remembered for the service. */
export function ReadingPlaceChoice({ schema }: { schema: FormSchema }) {
  const [isOpen, setOpen] = useState(false);
  const service = useConnection()?.queueBaseUrl ?? "";
  if (schema.answer === undefined) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      {schema.place && (
        <p className="wrap-anywhere m-0 text-ink-3">
          {schema.isChosen ? "Chosen by you: " : "Found in "}
          {placeWords(schema.place.path)}.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {schema.place ? "Choose another parameter list" : "Choose parameter list"}
        </Button>
        {schema.isChosen && (
          <Button size="sm" onClick={() => rememberPlace(service, undefined)}>
            Use automatic detection
          </Button>
        )}
      </div>
      {isOpen && <PlaceTree schema={schema} />}
    </div>
  );
}

function PlaceTree({ schema }: { schema: FormSchema }) {
  const service = useConnection()?.queueBaseUrl ?? "";
  const [missed, setMissed] = useState<string>();
  function choose(path: AnswerPath) {
    const read = readSchema(schema.answer, { place: path });
    const isThere = read.isChosen === true && read.fields.length > 0;
    setMissed(isThere ? undefined : placeWords(path));
    if (isThere) rememberPlace(service, read.place?.path ?? path);
  }
  return (
    <div className="flex w-full min-w-0 flex-col gap-1.5">
      <p className="m-0 text-ink-3">
        Choose the part that lists the parameters. Safelight uses it for other models of this service, too.
      </p>
      <AnswerTree schema={schema} onChoose={choose} />
      <p role="status" className="wrap-anywhere m-0 min-h-4.5 text-ink-2">
        {missed !== undefined && `No parameters found in ${missed}.`}
      </p>
    </div>
  );
}

/** Beside the JSON editor where no list of parameters was found: what the service says, as a tree and as text. */
export function AnswerBeside({ schema }: { schema: FormSchema }) {
  const [isTextOpen, setTextOpen] = useState(true);
  if (schema.answer === undefined) return null;
  const text = JSON.stringify(schema.answer, null, 2) ?? "";
  const rest = text.length > MAX_TEXT ? "\n… The rest is not shown." : "";
  const shown = visibleText(text.slice(0, MAX_TEXT)) + rest;
  return (
    <section aria-label="Service response" className="flex flex-col gap-2 text-sm">
      <FoldButton isOpen={isTextOpen} onOpenChange={setTextOpen} className="rounded-sm text-ink-2">
        Raw response about this model
      </FoldButton>
      {isTextOpen && (
        <TextArea mono readOnly rows={12} spellCheck={false} aria-label="Response as text" value={shown} />
      )}
      <ReadingPlaceChoice schema={schema} />
    </section>
  );
}

/** Rows that are shown under one place, and in the whole tree. */
const MAX_CHILDREN = 100;
const MAX_ROWS = 600;

interface Row {
  id: string;
  path: AnswerPath;
  label: string;
  hint: string;
  /** Undefined for a row without children. */
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
 * What the service says, as a tree in which the person points at the list of parameters. One tab stop: arrows move,
 * open and close, Enter takes the place.
 */
function AnswerTree({ schema, onChoose }: AnswerTreeProps) {
  const counts = useMemo(() => countsById(schema), [schema]);
  const [open, setOpen] = useState(() => initiallyOpenIds(schema));
  const [active, setActive] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const rows = visibleRows(schema.answer, open, counts);
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
    const row = rows[index];
    if (!row) return;
    setActive(row.id);
    const item = [...(list.current?.children ?? [])].find((child) => child.getAttribute("data-id") === row.id);
    if (item instanceof HTMLElement) item.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    const row = rows[at];
    if (!row) return;
    const parent = rows.findLastIndex((other, index) => index < at && other.path.length < row.path.length);
    const to = indexAfterKey(event.key, at, rows.length, { pageItems: 0 });
    const moves: Record<string, () => void> = {
      ArrowRight: () => (row.isOpen === false ? toggle(row.id, true) : row.isOpen && focus(at + 1)),
      ArrowLeft: () => (row.isOpen ? toggle(row.id, false) : parent >= 0 && focus(parent)),
      Enter: () => onChoose(row.path),
      " ": () => onChoose(row.path),
    };
    const move = to === undefined ? moves[event.key] : () => focus(to);
    if (!move) return;
    event.preventDefault();
    move();
  }

  return (
    <div
      ref={list}
      role="tree"
      aria-label="Raw response about this model"
      className="m-0 max-h-72 overflow-auto rounded-md border border-line bg-sunken p-1 text-xs"
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
              {counted(row.count, "field")}
            </span>
          )}
        </div>
      ))}
      {rows.length >= MAX_ROWS && <div className="px-2 py-1 text-ink-3">The rest is not shown.</div>}
    </div>
  );
}

function countsById({ place, others = [] }: FormSchema): ReadonlyMap<string, number> {
  const places = place ? [place, ...others] : others;
  return new Map(places.map(({ path, count }) => [idOf(path), count]));
}

/** What is open at first: the top, and all records on the way to the first few places that could be meant. */
function initiallyOpenIds({ place, others = [] }: FormSchema): ReadonlySet<string> {
  const paths = [...(place ? [place] : []), ...others].slice(0, 6).map(({ path }) => path);
  return new Set(["[]", ...paths.flatMap((path) => path.map((_, at) => idOf(path.slice(0, at))))]);
}

function visibleRows(answer: unknown, open: ReadonlySet<string>, counts: ReadonlyMap<string, number>): Row[] {
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
  add("response", answer, []);
  return rows;
}

/** Characters of a JSON text that is opened as a tree: as many as `find-schema.ts` reads. */
const LONGEST_JSON_TEXT = 400_000;

const stepWord = (step: string | number) => (typeof step === "number" ? `item ${step + 1}` : visibleLine(step, 60));

function parsed(value: unknown): unknown {
  const isJson = typeof value === "string" && value.length < LONGEST_JSON_TEXT && /^\s*[[{]/.test(value);
  return isJson ? (tryParseJson(value) ?? value) : value;
}

function childrenOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(0, MAX_CHILDREN).map((item, at) => [at, item]);
  return isRecord(value) ? Object.entries(value).slice(0, MAX_CHILDREN) : [];
}

function hintOf(value: unknown): string {
  if (Array.isArray(value)) return counted(value.length, "item");
  if (isRecord(value)) return "";
  return visibleLine(typeof value === "string" ? value : String(value), 80);
}
