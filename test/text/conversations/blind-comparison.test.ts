import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  countVote,
  isBlind,
  readScores,
  resetScores,
  shownColumns,
  shuffled,
} from "#text/conversations/blind-comparison.ts";
import { someColumn } from "./some-conversation.ts";

const [left, right] = [someColumn({ id: "left", model: "a" }), someColumn({ id: "right", model: "b" })];

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  resetScores();
});
afterEach(() => void vi.unstubAllGlobals());

describe("a blind comparison", () => {
  it("has every column once, in the order that was drawn", () => {
    const blind = shuffled([left, right]);
    expect([...blind.order].sort()).toEqual(["left", "right"]);
    const conversation = { columns: [left, right], blind: { order: ["right", "left"], isRevealed: false } };
    expect(shownColumns(conversation).map(({ id }) => id)).toEqual(["right", "left"]);
    expect(isBlind(conversation)).toBe(true);
    expect(isBlind({ ...conversation, blind: { ...conversation.blind, isRevealed: true } })).toBe(false);
    expect(isBlind({ ...conversation, columns: [left] })).toBe(false);
  });

  it("counts a vote for each model, and a reset forgets all", () => {
    countVote([left, right], "right");
    countVote([left, right], "tie");
    countVote([left, right], "none");
    expect(readScores()).toEqual([
      { model: "a", won: 0, lost: 1, tied: 1, none: 1 },
      { model: "b", won: 1, lost: 0, tied: 1, none: 1 },
    ]);
    resetScores();
    expect(readScores()).toEqual([]);
  });

  it("between two columns of one model counts that model once", () => {
    countVote([left, { ...right, model: "a" }], "right");
    expect(readScores()).toEqual([{ model: "a", won: 1, lost: 0, tied: 0, none: 0 }]);
  });

  it("reads stored scores as untrusted data", () => {
    localStorage.setItem("safelight.blind-votes", '[{"model":"a","won":-3,"lost":"x"},{"model":"a"},5,{"won":1}]');
    countVote([right], "right");
    expect(readScores()).toEqual([
      { model: "a", won: 0, lost: 0, tied: 0, none: 0 },
      { model: "b", won: 1, lost: 0, tied: 0, none: 0 },
    ]);
  });
});
