import type { SimWay } from "./sim-settings.ts";

interface Patch {
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  replace: string;
}

/** A fault on purpose: the simulation must find it, or it proves nothing about what the code does against it. */
export interface Mutation {
  name: string;
  patches: Patch[];
  /** Where it can be found; everywhere unless given. */
  ways?: SimWay[];
}

const RULES = "src/runs/rules";
const SUBMIT = "src/runs/submit";
const SEND_ONCE = "src/host/relay/send-once.ts";
const BY_HOST: SimWay[] = ["relay", "two-hosts"];

const one = (name: string, file: string, find: string, replace: string, ways?: SimWay[]): Mutation => ({
  name,
  patches: [{ file, find, replace }],
  ...(ways ? { ways } : {}),
});

const ADD = "store.add(id, attempt, memory)";

/**
 * Grouped as the points of what the machine promises: once, refusals, clocks, pace, data, and who owns which job. Two rules
 * have another one behind them, so that the promises hold without them: that a repeat waits for the first copy in its host
 * (`send-once.test.ts` decides it), and that a job of another intent is no match (`proofs.test.ts`).
 */
export const MUTATIONS: readonly Mutation[] = [
  // Once, over restarts and hosts.
  one(
    "sent is written after forwarding",
    SEND_ONCE,
    ADD,
    `(state.kind === "sent" ? store.get(id).then((known) => (known ? { kind: "known" as const, attempt: known } : { kind: "added" as const })) : ${ADD})`,
    BY_HOST,
  ),
  one(
    "a dead owner's attempt is sent again",
    SEND_ONCE,
    'known.state.kind === "sent" && known.owner === store.owner && neverForwarded.has(known.run)',
    'known.state.kind === "sent" && known.owner !== store.owner',
    BY_HOST,
  ),
  one(
    "withdrawn is not written",
    SEND_ONCE,
    ADD,
    `(state.kind === "withdrawn" ? store.get(id).then((known) => (known ? { kind: "known" as const, attempt: known } : { kind: "added" as const })) : ${ADD})`,
    BY_HOST,
  ),
  one("any memory will do", SEND_ONCE, ADD, "store.add(id, attempt)", BY_HOST),
  one(
    "a lost answer counts as never sent",
    SEND_ONCE,
    'await settle(id, { ...attempt, state: { kind: "unknown" } });\n      throw outcomeUnknown();',
    'await settle(id, { ...attempt, state: { kind: "withdrawn" } });\n      throw neverSent();',
    BY_HOST,
  ),
  one(
    "an attempt that somebody forwards counts as never sent",
    SEND_ONCE,
    "if (!isFree || !isSame) return added;",
    'if (known.state.kind === "sent" && state.kind === "withdrawn") return { kind: "ours" as const, attempt: known };\n    if (!isFree || !isSame) return added;',
    BY_HOST,
  ),
  // What a refusal is.
  one(
    "a 502 with any JSON body counts as a refusal",
    `${RULES}/answers.ts`,
    "return refusalKind({ status, message });",
    'return status === 502 ? "retryable" : refusalKind({ status, message });',
  ),
  one(
    "a 4xx page counts as a refusal",
    `${RULES}/answers.ts`,
    "if (!isRecord(body)) return undefined;",
    'if (!isRecord(body)) return refusalKind({ status: status === 429 ? 504 : status, message: "" });',
  ),
  one(
    "a 429 of any form is followed by another attempt",
    `${RULES}/answers.ts`,
    "if (!isRecord(body)) return undefined;",
    'if (status === 429) return "retryable";\n  if (!isRecord(body)) return undefined;',
  ),
  one(
    "any id in a good answer is a job",
    "src/api/jobs.ts",
    "if (job && provesJob(evidence)) return job;",
    "if (job) return job;",
  ),
  one(
    "a 500 counts as a refusal",
    `${RULES}/answers.ts`,
    "return status >= 400 && status < 500 &&",
    "return status >= 400 && status <= 500 &&",
  ),
  one(
    "a 503 of any words counts as a refusal",
    `${RULES}/answers.ts`,
    'if (status === 502 || status === 503) return OWN_WORDS.test(message) ? "retryable" : undefined;',
    'if (status === 502) return OWN_WORDS.test(message) ? "retryable" : undefined;\n  if (status === 503) return "retryable";',
  ),
  one(
    "no answer is sent again",
    `${RULES}/proofs.ts`,
    'if (error?.name !== "UnreadableAnswerError") return answerLost();',
    'if (error?.name !== "UnreadableAnswerError") return { kind: "refused-for-now", refusal: { status: 0, message: "" }, error: { status: 0, message: "" } as RefusedError, readListFirst: true, maxAttempts: 4 };',
  ),
  one(
    "a host that cannot write is a refusal",
    `${RULES}/proofs.ts`,
    "return answerLost({ refusal: refusalOf(error), hostRefusal: error });",
    "return refused(error);",
    BY_HOST,
  ),
  one(
    "a refusal of a gateway before a crash is believed",
    `${RULES}/intent.ts`,
    'bodyKind === "plain" || refusalKind(refusal) === undefined',
    'bodyKind === "plain"',
  ),
  one(
    "a page that died while sending was refused",
    `${RULES}/intent.ts`,
    '  "page-lost": {\n    sending: unconfirmed,',
    '  "page-lost": {\n    sending: { to: "rejected", line: "not-charged", change: (row, _event, nowMs) => settledAsRejected(row, NO_WORDS, nowMs) },',
  ),
  // Clocks.
  one(
    "the window comes from the device's clock",
    `${SUBMIT}/run.ts`,
    "first.isWhole ? 0 : windowFrom(first.jobs, effects.api.serviceSeconds())",
    "Math.max(0, Math.floor(effects.nowMs() / 1000) - 24 * 3600)",
  ),
  one(
    "the window of an older row is used",
    `${SUBMIT}/outbox.ts`,
    "listedAfterSeconds: v < 2 ? 0 : (asNumber(raw.listedAfterSeconds) ?? 0),",
    "listedAfterSeconds: asNumber(raw.listedAfterSeconds) ?? 0,",
  ),
  {
    name: "waiting is counted by the wall clock",
    patches: [
      {
        file: `${SUBMIT}/recovery.ts`,
        find: "const waitFromMs = effects.monotonicMs();",
        replace: "const waitFromMs = effects.nowMs();",
      },
      {
        file: `${SUBMIT}/recovery.ts`,
        find: "Math.max(0, effects.monotonicMs() - waitFromMs);",
        replace: "Math.max(0, effects.nowMs() - waitFromMs);",
      },
    ],
  },
  // Pace, and when "not found" may be said.
  one(
    "looks are not spaced",
    `${SUBMIT}/recovery.ts`,
    "const minMs = isFirst ? 0 : Math.min(ms, MIN_BETWEEN_POLLS_MS);",
    "const minMs = isFirst ? 0 : 10;",
  ),
  one(
    "retries come at once",
    `${SUBMIT}/run.ts`,
    "await effects.sleep(waitMs, cancel);",
    "await effects.sleep(250, cancel);",
  ),
  one("waits do not double", `${SUBMIT}/run.ts`, "retryDelayMs(row.attempt - 1, error,", "retryDelayMs(0, error,"),
  one(
    "absent after half a minute",
    `${RULES}/absence.ts`,
    "export const ABSENT_AFTER_MS = 120_000;",
    "export const ABSENT_AFTER_MS = 30_000;",
  ),
  one("a failed look counts", `${SUBMIT}/recovery.ts`, 'failed = seen === "failed";', "failed = false;"),
  one(
    "a page that slept sends",
    `${SUBMIT}/run.ts`,
    "if (hasSlept(effects, since) || hasJumped(effects, since)) {",
    "if (since.wallMs < 0) {",
  ),
  // Data that is ours to keep.
  one("a row in an unknown state is put aside", `${SUBMIT}/outbox.ts`, "  isMoney: true,\n", ""),
  {
    name: "a newer row is moved",
    patches: [
      {
        file: `${SUBMIT}/outbox.ts`,
        find: "return stored.v > intentRows.version ? undefined : intentRows.read(stored.body, stored);",
        replace: "return intentRows.read(stored.body, stored);",
      },
      {
        file: "src/storage/rows.ts",
        find: 'if (change.kind === "put") return stored.v > change.row.v;',
        replace: 'if (change.kind === "put") return false;',
      },
    ],
  },
  one(
    "a lost database is not written again",
    `${SUBMIT}/outbox.ts`,
    "if (!lostStores.has(rows)) return;",
    "if (lostStores.has(rows)) return;",
  ),
  // Who owns which job.
  one(
    "the row is written after the request",
    `${SUBMIT}/run.ts`,
    "  let row: Intent;\n  try {",
    "  await effects.api.submit(order.request, { attemptId: order.intentId + '.1', body: route.body, memory: route.memory }).catch(() => {});\n  let row: Intent;\n  try {",
  ),
  one(
    "jobs of the baseline are taken for new",
    `${RULES}/proofs.ts`,
    "const fresh = listed.filter((job) => !ids.has(job.requestId) && ",
    "const fresh = listed.filter((job) => ",
  ),
  one(
    "the baseline of an older row is left behind",
    `${SUBMIT}/outbox.ts`,
    "return { ids: new Set(asTexts(body.baseline)), afterSeconds };",
    "return { ids: new Set(), afterSeconds };",
  ),
  one(
    "the baseline is not stored with its intent",
    `${SUBMIT}/outbox.ts`,
    "const changes = [intentChange(accountId, row), baselineChange(accountId, row.intentId, baseline), reserved];",
    "const changes = [intentChange(accountId, row), reserved];",
  ),
  one(
    "the baseline is removed before the last audit",
    `${SUBMIT}/outbox.ts`,
    'if (event.kind === "audited" && event.isLast) changes',
    'if (event.kind === "job-known" || event.kind === "audited") changes',
    ["plain"],
  ),
  one(
    "duplicates are not searched for",
    `${RULES}/proofs.ts`,
    "return extraJobs.slice(0, MAX_DELIVERIES);",
    "return extraJobs.slice(0, 0);",
    ["plain"],
  ),
  one(
    "a refusal of a plain body is not audited",
    `${RULES}/intent.ts`,
    'auditDueAtMs: row.bodyKind === "plain" ? nowMs + AUDIT_AFTER_MS : undefined,',
    "auditDueAtMs: undefined,",
    ["plain"],
  ),
  one("a late answer is not recorded", `${RULES}/intent.ts`, "    unconfirmed: accepted,\n", ""),
];
