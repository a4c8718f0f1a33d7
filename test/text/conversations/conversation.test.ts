import { describe, expect, test } from "vitest";
import {
  addTurn,
  chooseTurn,
  EMPTY_THREAD,
  getSiblings,
  pathTo,
  removeTurn,
  type Thread,
  updateTurn,
  visiblePath,
} from "#text/conversations/conversation.ts";
import fc from "../../setup/fc.ts";
import { someTurn } from "./some-conversation.ts";

const add = (thread: Thread, id: string, parentId: string | null) => addTurn(thread, someTurn({ id, parentId }));
const shown = (thread: Thread) => visiblePath(thread).map(({ turn }) => turn.id);

describe("the tree of messages", () => {
  test("an edited message is a new version with a branch of its own", () => {
    let thread = add(add(EMPTY_THREAD, "q", null), "a", "q");
    thread = add(add(thread, "q2", null), "a2", "q2");
    expect(shown(thread)).toEqual(["q2", "a2"]);
    expect(visiblePath(thread)[0]?.versions).toEqual(["q", "q2"]);
    thread = chooseTurn(thread, "q");
    expect(shown(thread)).toEqual(["q", "a"]);
  });

  test("switching back to a version shows its last shown branch", () => {
    let thread = add(add(add(EMPTY_THREAD, "q", null), "a1", "q"), "a2", "q");
    thread = chooseTurn(thread, "a1");
    thread = chooseTurn(add(thread, "q2", null), "q");
    expect(shown(thread)).toEqual(["q", "a1"]);
  });

  test("removing a version removes what follows it and shows its neighbour", () => {
    const thread = add(add(add(add(EMPTY_THREAD, "q", null), "a1", "q"), "a2", "q"), "next", "a2");
    const left = removeTurn(thread, "a2");
    expect(shown(left)).toEqual(["q", "a1"]);
    expect(left.turns.map(({ id }) => id)).toEqual(["q", "a1"]);
    expect(shown(removeTurn(left, "q"))).toEqual([]);
  });

  test("stays a tree with existing choices and a real path", () => {
    const act = fc.record({
      kind: fc.constantFrom("reply", "version", "choose", "remove", "update"),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        let thread: Thread = EMPTY_THREAD;
        for (const [index, { kind, pick }] of acts.entries()) {
          const target = thread.turns[pick % Math.max(1, thread.turns.length)];
          const id = `n${index}`;
          if (kind === "reply" || target === undefined) thread = add(thread, id, target?.id ?? null);
          else if (kind === "version") thread = add(thread, id, target.parentId);
          else if (kind === "choose") {
            thread = chooseTurn(thread, target.id);
            const siblings = getSiblings(thread, target.id).map((turn) => turn.id);
            const visible = visiblePath(thread).find(({ versions }) => versions.includes(target.id));
            if (visible) expect(visible.turn.id).toBe(target.id);
            if (visible) expect([...visible.versions]).toEqual(siblings);
          } else if (kind === "update") thread = updateTurn(thread, target.id, { text: "changed" });
          else thread = removeTurn(thread, target.id);

          const known = new Set<string>();
          for (const turn of thread.turns) {
            expect(turn.parentId === null || known.has(turn.parentId)).toBe(true);
            known.add(turn.id);
          }
          for (const child of Object.values(thread.chosen)) expect(known.has(child)).toBe(true);
          const path = visiblePath(thread).map(({ turn }) => turn);
          expect(pathTo(thread, path.at(-1)?.id ?? null)).toEqual(path);
          if (thread.turns.length > 0) expect(path.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200 },
    );
  });
});
