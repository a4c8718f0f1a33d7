import type { FileFacts } from "#api/types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { usedFacts, withoutNulls } from "./used-facts.ts";

interface SettingsDialogProps {
  onClose: () => void;
  job: JobRecord;
  files: readonly FileFacts[];
  schema: FormSchema | undefined;
  /** Of the model's schema today. */
  defaults: JsonRecord | undefined;
}

/** Every setting of a job: what was sent, and what the service applied to the rest, marked as a default. */
export function SettingsDialog({ onClose, job, files, schema, defaults: today }: SettingsDialogProps) {
  const sent = withoutNulls(job.payload ?? {});
  const recorded = job.defaults;
  const defaults = recorded ?? today ?? {};
  const names = [...new Set([...Object.keys(sent), ...Object.keys(defaults)])];
  const facts = usedFacts({ job, files, schema, defaults: {} }).filter(({ name }) => RESULT.has(name));
  const rows: Setting[] = [
    ...(job.model === undefined ? [] : [{ name: "Model", value: job.model }]),
    ...names.map((key) => ({
      name: schema?.fields.find((field) => field.key === key)?.label ?? key,
      value: Object.hasOwn(sent, key) ? sent[key] : defaults[key],
      note: Object.hasOwn(sent, key) ? undefined : "Default",
    })),
    ...facts,
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="All settings" size="md">
      <Table caption="Settings of this job" columns={COLUMNS} rows={rows} keyOf={(_, at) => at} isFixed hasHiddenHead />
      {names.length > Object.keys(sent).length && (
        <p className="m-0 mt-3 text-[12.5px] text-ink-3">
          {recorded
            ? "Defaults as the model listed them when this result was first shown here."
            : "Defaults as the model lists them today. They may have been others when the job ran."}
        </p>
      )}
    </Dialog>
  );
}

/** Facts of the result, below the settings. */
const RESULT = new Set(["Pixels", "Duration", "Files", "Took"]);

interface Setting {
  name: string;
  value: unknown;
  note?: string | undefined;
}

const COLUMNS: readonly TableColumn<Setting>[] = [
  {
    name: "Setting",
    isRowHeader: true,
    className: "w-[36%]",
    cellClass: () => "wrap-anywhere text-ink-3",
    cell: ({ name }) => visibleLine(name),
  },
  {
    name: "Value",
    cell: ({ value, note }) => (
      <span className="flex items-start gap-3 tabular-nums">
        <span dir="auto" className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap">
          {shown(value)}
        </span>
        {note && <span className="shrink-0 rounded-sm bg-hover px-1.5 text-[11.5px] text-ink-2 leading-5">{note}</span>}
      </span>
    ),
  },
];

function shown(value: unknown): string {
  if (typeof value === "boolean") return value ? "On" : "Off";
  return visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""));
}
