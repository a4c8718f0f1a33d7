import { clsx } from "clsx";
import { FileSpreadsheet } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useMemo, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { type CsvColumn, csvModels, csvRuns, matchColumns } from "#batch/rows/csv-runs.ts";
import { newGroup, type PlannedRun, roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { type CsvTable, decodeCsv, readCsv } from "#batch/rows/read-csv.ts";
import { problemKeys, rowProblems } from "#batch/rows/row-problems.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { type ModelSchemas, useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, Select, TextArea } from "#ui/field.tsx";
import { Notice } from "#ui/notice.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import type { SourceProps } from "../batch-document.ts";
import { axisLabel } from "./axis-edits.ts";
import { addWord } from "./combine-form.tsx";
import { ModelField } from "./models-editor.tsx";

/** Larger files are refused before they are read into memory. */
const MAX_BYTES = 20_000_000;

interface ReadFile {
  name: string;
  table: CsvTable;
}

/**
 * Reads a CSV, lets a person match its columns with parameters, and shows wrong cells before anything is added. The two steps are
 * two dialogs, because the second is a form about the chosen file.
 */
export function CsvDialog({ target, models, settings, onClose }: SourceProps & { onClose: () => void }) {
  const [file, setFile] = useState<ReadFile>();
  if (file) {
    return (
      <MatchColumns
        file={file}
        target={target}
        models={models}
        settings={settings}
        onOther={() => setFile(undefined)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="From CSV"
      description="One run for each row. The first row names the columns, such as prompt, model, size or seed."
    >
      <ChooseCsv onRead={setFile} />
    </Dialog>
  );
}

function ChooseCsv({ onRead }: { onRead: (file: ReadFile) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const { control, register, handleSubmit, setError, clearErrors, formState } = useForm({
    defaultValues: { text: "" },
  });
  const isEmpty = useWatch({ control, name: "text" }).trim() === "";
  const problem = formState.errors.root?.message;
  const refuse = (message: string) => setError("root", { message });
  function read(name: string, text: string) {
    const table = readCsv(text);
    if (text.includes("\0"))
      return refuse(`${visibleLine(name, 60)} isn’t a CSV file. Save the table as CSV, then choose it again.`);
    if (table.header.length === 0) return refuse(table.problems[0]?.message ?? "This file is empty.");
    if (table.rows.length === 0) return refuse("This file has a header but no rows.");
    onRead({ name, table });
  }
  async function readFile(file: File) {
    clearErrors("root");
    if (file.size > MAX_BYTES)
      return refuse(`${visibleLine(file.name, 60)} is larger than 20 MB. Split it into smaller files.`);
    try {
      read(file.name, decodeCsv(await file.arrayBuffer()));
    } catch {
      refuse(`${visibleLine(file.name, 60)} couldn’t be read. Choose it again.`);
    }
  }
  function acceptFiles(event: DragEvent | ClipboardEvent, files: FileList) {
    const [file] = files;
    if (!file) return;
    event.preventDefault();
    void readFile(file);
  }
  return (
    <div className="flex flex-col gap-4">
      {/* Dropping and pasting are extra ways; the button is the accessible one. */}
      <fieldset
        aria-label="CSV file"
        onPaste={(event) => acceptFiles(event, event.clipboardData.files)}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDraggedOver(true);
        }}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={(event) => {
          setIsDraggedOver(false);
          event.preventDefault();
          acceptFiles(event, event.dataTransfer.files);
        }}
        className={`m-0 flex flex-col items-center gap-3 rounded-md border border-dashed px-4 py-8 ${isDraggedOver ? "border-accent bg-accent-soft" : "border-line-strong"}`}
      >
        <FileSpreadsheet aria-hidden="true" className="size-6 text-ink-3" strokeWidth={1.5} />
        <Button onClick={() => input.current?.click()}>Choose CSV file</Button>
        <span className="text-sm text-ink-3">or drop it here</span>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          aria-label="CSV file to read"
          tabIndex={-1}
          className="hidden"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            event.target.value = "";
            if (file) void readFile(file);
          }}
        />
      </fieldset>
      <Field label="Or paste a table" note="from a spreadsheet, with its header" errorless>
        {({ id, describedBy }) => (
          <div className="flex items-end gap-2">
            <TextArea
              mono
              id={id}
              rows={3}
              spellCheck={false}
              placeholder={"prompt\tseed\nA lighthouse at dusk\t7"}
              aria-describedby={describedBy}
              {...register("text")}
            />
            <Button aria-disabled={isEmpty} onClick={handleSubmit(({ text }) => read("Pasted table", text))}>
              Continue
            </Button>
          </div>
        )}
      </Field>
      {problem !== undefined && (
        <Notice tone="error" title="Table not read" className="-mt-1">
          {problem} Nothing was added.
        </Notice>
      )}
    </div>
  );
}

