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
    explanation: `A new job appears in the list only after ${LIST_LAG_SECONDS} seconds at 1×.`,
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
    explanation: "A running job passes through created, dispatched, processing and an unknown status.",
    json: changeRecords((record, { nowMs, speed }) => {
      if (record.status !== "queued") return record;
      const age = (nowMs / 1000 - Number(record.created_at)) * speed;
      const status = age < 2 ? "created" : age < 6 ? "dispatched" : age < 30 ? "processing" : "warming_up";
      return { ...record, status };
    }),
  },
  {
    name: "submit-without-outcome",
    explanation: "The response to a successful submit has no outcome. The job must be read again.",
    json: changeRecords(({ outcome: _, ...record }) => record, ["submit"]),
  },
  {
    name: "failure-in-outcome",
    explanation: "The failure reason is in outcome.error.",
    json: changeFailures((reason) => ({ outcome: { error: reason } })),
  },
  {
    name: "failure-as-reason",
    explanation: "The failure reason is in reason.",
    json: changeFailures((reason) => ({ reason })),
  },
  {
    name: "milliseconds",
    explanation: "Record times are Unix milliseconds.",
    json: times((seconds) => seconds * 1000),
  },
  {
    name: "times-microseconds",
    explanation: "Record times are Unix microseconds, as strings.",
    json: times((seconds) => String(seconds * 1_000_000)),
  },
  {
    name: "times-iso",
    explanation: "Record times are dates with a space and without a time zone.",
    json: times((seconds) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")),
  },
  {
    name: "untimed-records",
    explanation: "Records have no times, although the list can filter by them.",
    json: changeRecords(({ created_at: _, queued_at: __, updated_at: ___, ...record }) => record),
  },
  {
    name: "times-camel-case",
    explanation: "Record times are createdAt, queuedAt and updatedAt.",
    json: timeNames((name) => [`${name}At`]),
  },
  {
    name: "times-nested",
    explanation: "Record times are in timestamps, under shorter names.",
    json: timeNames((name) => ["timestamps", name]),
  },
  {
    name: "failure-nested",
    explanation: "The failure reason is in outcome.result.failure.",
    json: changeFailures((reason) => ({ outcome: { result: { failure: reason } } })),
  },
  {
    name: "failure-in-messages",
    explanation: "The failure reason is one of outcome.messages.",
    json: changeFailures((reason) => ({ outcome: { messages: ["Accepted.", reason] } })),
  },
  {
    name: "failure-in-logs",
    explanation: "The failure reason is a line of the logs.",
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
    explanation: "The list has only the ID, model and status of a job.",
    json: changeRecords(({ request_id, model, status }) => ({ request_id, model, status }), ["list"]),
  },
  {
    name: "record-enveloped",
    explanation: "A single job comes as data.job, beside a code.",
    json: {
      routes: ["submit", "job"],
      change: (body) => (isRecord(body.data) ? body : { code: 0, message: "success", data: { job: body } }),
    },
  },
];
