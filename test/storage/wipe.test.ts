import "../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { storedTemplates } from "#batch/rows/recipe.ts";
import { connect, disconnect } from "#connection/connection-store.ts";
import { namedListActs } from "#connection/named-list.ts";
import { noteRequest, writeRequests } from "#connection/request-history.ts";
import { storeSealed } from "#connection/sealed-connections.ts";
import { saveSeen } from "#history/job-index/seen-jobs.ts";
import { asTexts, type JsonRecord } from "#lib/read.ts";
import { noteDeletion } from "#media/deleted-media.ts";
import { rememberUpload } from "#media/upload/upload-memory.ts";
import { presets } from "#models/presets.ts";
import { snippets } from "#playground/snippets/snippets.ts";
import { changeMarks } from "#results/marks/marks.ts";
import { START } from "#runs/job-list/job-pages.ts";
import { trackedChanges } from "#runs/ledger/ledger.ts";
import { limitRows, limitsKey, reservationsChange } from "#runs/ledger/spend-limits.ts";
import { leaseLeaderLock } from "#runs/poll/leadership.ts";
import { NO_LIMITS } from "#runs/rules/limits.ts";
import { currentIntent, intentChange } from "#runs/submit/outbox.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import { readJson, readText, writeJson, writeText } from "#storage/browser-store.ts";
import { onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { saveDraft, storeUnloadDrafts } from "#storage/drafts.ts";
import { newRecord } from "#storage/job-records.ts";
import { KEYS, keyOfAccount, LOCKS, STORE_NAMES } from "#storage/keys.ts";
import { batchKey, batchRows } from "#storage/stored-batches.ts";
import { writeFacts, writeThumbs } from "#storage/stored-files.ts";
import { readAll, saveOne } from "#storage/typed-rows.ts";
import { wipe } from "#storage/wipe.ts";
import { rememberCapability } from "#text/answer-request.ts";
import { createConversation } from "#text/conversations/conversation.ts";
import { createConversationStore, setDraft, storeQueue } from "#text/conversations/conversation-store.ts";
import { holdPicture, storePictures } from "#text/conversations/pictures.ts";
import { saveConversation } from "#text/conversations/stored-conversations.ts";
import { saveRequestLog } from "#text/request-log.ts";
import { agreedBatch } from "../setup/agreed-batch.ts";
import { makeIntent } from "../setup/make-intent.ts";
import { someJob } from "../setup/some-job.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "./fresh-database.ts";

beforeEach(() => {
  freshDatabase();
  localStorage.clear();
  sessionStorage.clear();
});

/** Everything that the studio writes for one account, through its own functions. `secret` is in all of it. */
async function fill(accountId: string, secret: string): Promise<void> {
  const rows = await openRows();
  const requestId = `job-${secret}`;
  const payload = { prompt: secret };
  const intent = makeIntent({
    intentId: `intent-${secret}`,
    request: { model: "m", payload },
    priceMicroUsd: 1,
    state: "unconfirmed",
  });
  const run = { requestId, model: "m", payload, priceMicroUsd: 1, submittedAtMs: 1, status: "failed" };
  const tracked = trackedChanges(accountId, newRecord({ ...run, origin: "answered" }));
  const held = { intentId: intent.intentId, atMs: 1, amountMicroUsd: 1, requestId };
  const changes = [...tracked, intentChange(accountId, intent), reservationsChange(accountId, [held])];
  await rows.edit({ store: "jobs", key: requestId, also: ["ledger", "outbox", "settings"] }, () => ({
    changes,
    result: undefined,
  }));
  await currentIntent({ rows, accountId, newId: () => secret }, `model-${secret}`);
  await saveOne(limitRows, accountId, limitsKey(accountId), NO_LIMITS);
  await saveOne(batchRows, accountId, batchKey(accountId, secret), agreedBatch(secret, [intent.request], 1));
  await changeMarks(accountId, [requestId], () => ({ note: secret }));
  await saveDraft(accountId, "m", payload);
  await namedListActs(presets, accountId, "m").save({ name: secret, payload });
  await namedListActs(snippets, accountId).save({ name: secret, text: secret });
  const recipe = { name: secret, groups: [{ name: secret, runs: [{ model: "m", payload }] }] };
  await namedListActs(storedTemplates, accountId).save({ name: secret, savedAtMs: 1, recipe });
  const upload = { hash: "0", publicUrl: `https://x.example/${secret}`, name: secret, kind: "image", uploadedAtMs: 1 };
  await rememberUpload(accountId, { ...upload, kind: "image" });
  await saveSeen(accountId, new Map([[0, [someJob(`seen-${secret}`, { prompt: secret })]]]), START, 1);
  const facts = { width: 2, height: 1 };
  const thumb = { type: "image/webp", bytes: new ArrayBuffer(4), facts };
  await writeThumbs(accountId, new Map([[`x.example/${secret}.png`, thumb]]), [], 1);
  await writeFacts(accountId, new Map([[`x.example/${secret}.png`, facts]]));
  await fillChat(accountId, secret);
  // A row that no reader understands is set aside unchanged.
  await rows.edit({ store: "marks", key: secret }, () => ({
    changes: [{ kind: "put", store: "marks", row: { key: secret, scope: accountId, v: 1, body: secret } }],
    result: undefined,
  }));
  await readAll(rows, { store: "marks", version: 1, read: (body) => (body === secret ? undefined : body) }, accountId);
  await leadOnce(accountId);
  const sent = { url: "https://x.example/apikey/requests", body: secret, sentAtMs: 1, tookMs: 1, answer: secret };
  noteRequest(accountId, { ...sent, method: "POST", response: { status: 200 } }, requestId);
  await writeRequests();

  writeText(keyOfAccount(KEYS.inactiveModels, accountId), JSON.stringify({ [secret]: { atMs: 1 } }));
  writeText(keyOfAccount(KEYS.dismissedExpiry, accountId), "1");
  writeText(keyOfAccount(KEYS.mediaHosts, accountId), JSON.stringify([`${secret}.example`]));
  noteDeletion(accountId, { requestId, files: [`https://x.example/${secret}.png`], inputs: [] });
  // As version 0.1 noted it.
  const before = asTexts(readJson(KEYS.deletedMedia));
  writeText(KEYS.deletedMedia, JSON.stringify([...before, requestId, `seen-${secret}`]));
  writeText(KEYS.reportedDuplicates, `${readText(KEYS.reportedDuplicates) ?? ""} ${requestId}`.trim());
  rememberPrompt(secret);
  storeSealed({ accountId, name: secret, queueBaseUrl: "https://x.example" }, secret);
  leaveWhileTyping(accountId, payload);
  writeJson(KEYS.unfinishedUploads, [{ accountId, name: secret }]);
}

/** The page is left before the draft of a form was written down. */
function leaveWhileTyping(accountId: string, payload: JsonRecord): void {
  void saveDraft(accountId, "m", payload);
  storeUnloadDrafts([{ accountId, modelId: "m", payload, isStored: false, uploads: [] }]);
}

async function fillChat(accountId: string, secret: string): Promise<void> {
  const asked = { endpoint: "completions", model: secret } as const;
  const conversation = createConversation(asked);
  await saveConversation(accountId, conversation);
  const request = { method: "POST", url: `https://x.example/${secret}`, headers: {}, body: secret };
  const log = { endpoint: asked.endpoint, exchanges: [{ sentAtMs: 0, request, events: [] }] };
  await saveRequestLog(accountId, conversation.id, `turn-${secret}`, log);
  holdPicture(`picture-${secret}`, btoa(secret));
  await storePictures(accountId, conversation.id, [`picture-${secret}`]);
  createConversationStore(accountId).start(asked);
  storeQueue(accountId, [
    { id: "1", conversationId: conversation.id, columnIds: [], text: secret, pictures: [], isHeld: true },
  ]);
  setDraft(conversation.id, secret);
  rememberCapability(accountId, asked, { isWhole: true });
}

/** Takes the lead as a browser without Web Locks does, and gives it up: the lease is written, and is over. */
async function leadOnce(accountId: string): Promise<void> {
  const leading = vi.fn();
  const lock = leaseLeaderLock(LOCKS.watch(accountId));
  const giveUp = lock.claim({ steal: false, onLead: leading, onLost: () => {} });
  await until(() => expect(leading).toHaveBeenCalled());
  giveUp();
  await until(async () => {
    const leases = (await (await openRows()).all("settings")).filter(({ key }) => key.includes(accountId));
    expect(leases.find(({ key }) => key.startsWith("lease|"))?.body).toMatchObject({ untilMs: 0 });
  });
}

/** Every place in which this browser has any of these texts, as `localStorage safelight.salt`. */
async function placesOf(...texts: string[]): Promise<string[]> {
  const places: string[] = [];
  const check = (place: string, text: string) => {
    if (texts.some((wanted) => text.includes(wanted))) places.push(place);
  };
  for (const [name, value] of Object.entries({ ...localStorage })) check(`localStorage ${name}`, name + value);
  for (const [name, value] of Object.entries({ ...sessionStorage })) check(`sessionStorage ${name}`, name + value);
  for (const store of STORE_NAMES) {
    for (const row of await (await openRows()).all(store)) check(`${store} ${row.key}`, JSON.stringify(row));
  }
  return places;
}

const OTHER = "0123456789abcdef0123456789abcdef";
const service = { queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://t.example", key: "key-1" };

describe("deleting an account's data from the browser", () => {
  test("leaves nothing of it in any store", async () => {
    const { accountId } = await connect(service);
    await fill(accountId, "zebra");
    const before = await placesOf("zebra", accountId);
    // The list would be of no use if a store were left out of it.
    const filled = new Set(before.map((place) => place.split(" ")[0]));
    expect([...filled].sort()).toEqual(["localStorage", "sessionStorage", ...STORE_NAMES].sort());
    for (const { name, owner, wipe: rule, area } of Object.values(KEYS)) {
      const whole = owner === "account" ? name + accountId : name;
      if (rule !== "stays") expect(before).toContain(`${area}Storage ${whole}`);
    }

    expect(await wipe(accountId)).toBeGreaterThan(STORE_NAMES.length);
    // The connection goes on until its key is forgotten.
    expect(await placesOf("zebra", accountId)).toEqual(["sessionStorage safelight.connection"]);
    disconnect();
    expect(await placesOf("zebra", accountId)).toEqual([]);
  });

  test("leaves another account and the browser's own settings unchanged", async () => {
    const { accountId } = await connect(service);
    await fill(OTHER, "okapi");
    writeText(KEYS.theme, "dark");
    writeText(KEYS.lastModel, "m");
    const before = await placesOf("okapi", OTHER, "dark");
    await fill(accountId, "zebra");
    await wipe(accountId);
    // Prompts and what is written in this tab do not say whose they are: they go with the connected account.
    const shared = [
      ...["safelight.prompts", "safelight:chat-drafts"],
      ...["safelight.late-draft", "safelight.unfinished-uploads"],
    ];
    const isShared = (place: string) => shared.some((name) => place.endsWith(name));
    expect(await placesOf("okapi", OTHER, "dark")).toEqual(before.filter((place) => !isShared(place)));
  });

  test("changes nothing that a tab of another account writes", async () => {
    await connect(service);
    leaveWhileTyping(OTHER, { prompt: "okapi" });
    await until(async () => expect(await placesOf("okapi")).toHaveLength(2));
    await wipe("f".repeat(32));
    expect(await placesOf("okapi")).toHaveLength(2);
  });

  test("is reported to this page and other tabs, which drop their data", async () => {
    const { accountId } = await connect(service);
    const heard = vi.fn();
    const stop = onWipe(heard);
    await wipe(accountId);
    expect(heard).toHaveBeenCalledExactlyOnceWith(accountId);
    storeQueue(accountId, [{ id: "1", conversationId: "c", columnIds: [], text: "zebra", pictures: [], isHeld: true }]);
    const otherTab = new BroadcastChannel("safelight-rows");
    otherTab.postMessage({ v: 1, stores: [], wiped: accountId });
    await until(() => expect(heard).toHaveBeenCalledTimes(2));
    expect(await placesOf("zebra")).toEqual([]);
    otherTab.close();
    stop();
  });

  test("keeps the lease of a tab that still polls", async () => {
    const leading = vi.fn();
    const giveUp = leaseLeaderLock(LOCKS.watch(OTHER)).claim({ steal: false, onLead: leading, onLost: () => {} });
    await until(() => expect(leading).toHaveBeenCalled());
    expect(await wipe(OTHER)).toBe(0);
    expect(await placesOf(OTHER)).toHaveLength(1);
    giveUp();
  });
});