/** Problems of the file that are listed one by one. */
const MAX_PROBLEMS = 20;

interface MatchForm {
  model: string | undefined;
  /** What a person chose for columns, by their positions. */
  columns: Readonly<Record<number, CsvColumn>>;
}

function MatchColumns({
  file,
  target,
  models,
  settings,
  onOther,
  onClose,
}: SourceProps & { file: ReadFile; onOther: () => void; onClose: () => void }) {
  const { table, name } = file;
  const { control, setValue, handleSubmit, formState } = useForm<MatchForm>({
    defaultValues: { model: models[0], columns: {} },
  });
  const [model, chosen] = useWatch({ control, name: ["model", "columns"] });
  // The models that the rows name. Which column names them is guessed from the header until the person chooses another.
  const [named, setNamed] = useState<readonly string[]>(() => csvModels(table, matchColumns(table.header, new Map())));
  const schemas = useModelSchemas([...(model === undefined ? [] : [model]), ...named]);
  const columns = useMemo(
    () => matchColumns(table.header, schemas).map((column, at) => chosen[at] ?? column),
    [table, schemas, chosen],
  );
  const runs = useMemo(
    () => csvRuns(table, columns, { model: model ?? "", schemas, ...(settings ? { settings } : {}) }),
    [table, columns, model, schemas, settings],
  );
  const problems = useMemo(
    () =>
      runs.map(({ request, unavailable }) =>
        rowProblems({ request, ...(unavailable ? { unavailable } : {}) }, schemas),
      ),
    [runs, schemas],
  );
  const wrongCount = problems.filter((sentences) => sentences.length > 0).length;
  const lacksModel = runs.some(({ request }) => request.model === "");
  const isLoading = [...schemas.values()].some(({ state }) => state === "loading");
  const ignored = table.header.filter((_, at) => columns[at]?.kind === "ignored");
  const room = roomProblem(target.batch, undefined, runs.length);
  const canAdd = !lacksModel && !isLoading && room === undefined && runs.length > 0 && !formState.isSubmitting;
  const add = handleSubmit(() => {
    const group = newGroup(name, "csv");
    const title = name.replace(/\.(csv|tsv|txt)$/i, "");
    if (target.put((batch) => withGroup(batch, group, runs), title)) onClose();
  });
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={visibleLine(name, 80)}
      description="Check what each column means. Rows with errors are added too. You can fix them in the table."
      footer={
        <>
          <p role="status" className="m-0 me-auto self-center text-ink-2 tabular-nums">
            {isLoading ? "Loading parameters…" : counted(runs.length, "run")}
            {!isLoading &&
              wrongCount > 0 &&
              `, ${wrongCount === 1 ? "1 needs" : `${formatNumber(wrongCount)} need`} attention`}
          </p>
          <Button onClick={onOther}>Choose another file</Button>
          <Button variant="primary" aria-disabled={!canAdd} onClick={add}>
            {addWord(runs.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <ModelField
          label={named.length > 0 ? "Model for rows without one" : "Model"}
          model={model}
          onChange={(next) => setValue("model", next)}
        />
        {lacksModel && <p className="m-0 text-sm text-unconfirmed">Choose a model for these rows.</p>}
        {room !== undefined && (
          <p role="alert" className="m-0 text-sm text-failed">
            {room}
          </p>
        )}
        <CsvPreview
          table={table}
          columns={columns}
          runs={runs}
          problems={problems}
          schemas={schemas}
          onColumn={(at, column) => {
            const next = { ...chosen, [at]: column };
            setValue("columns", next);
            setNamed(
              csvModels(
                table,
                columns.map((one, place) => next[place] ?? one),
              ),
            );
          }}
        />
        {ignored.length > 0 && (
          <p className="m-0 text-sm text-ink-2">
            Skipped: {ignored.map((one) => visibleLine(one, 40) || "unnamed column").join(", ")}
          </p>
        )}
        <CsvProblems table={table} />
      </div>
    </Dialog>
  );
}

/** The problems of the file itself, with their lines. */
function CsvProblems({ table: { problems } }: { table: CsvTable }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="warning" title={`${counted(problems.length, "problem")} in this table`}>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys, too
        tabIndex={0}
        className="m-0 max-h-40 list-none overflow-y-auto p-0 text-sm short:max-h-none"
      >
        {problems.slice(0, MAX_PROBLEMS).map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {formatNumber(line)}: {message}
          </li>
        ))}
        {problems.length > MAX_PROBLEMS && <li>{formatNumber(problems.length - MAX_PROBLEMS)} more</li>}
      </ul>
    </Notice>
  );
}

