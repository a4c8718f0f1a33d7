import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { FileFacts } from "#api/types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useCommands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { jobCommands } from "../commands.ts";
import { awaitedFacts, usedFacts, useJobSchema, withoutNulls } from "./used-facts.ts";

interface UsedSettingsProps {
  job: JobRecord;
  files: readonly FileFacts[];
  /** Further quiet buttons at the end of the line. */
  children?: ReactNode;
}

const CHIP = "inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-sm px-2 text-xs text-ink-2 tabular-nums";

export const QUIET_BUTTON =
  "inline-flex min-h-6 cursor-pointer items-center gap-1.5 rounded-sm border-0 bg-transparent px-1.5 text-xs text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-2";

/** What a result was made with, in quiet chips, and the way to everything else that is known of it. */
export function UsedSettings({ job, files, children }: UsedSettingsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { schema, defaults } = useJobSchema(job.model);
  const facts = usedFacts({ job, files, schema, defaults: job.defaults ?? defaults ?? {} });
  useCommands([{ ...jobCommands.settings, icon: Ellipsis, run: () => setIsOpen(true) }]);
  return (
    // What can be pressed has a place of its own, which no fact that comes late moves.
    <div className="flex flex-col gap-1.5 @3xl:flex-row">
      {/* The facts are two lines more often than not: the room of both is there from the beginning. */}
      <div className="flex min-w-0 flex-wrap content-start items-center gap-1.5 sm:min-h-13.5 @3xl:flex-1">
        <dl aria-label="Settings used" className="contents">
          {facts.map(({ name, value }) => (
            <div key={name} className={clsx(CHIP, "bg-panel in-data-[theme=light]:bg-hover forced-colors:border")}>
              <dt className="shrink-0 text-ink-3">{name}</dt>
              <dd dir="auto" className="m-0 min-w-0 truncate" title={value}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
        {/* Facts that come with the files have their space from the beginning. */}
        {awaitedFacts(job, files).map((words) => (
          <span key={words} aria-hidden="true" className={clsx(CHIP, "invisible")}>
            {words}
          </span>
        ))}
      </div>
      <div className="flex flex-wrap content-start items-center gap-1.5">
        <button type="button" className={QUIET_BUTTON} onClick={() => setIsOpen(true)}>
          <Ellipsis aria-hidden="true" className="size-4" />
          {jobCommands.settings.label}
        </button>
        {children}
      </div>
      {isOpen && (
        <SettingsDialog onClose={() => setIsOpen(false)} job={job} files={files} schema={schema} defaults={defaults} />
      )}
    </div>
  );
}

interface SettingsDialogProps {
  onClose: () => void;
  job: JobRecord;
  files: readonly FileFacts[];
  schema: FormSchema | undefined;
  /** The defaults of the model's schema today. */
  defaults: JsonRecord | undefined;
}

/** Every setting of a job: what was sent, and what the service applied to the rest, marked as a default. */
function SettingsDialog({ onClose, job, files, schema, defaults: currentDefaults }: SettingsDialogProps) {
  const sent = withoutNulls(job.payload ?? {});
  const recorded = job.defaults;
  const defaults = recorded ?? currentDefaults ?? {};
  const names = [...new Set([...Object.keys(sent), ...Object.keys(defaults)])];
  const facts = usedFacts({ job, files, schema, defaults: {} }).filter(({ name }) => RESULT_FACTS.has(name));
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
    <Dialog open onOpenChange={(open) => !open && onClose()} title={jobCommands.settings.label} size="md">
      <Table caption="Job settings" columns={COLUMNS} rows={rows} keyOf={(_, at) => at} isFixed hasHiddenHead />
      {names.length > Object.keys(sent).length && (
        <p className="m-0 mt-3 text-sm text-ink-3">
          {recorded
            ? "These were the defaults when this result was first opened."
            : "These are the current defaults. They may have changed since this job ran."}
        </p>
      )}
    </Dialog>
  );
}

/** Facts of the result, below the settings. */
const RESULT_FACTS = new Set(["Pixels", "Duration", "Files", "Run time"]);

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
          {valueText(value)}
        </span>
        {note && <span className="shrink-0 rounded-sm bg-hover px-1.5 text-xs text-ink-2 leading-relaxed">{note}</span>}
      </span>
    ),
  },
];

function valueText(value: unknown): string {
  if (typeof value === "boolean") return value ? "On" : "Off";
  return visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""));
}
