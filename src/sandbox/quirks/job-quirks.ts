import type { JsonRecord } from "#lib/read.ts";
import { failures, records } from "./json-changes.ts";
import type { Quirk } from "./quirk.ts";

/** Seconds of sandbox time that a job needs to show in the list under `list-lag`. */
const LIST_LAG_SECONDS = 30;

/** How records of jobs differ: words of status, times, reasons of a failure. They apply in this order. */
export const JOB_QUIRKS: readonly Quirk[] = [
  {
    name: "list-lag",
    explanation: `A new job shows in the list only after ${LIST_LAG_SECONDS} seconds of sandbox time.`,
    json: {
      routes: ["list"],
      change: (body, { nowMs }) => ({
        ...body,
        requests: (body.requests as JsonRecord[]).filter(
          (record) => Number(record.created_at) <= nowMs / 1000 - LIST_LAG_SECONDS,
        ),
      }),
    },
  },
  {
    name: "extra-statuses",
    explanation: "A running job passes through created, dispatched, processing and a word that nobody knows.",
    json: records((record, { nowMs }) => {
      if (record.status !== "queued") return record;
      const age = nowMs / 1000 - Number(record.created_at);
      const status = age < 2 ? "created" : age < 6 ? "dispatched" : age < 30 ? "processing" : "warming_up";
      return { ...record, status };
    }),
  },
  {
    name: "submit-without-outcome",
    explanation: "A submit that answers success leaves the outcome out; it must be read once more.",
    json: records(({ outcome: _, ...record }) => record, ["submit"]),
  },
  {
    name: "failure-in-outcome",
    explanation: "The reason of a failed job stands in outcome.error.",
    json: failures((reason) => ({ outcome: { error: reason } })),
  },
  {
    name: "failure-as-reason",
    explanation: "The reason of a failed job stands in reason.",
    json: failures((reason) => ({ reason })),
  },
  {
    name: "milliseconds",
    explanation: "Times of records are unix milliseconds.",
    json: records((record) => {
      const times = ["created_at", "queued_at", "updated_at"].map((name) => [name, Number(record[name]) * 1000]);
      return { ...record, ...(Object.fromEntries(times) as JsonRecord) };
    }),
  },
  {
    name: "untimed-records",
    explanation: "Records carry no times, though the list's filters know them.",
    json: records(({ created_at: _, queued_at: __, updated_at: ___, ...record }) => record),
  },
];