/** Rows of the preview. */
const MAX_ROWS = 8;

interface CsvPreviewProps {
  table: CsvTable;
  columns: readonly CsvColumn[];
  runs: readonly PlannedRun[];
  problems: readonly (readonly string[])[];
  schemas: ModelSchemas;
  onColumn: (at: number, column: CsvColumn) => void;
}

/** The columns with their meanings, and some rows; rows with problems come first. */
function CsvPreview({ table, columns, runs, problems, schemas, onColumn }: CsvPreviewProps) {
  const labels = parameterLabels(schemas);
  /** The column that shows problems of no cell in particular: that of the model, else the first. */
  const rowProblemColumn = Math.max(
    0,
    columns.findIndex(({ kind }) => kind === "model"),
  );
  const order = runs.map((_, at) => at).toSorted((a, b) => Number(hasProblem(b)) - Number(hasProblem(a)) || a - b);
  function hasProblem(at: number): boolean {
    return (problems[at]?.length ?? 0) > 0;
  }
  const line: TableColumn<number> = {
    name: "Line",
    isNumeric: true,
    className: "w-10",
    cellClass: () => "text-ink-3",
    cell: (at) => table.lines[at],
  };
  const shown = order.slice(0, MAX_ROWS);
  const wrongKeys = new Map(shown.map((at) => [at, runs[at] && problemKeys(runs[at], schemas)]));
  /** The problem of a cell; undefined where it has none. */
  function problemIn(place: number, at: number): string | undefined {
    const wrong = wrongKeys.get(at) ?? new Set<string>();
    const column = columns[place];
    if (column?.kind === "parameter" && wrong.has(column.key)) {
      return sentenceFor(problems[at] ?? [], labels.get(column.key));
    }
    // Problems of no cell in particular, such as an unknown model or a missing file, are shown once for the row.
    const isShown = columns.some((one) => one.kind === "parameter" && wrong.has(one.key));
    return place === rowProblemColumn && !isShown ? problems[at]?.[0] : undefined;
  }
  const fields = table.header.map((text, place): TableColumn<number> => {
    const name = visibleLine(text, 60) || `Column ${place + 1}`;
    return {
      key: `${place}`,
      name,
      head: (
        <>
          <span className="mb-1 block max-w-48 truncate font-medium text-ink" title={visibleLine(text)}>
            {name}
          </span>
          <Select
            compact
            aria-label={`${name} is`}
            value={getOptionValue(columns[place])}
            onChange={(event) => onColumn(place, readOptionValue(event.target.value))}
          >
            <option value="ignored">Skip</option>
            <option value="model">Model</option>
            {[...labels].map(([key, label]) => (
              <option key={key} value={`parameter ${key}`}>
                {label}
              </option>
            ))}
          </Select>
        </>
      ),
      className: "min-w-36 max-w-56",
      cellClass: (at) =>
        clsx(
          columns[place]?.kind === "ignored" && "text-ink-3",
          problemIn(place, at) !== undefined && "bg-unconfirmed-soft",
        ),
      cell: (at) => {
        const problem = problemIn(place, at);
        return (
          <>
            <span className="block truncate" dir="auto">
              {visibleLine(table.rows[at]?.[place] ?? "", 120)}
            </span>
            {problem !== undefined && <span className="block text-xs text-unconfirmed">{problem}</span>}
          </>
        );
      },
    };
  });
  return (
    <section
      aria-label="Columns and first rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways can be scrolled by keys, too
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line px-2"
    >
      <Table columns={[line, ...fields]} rows={shown} keyOf={(at) => at} />
      {runs.length > MAX_ROWS && (
        <p className="m-0 py-1.5 text-sm text-ink-3 tabular-nums">{counted(runs.length - MAX_ROWS, "more row")}</p>
      )}
    </section>
  );
}

/** The labels of all parameters of the models, those of the first model first. */
function parameterLabels(schemas: ModelSchemas): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const known of schemas.values()) {
    if (known.state !== "ready") continue;
    for (const field of known.schema.fields) {
      if (!labels.has(field.key)) labels.set(field.key, axisLabel(field, field.key));
    }
  }
  return labels;
}

/** The sentence of a row that begins with the label of a parameter, else the first one. */
const sentenceFor = (sentences: readonly string[], label: string | undefined): string =>
  sentences.find((sentence) => label !== undefined && sentence.startsWith(label)) ?? sentences[0] ?? "";

const getOptionValue = (column: CsvColumn | undefined): string =>
  column?.kind === "parameter" ? `parameter ${column.key}` : (column?.kind ?? "ignored");

const readOptionValue = (word: string): CsvColumn =>
  word === "ignored" || word === "model" ? { kind: word } : { kind: "parameter", key: word.slice("parameter ".length) };
