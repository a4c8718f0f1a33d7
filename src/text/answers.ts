import type { TextClient } from "#connection/text-client.ts";
import { randomId } from "#lib/random-id.ts";
import { limitAgainst } from "#runs/ledger/answer-ledger.ts";
import { openRows } from "#storage/database.ts";
import { joinFacts, type StoredError } from "./answer.ts";
import { runAnswer } from "./answer-runner.ts";
import { inTime, limitWords, type ModelEntry, maxAnswerMicroUsd } from "./answer-spend.ts";
import { contextOfPath, withQuestion } from "./context-size.ts";
import type { Column } from "./conversations/conversation.ts";
import type { ConversationStore } from "./conversations/conversation-store.ts";
import { type Picture, storePictures } from "./conversations/pictures.ts";
import { findTurn, pathTo, type Turn, visiblePath } from "./conversations/thread.ts";
import { addRequestLog, type RequestLog, recordEvent, saveRequestLog } from "./request-log.ts";
import { explainWithPictures, streamAnswer } from "./stream-answer.ts";

export interface Answers {
  /** Asks columns; while one of them is still answering, the message waits for its turn. */
  ask(conversationId: string, columnIds: readonly string[], text: string, pictures?: readonly Picture[]): void;
  /** Another version of an answer. */
  regenerate(conversationId: string, columnId: string, turnId: string): Promise<void>;
  /** Several versions one after the other, to see how far they spread. A stop or a refusal ends the series. */
  repeat(conversationId: string, columnId: string, turnId: string, times: number): Promise<void>;
  /** Another version of a message. A person's message is asked again; an edited answer is only stored. */
  edit(conversationId: string, columnId: string, turnId: string, text: string): void;
  /** Goes on where an answer stopped. */
  continue(conversationId: string, columnId: string, turnId: string): void;
  /** Takes a message that waits for its turn out of the queue. */
  unqueue(id: string): void;
  /** Sends the messages that a stop or an error left waiting, as soon as their columns are free. */
  sendWaiting(conversationId: string): void;
  /** Writes what has come of each answer into its conversation: before the page goes away. */
  save(): void;
  /** Stops every answer of a conversation, or all. Messages that wait for their turn are not sent: they would cost. */
  stop(conversationId?: string): void;
  isBusy(conversationId: string, columnId: string): boolean;
  /**
   * Why a message may not be sent to these columns: a limit that their answers could break together, in words. Undefined
   * where it may; the limits are asked once more when each answer is sent, over all tabs. Never rejects.
   */
  objection(
    conversationId: string,
    columnIds: readonly string[],
    text: string,
    pictures?: readonly Picture[],
  ): Promise<StoredError | undefined>;
}

