import { type IntentState, isUnsettled, type Refusal } from "#runs/rules/intent.ts";
import { getAttemptSlot, intentRows } from "#runs/submit/outbox.ts";
import type { StoredRow } from "#storage/rows.ts";
import { EPOCH_MS } from "./sim-service.ts";
import { PRICE } from "./sim-settings.ts";
import { OLDER_INTENT } from "./sim-statements.ts";
import { ACCOUNT_ID } from "./sim-tab.ts";
import type { SimWorld } from "./sim-world.ts";
import type { Random } from "./virtual-time.ts";

const DAY_SECONDS = 86_400;

interface OlderStory {
  state: IntentState;
  refusal?: Refusal;
  /** Probability that a job was made. */
  made: number;
}

/** How version 0.2 (f8283cc) may have left an intent: it took any 502 with a JSON body for a refusal. */
const OLDER_STORIES: OlderStory[] = [
  { state: "sending", made: 0.6 },
  { state: "unconfirmed", made: 0.6 },
  { state: "absent", made: 0.2 },
  { state: "retrying", refusal: { status: 429, message: "Rate limit exceeded. Try again later." }, made: 0 },
  { state: "retrying", refusal: { status: 502, message: "Bad Gateway" }, made: 0.6 },
];

/** The version before this one took no page for a refusal. */
const LATER_STORIES = OLDER_STORIES.filter(({ refusal }) => refusal?.status !== 502);

/**
 * A page of an older version died and left a row, with the list of jobs in it: to be taken up. The window of version 0.2
 * (rows of version 1) is by the device's clock; the version before this one (2) read the list of a model as it does now.
 */
export function leaveOlderRow(world: SimWorld, random: Random, model: string, prompt: string): void {
  const { browser, service, witness } = world;
  const { settings } = browser;
  const v = random.pick([1, 2]);
  const { state, refusal, made } = random.pick(v === 1 ? OLDER_STORIES : LATER_STORIES);
  const intentId = `${v === 1 ? OLDER_INTENT : "intent-before-"}${model}`;
  const sentAtMs = EPOCH_MS + settings.skewMs - 5_000;
  const listedAfterSeconds = v === 1 ? Math.max(0, Math.floor(sentAtMs / 1000) - 2 * DAY_SECONDS) : 0;
  const listed = [0, 1000].flatMap(
    (offset) =>
      service.list({
        model_id: model,
        ...(listedAfterSeconds > 0 ? { created_after: listedAfterSeconds } : {}),
        limit: 1000,
        offset,
      }).jobs,
  );
  const request = { model, payload: { prompt } };
  const body = {
    intentId,
    request,
    priceMicroUsd: PRICE,
    state,
    attempt: 1,
    bodyKind: settings.body,
    sentAtMs,
    listedAfterSeconds,
    baseline: listed.map(({ requestId }) => requestId),
    ...(v === 1 ? {} : { baselineAfterSeconds: listedAfterSeconds }),
    shared: listed.length > 0,
    goodLooks: state === "absent" ? 5 : 0,
    waitedMs: state === "absent" ? 120_000 : 0,
    surelyCharged: false,
    dismissed: false,
    requestIds: [],
    how: undefined,
    refusal,
    auditDueAtMs: undefined,
    settledAtMs: undefined,
  };
  const slot = isUnsettled(state) ? { slot: getAttemptSlot(ACCOUNT_ID, model) } : {};
  const row: StoredRow = { key: intentId, scope: ACCOUNT_ID, v, body, ...slot };
  browser.note("older-row");
  browser.rows.putOutside("outbox", row);
  witness.noteOlder(row);
  if (random.chance(made)) service.create(request, intentId);
}

/** Shapes of a newer version: one that this version cannot read, a state that it does not know, and one that it can read. */
const NEWER_SHAPES = [
  { raisedBy: 1, body: { phase: { name: "sending", since: 1 } } },
  { raisedBy: 0, body: { state: "withdrawn-by-person" } },
  { raisedBy: 1, body: { state: "unconfirmed" } },
  { raisedBy: 1, body: { state: "sending" } },
] as const;

/** A page of a newer version has an attempt of its own, in a shape of its own, and settles it later. */
export function writeNewerRow(world: SimWorld, random: Random, model: string, index: number): void {
  const { browser, witness } = world;
  const { raisedBy, body } = random.pick(NEWER_SHAPES);
  const intentId = `newer-${index}`;
  const request = { model, payload: { prompt: "of a newer page" } };
  const row: StoredRow = {
    key: intentId,
    scope: ACCOUNT_ID,
    v: intentRows.version + raisedBy,
    body: { intentId, request, priceMicroUsd: PRICE, attempt: 1, bodyKind: browser.settings.body, ...body },
    slot: getAttemptSlot(ACCOUNT_ID, model),
  };
  if (!browser.rows.putOutside("outbox", row)) return;
  browser.note("newer-row");
  witness.noteOutside(row);
  browser.time.after(random.between(2_000, 200_000), () => {
    witness.forgetOutside(row.key);
    browser.rows.removeOutside("outbox", row.key);
  });
}
