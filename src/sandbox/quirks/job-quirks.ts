import { isRecord, type JsonRecord } from "#lib/read.ts";
import { changeFailures, changeRecords } from "./json-changes.ts";
import type { Quirk } from "./quirk.ts";

/** Seconds at speed 1 that a job needs to show in the list under `list-lag`. */
const LIST_LAG_SECONDS = 30;

const OTHER_WORDS: Readonly<Record<string, string>> = {
  queued: "IN_PROGRESS",
  success: "COMPLETED",
  failed: "ERROR",
  cancelled: "CANCELED",
};
const TIMES = ["created", "queued", "updated"];

/** Changes how the times of every record are written. Those that another quirk has written otherwise stay. */
function times(write: (seconds: number) => unknown): NonNullable<Quirk["json"]> {
  return changeRecords((record) => {
    const written = TIMES.map((name) => `${name}_at`).flatMap((key) => {
      const seconds = record[key];
      return typeof seconds === "number" && seconds < 1e11 ? [[key, write(seconds)]] : [];
    });
    return { ...record, ...(Object.fromEntries(written) as JsonRecord) };
  });
}

/** Moves the times of every record to another key, or into a record of their own. */
function timeNames(path: (name: string) => [string] | [string, string]): NonNullable<Quirk["json"]> {
  return changeRecords((record) => {
    const moved: JsonRecord = { ...record };
    for (const name of TIMES) {
      const { [`${name}_at`]: time } = moved;
      if (time === undefined) continue;
      delete moved[`${name}_at`];
      const [key, inner] = path(name);
      moved[key] = inner === undefined ? time : { ...(isRecord(moved[key]) ? moved[key] : {}), [inner]: time };
    }
    return moved;
  });
}

/** How records of jobs differ: words of status, times, reasons of a failure. They apply in this order. */
export const JOB_QUIRKS: readonly Quirk[] = [
  {
    name: "list-lag",
    explanation: `A new job shows in the list only after ${LIST_LAG_SECONDS} seconds at 1×.`,
    json: {
      routes: ["list"],
      change: (body, { nowMs, speed }) => ({
        ...body,
        requests: (body.requests as JsonRecord[]).filter(
          (record) => Number(record.created_at) <= nowMs / 1000 - LIST_LAG_SECONDS / speed,
        ),
      }),
    },
  },
  {
    name: "extra-statuses",
    explanation: "A running job passes through created, dispatched, processing and a word that nobody knows.",
    json: changeRecords((record, { nowMs, speed }) => {
      if (record.status !== "queued") return record;
      const age = (nowMs / 1000 - Number(record.created_at)) * speed;
      const status = age < 2 ? "created" : age < 6 ? "dispatched" : age < 30 ? "processing" : "warming_up";
      return { ...record, status };
    }),
  },
  {
    name: "submit-without-outcome",
    explanation: "A submit that answers success leaves the outcome out; it must be read once more.",
    json: changeRecords(({ outcome: _, ...record }) => record, ["submit"]),
  },
  {
    name: "failure-in-outcome",
    explanation: "The reason of a failed job stands in outcome.error.",
    json: changeFailures((reason) => ({ outcome: { error: reason } })),
  },
  {
    name: "failure-as-reason",
    explanation: "The reason of a failed job stands in reason.",
    json: changeFailures((reason) => ({ reason })),
  },
  {
    name: "milliseconds",
    explanation: "Times of records are unix milliseconds.",
    json: times((seconds) => seconds * 1000),
  },
  {
    name: "times-microseconds",
    explanation: "Times of records are unix microseconds, as texts.",
    json: times((seconds) => String(seconds * 1_000_000)),
  },
  {
    name: "times-iso",
    explanation: "Times of records are written dates, with a space and without a zone.",
    json: times((seconds) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")),
  },
  {
    name: "untimed-records",
    explanation: "Records carry no times, though the list's filters know them.",
    json: changeRecords(({ created_at: _, queued_at: __, updated_at: ___, ...record }) => record),
  },
  {
    name: "times-camel-case",
    explanation: "Times of records are createdAt, queuedAt and updatedAt.",
    json: timeNames((name) => [`${name}At`]),
  },
  {
    name: "times-nested",
    explanation: "Times of records stand in timestamps, under shorter names.",
    json: timeNames((name) => ["timestamps", name]),
  },
  {
    name: "failure-nested",
    explanation: "The reason of a failed job stands in outcome.result.failure.",
    json: changeFailures((reason) => ({ outcome: { result: { failure: reason } } })),
  },
  {
    name: "failure-in-messages",
    explanation: "The reason of a failed job is one of outcome.messages.",
    json: changeFailures((reason) => ({ outcome: { messages: ["Accepted.", reason] } })),
  },
  {
    name: "failure-in-logs",
    explanation: "The reason of a failed job is a line of its logs.",
    json: changeFailures((reason) => ({
      logs: `2026-05-01 12:00:01 INFO Loading the model\n2026-05-01 12:00:09 ERROR ${String(reason)}\nProcess exited with code 1`,
    })),
  },
  {
    name: "statuses-in-other-words",
    explanation: "Jobs are IN_PROGRESS, COMPLETED, ERROR or CANCELED.",
    json: changeRecords((record) => ({ ...record, status: OTHER_WORDS[String(record.status)] ?? record.status })),
  },
  {
    name: "lean-list",
    explanation: "The list gives the id, the model and the status of a job, and nothing else.",
    json: changeRecords(({ request_id, model, status }) => ({ request_id, model, status }), ["list"]),
  },
  {
    name: "record-enveloped",
    explanation: "A job by itself comes as data.job, beside the code of the call.",
    json: {
      routes: ["submit", "job"],
      change: (body) => (isRecord(body.data) ? body : { code: 0, message: "success", data: { job: body } }),
    },
  },
];
