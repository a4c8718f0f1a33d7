import { plainName } from "#lib/find-value.ts";
import { asLooseNumber, isRecord, type JsonRecord } from "#lib/read.ts";

/** 2001 and 2100: a job was made between them. Lengths and numbers of other kinds are not. */
const FIRST_SECOND = 1e9;
const LAST_SECOND = 4_102_444_800;
/** Units in which a moment may be counted, by how many of them make a second. */
const UNITS = [1, 1e3, 1e6, 1e9];

/** A zone at the end of a written date: `Z`, `UTC`, `GMT`, `+02:00`, `-0700`. */
const ZONE = /(?:z|utc?|gmt|[+-]\d\d(?::?\d\d)?)(?:\s*\(.*\))?$/i;
const ISO_DAY = /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[t\s]+(\d.*))?$/i;
const LONGEST_DATE = 80;

/**
 * Unix seconds from seconds, milliseconds, microseconds or nanoseconds, as a number or a text, or from a written date: ISO
 * with a T or a space, RFC 2822 and what JavaScript prints. A date without a zone is meant in UTC. Undefined for anything
 * else, and for what is not between 2001 and 2100. The specification shows no time of a job.
 */
export function readSeconds(value: unknown): number | undefined {
  if (isRecord(value)) return readSeconds(value.seconds ?? value._seconds ?? value.$date ?? value.$numberLong);
  if (typeof value === "string" && !/^\s*\d+(\.\d+)?\s*$/.test(value)) {
    return value.length > LONGEST_DATE ? undefined : readDate(value.trim());
  }
  const number = asLooseNumber(value);
  if (number === undefined) return undefined;
  for (const unit of UNITS) if (isPlausible(number / unit)) return Math.floor(number / unit);
  return undefined;
}

const isPlausible = (seconds: number) => seconds >= FIRST_SECOND && seconds < LAST_SECOND;

function readDate(text: string): number | undefined {
  const iso = ISO_DAY.exec(text);
  // Only dates that name their day and their year: a text such as "May 7" or "in 5 minutes" is none.
  const isWords = /^[a-z]{3,9},?\s/i.test(text) || /^\d\d?[\s-][a-z]{3}/i.test(text);
  if (!iso && !(isWords && /\b\d{4}\b/.test(text) && /\d:\d\d/.test(text))) return undefined;
  const seconds = Date.parse(iso ? isoText(iso) : ZONE.test(text) ? text : `${text} UTC`) / 1000;
  return isPlausible(seconds) ? Math.floor(seconds) : undefined;
}

/** The date as every browser reads it: two digits, a T, a zone with a colon, three digits of a second. */
function isoText([, year, month = "", day = "", rest]: RegExpExecArray): string {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (rest === undefined) return `${date}T00:00:00Z`;
  const zone = ZONE.exec(rest)?.[0] ?? "Z";
  const time = rest.slice(0, ZONE.test(rest) ? -zone.length : undefined).trim();
  const [clock = "", fraction = ""] = time.split(/[.,]/, 2);
  const offset = /^[+-]\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}` : "Z";
  return `${date}T${clock.split(":").length === 2 ? `${clock}:00` : clock}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`;
}

/** `created` in any of the forms of a name: `created_at`, `dateCreated`, `createTime`, `created_at_ms`, plain `created`. */
const named = (stems: string) =>
  new RegExp(
    `^(?:date|time|ts|job|task|request|gmt|utc)?(?:${stems})(?:at|on|time|date|timestamp|ts)*(?:ms|millis|us|ns|utc|unix|epoch|sec|seconds|iso)*$`,
  );

/** Names by their meaning, the likeliest first: when a job was made, and, from `ENDED` on, when it ended or changed. */
const NAMES = [
  named("created?|creation|inserted|added|initiated|posted|registered"),
  named("submitted|submit|submission|requested|request|received|accepted"),
  named("queued?|enqueued?"),
  named("started|start|began"),
  /^(?:timestamp|datetime|ts|time|date|ctime)$/,
  named("finished|finish|completed|completion|done|ended|end|succeeded|failed|cancell?ed|settled|resolved"),
  named("(?:last)?(?:updated|update|modified|changed)"),
];
const OF_ANYTHING = 4;
const ENDED = 5;

const MAX_RANKS = 2000;
const ranks = new Map<string, number>();

/** Which of `NAMES` a plain name is, or -1. A list of a thousand jobs has the same few names a thousand times. */
function placeOf(plain: string): number {
  const known = ranks.get(plain) ?? NAMES.findIndex((name) => name.test(plain));
  if (ranks.size >= MAX_RANKS) ranks.clear();
  ranks.set(plain, known);
  return known;
}

/** Records of a job in which its times may stand. */
const HOLDS_TIMES =
  /^(?:timestamps?|times?|timings?|dates?|metadata|meta|attributes|info|details|audit|stats|metrics|lifecycle)$/;

interface JobTimes {
  createdAtSeconds: number | undefined;
  /** When it ended, where the record says so; else when it last changed. */
  updatedAtSeconds: number | undefined;
}

/**
 * The times of a job under any usual name, from its records, which are looked into one level deep. Unix seconds.
 */
export function readTimes(records: readonly JsonRecord[]): JobTimes {
  const times: (number | undefined)[] = NAMES.map(() => undefined);
  const note = (record: JsonRecord, isTop: boolean) => {
    for (const [key, value] of Object.entries(record)) {
      const plain = plainName(key);
      const place = placeOf(plain);
      if (place >= 0) times[place] ??= readSeconds(value);
      if (isTop && isRecord(value) && HOLDS_TIMES.test(plain)) note(value, false);
    }
  };
  for (const record of records) note(record, true);
  const first = (some: typeof times) => some.find((time) => time !== undefined);
  return { createdAtSeconds: first(times.slice(0, ENDED)), updatedAtSeconds: first(times.slice(ENDED)) };
}

/**
 * Whether a record says when its job was made, queued or started, under a name that says so: a plain `timestamp` may be the
 * answer's own.
 */
export function hasStartTime(record: JsonRecord): boolean {
  return Object.entries(record).some(([key, value]) => {
    const place = placeOf(plainName(key));
    return place >= 0 && place < OF_ANYTHING && readSeconds(value) !== undefined;
  });
}