/** Sends messages to the service and writes the answers into the conversations as they arrive. */
export function createAnswers({
  clientFor,
  entryOf,
  accountId,
  conversations,
}: {
  clientFor: (projectId: string | undefined) => TextClient;
  entryOf: ModelEntry;
  accountId: string;
  conversations: ConversationStore;
}): Answers {
  const { store } = conversations;
  const columnOf = (conversationId: string, columnId: string) =>
    conversations.get(conversationId)?.columns.find(({ id }) => id === columnId);
  const addTurn = (conversationId: string, columnId: string, turn: Omit<Turn, "id" | "createdAtMs">): string => {
    const id = randomId();
    conversations.dispatch(conversationId, {
      kind: "turn-added",
      columnId,
      turn: { ...turn, id, createdAtMs: Date.now() },
    });
    return id;
  };

  const run = (conversationId: string, column: Column, turnId: string, path: readonly Turn[], begun?: Turn) => {
    const columnId = column.id;
    const log: RequestLog = { endpoint: column.endpoint, exchanges: [] };
    addRequestLog(turnId, log);
    const client = clientFor(conversations.get(conversationId)?.projectId);
    const answer = runAnswer({
      open: (signal) => streamAnswer({ client, accountId, conversationId, column, path, signal }),
      explain: (error) => explainWithPictures(error, column, path),
      startText: begun?.text ?? "",
      startParts: begun?.parts,
      onEvent: (event) => recordEvent(log, event),
      commit(patch) {
        const facts = begun?.facts ? joinFacts(begun.facts, patch.facts) : patch.facts;
        conversations.dispatch(conversationId, { kind: "turn-changed", columnId, turnId, patch: { ...patch, facts } });
      },
      // Every commit saves the whole conversation: a very long one is saved less often, so that typing stays smooth.
      commitEveryMs: Math.max(1000, column.thread.turns.length * 5),
    });
    const active = { conversationId, columnId, turnId, run: answer };
    store.setState(({ runs }) => ({ runs: { ...runs, [turnId]: active } }));
    return answer.done.then(() => {
      store.setState(({ runs: { [turnId]: _, ...others } }) => ({ runs: others }));
      conversations.flush();
      const thread = columnOf(conversationId, columnId)?.thread;
      const turn = thread && findTurn(thread, turnId);
      if (turn && !conversations.get(conversationId)?.isTemporary) {
        void saveRequestLog(accountId, conversationId, turnId, log);
        const made = (turn.parts ?? []).flatMap((part) => (part.kind === "picture" ? (part.pictureId ?? []) : []));
        void storePictures(accountId, conversationId, made);
      }
      if (turn?.outcome?.how !== "complete") hold(conversationId, columnId);
      sendNext();
    });
  };

  const answerTo = (conversationId: string, columnId: string, parentId: string): Promise<void> => {
    const column = columnOf(conversationId, columnId);
    if (column === undefined) return Promise.resolve();
    const asked = { endpoint: column.endpoint, model: column.model };
    const path = pathTo(column.thread, parentId);
    const turnId = addTurn(conversationId, columnId, { parentId, role: "assistant", text: "", asked });
    return run(conversationId, column, turnId, path);
  };

  const send = (
    conversationId: string,
    columnIds: readonly string[],
    text: string,
    pictures: readonly Picture[] = [],
  ) => {
    for (const columnId of columnIds) {
      const column = columnOf(conversationId, columnId);
      if (column === undefined) continue;
      const parentId = visiblePath(column.thread).at(-1)?.turn.id ?? null;
      const shown = pictures.length === 0 ? {} : { pictures };
      const asked = addTurn(conversationId, columnId, { parentId, role: "user", text, ...shown });
      void answerTo(conversationId, columnId, asked);
    }
  };

  const isBusy = (conversationId: string, columnId: string) =>
    Object.values(store.getState().runs).some(
      (active) => active.conversationId === conversationId && active.columnId === columnId,
    );

  /** After a stop or an error, the next messages wait for the person: they would cost, or be refused as well. */
  const hold = (conversationId: string, columnId: string) =>
    store.setState(({ queue }) => ({
      queue: queue.map((ask) =>
        ask.conversationId === conversationId && ask.columnIds.includes(columnId) ? { ...ask, isHeld: true } : ask,
      ),
    }));

  const sendNext = () => {
    const { queue } = store.getState();
    const next = queue.find(
      ({ conversationId, columnIds, isHeld }) =>
        !isHeld && !columnIds.some((columnId) => isBusy(conversationId, columnId)),
    );
    if (next === undefined) return;
    store.setState({ queue: queue.filter(({ id }) => id !== next.id) });
    send(next.conversationId, next.columnIds, next.text, next.pictures);
  };

  const answers: Answers = {
    isBusy,
    ask(conversationId, columnIds, text, pictures = []) {
      const unstored = pictures.flatMap(({ id, url }) => (url === undefined ? [id] : []));
      if (!conversations.get(conversationId)?.isTemporary) void storePictures(accountId, conversationId, unstored);
      const mustWait = columnIds.some((columnId) => isBusy(conversationId, columnId));
      if (!mustWait) send(conversationId, columnIds, text, pictures);
      else
        store.setState(({ queue }) => ({
          queue: [...queue, { id: randomId(), conversationId, columnIds, text, pictures, isHeld: false }],
        }));
    },
    regenerate(conversationId, columnId, turnId) {
      const column = columnOf(conversationId, columnId);
      const turn = column && findTurn(column.thread, turnId);
      if (!turn || turn.parentId === null || isBusy(conversationId, columnId)) return Promise.resolve();
      // A failed answer without text is replaced; it does not stay as a version.
      if (turn.text === "" && !turn.parts && turn.outcome?.how !== "complete") {
        conversations.dispatch(conversationId, { kind: "turn-removed", columnId, turnId });
      }
      return answerTo(conversationId, columnId, turn.parentId);
    },
    async repeat(conversationId, columnId, turnId, times) {
      const column = columnOf(conversationId, columnId);
      const parentId = column && findTurn(column.thread, turnId)?.parentId;
      if (!parentId) return;
      for (let count = 0; count < times; count++) {
        if (isBusy(conversationId, columnId)) return;
        await answerTo(conversationId, columnId, parentId);
        const path = visiblePath(columnOf(conversationId, columnId)?.thread ?? { turns: [], chosen: {} });
        // A stop or a refusal ends the series: the rest would only cost.
        if (path.at(-1)?.turn.outcome?.how !== "complete") return;
      }
    },
    edit(conversationId, columnId, turnId, text) {
      const column = columnOf(conversationId, columnId);
      const turn = column && findTurn(column.thread, turnId);
      if (!turn) return;
      const { parentId, role, asked, pictures } = turn;
      if (role === "user") {
        // Two answers would come in one column, and one of them out of sight.
        if (isBusy(conversationId, columnId)) return;
        const shown = pictures === undefined ? {} : { pictures };
        void answerTo(conversationId, columnId, addTurn(conversationId, columnId, { parentId, role, text, ...shown }));
        return;
      }
      const outcome = { how: "complete" as const };
      addTurn(conversationId, columnId, { parentId, role, text, outcome, ...(asked ? { asked } : {}) });
    },
    continue(conversationId, columnId, turnId) {
      const column = columnOf(conversationId, columnId);
      const turn = column && findTurn(column.thread, turnId);
      if (!turn || isBusy(conversationId, columnId)) return;
      void run(conversationId, column, turnId, pathTo(column.thread, turnId), turn);
    },
    async objection(conversationId, columnIds, text, pictures = []) {
      const columns = columnIds.flatMap((id) => columnOf(conversationId, id) ?? []);
      const check = async () => {
        const sizes = columns.map((column) => {
          const path = visiblePath(column.thread).map(({ turn }) => turn);
          const size = withQuestion(contextOfPath(column, path), text, pictures);
          return { model: column.model, input: size.tokens, output: size.answerTokens };
        });
        const most = await Promise.all(sizes.map(async (size) => maxAnswerMicroUsd(await entryOf(size.model), size)));
        const projectId = conversations.get(conversationId)?.projectId;
        const broken = await limitAgainst(await openRows(), accountId, { most, projectId, nowMs: Date.now() });
        return broken && limitWords(broken);
      };
      // Where nothing can be read, nothing can be said. The answer itself asks once more.
      return inTime(check()).catch(() => undefined);
    },
    unqueue(id) {
      store.setState(({ queue }) => ({ queue: queue.filter((waiting) => waiting.id !== id) }));
    },
    sendWaiting(conversationId) {
      store.setState(({ queue }) => ({
        queue: queue.map((ask) => (ask.conversationId === conversationId ? { ...ask, isHeld: false } : ask)),
      }));
      sendNext();
    },
    save() {
      for (const active of Object.values(store.getState().runs)) active.run.save();
    },
    stop(conversationId) {
      const isMeant = (one: { conversationId: string }) =>
        conversationId === undefined || one.conversationId === conversationId;
      for (const active of Object.values(store.getState().runs)) if (isMeant(active)) active.run.stop();
    },
  };
  return answers;
}
