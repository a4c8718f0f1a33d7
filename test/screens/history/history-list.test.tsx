import { act, render, screen } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import type { HistoryEntry } from "#screens/history/history-entry.ts";
import { HistoryList } from "#screens/history/history-list.tsx";
import { giveLayout } from "../../setup/give-layout.ts";
import { someEntry } from "./some-entry.ts";

const nowMs = Date.UTC(2026, 10, 23, 12);

/** Jobs of one day of which each seventh failed; `rendered` notes whose prompt is looked at, once for each rendering. */
function someJobs(count: number, rendered: string[]): HistoryEntry[] {
  return Array.from({ length: count }, (_, place) => {
    const status = place % 7 === 3 ? "failed" : "success";
    const entry = someEntry(`req-${place}`, { status, createdAtSeconds: nowMs / 1000 - place });
    return Object.defineProperty(entry, "prompt", { get: () => rendered.push(entry.requestId) && `Prompt ${place}` });
  });
}

it.each(["grid", "table"] as const)("scrolling a %s renders no line again that stays in sight", async (density) => {
  onTestFinished(giveLayout());
  const rendered: string[] = [];
  const entries = someJobs(300, rendered);
  render(
    <HistoryList
      entries={entries}
      density={density}
      cursor={{ active: 5, anchor: 5, selected: new Set() }}
      onCursorChange={() => undefined}
      onOpen={() => undefined}
      marks={new Map()}
      nowMs={nowMs}
      placeKey={`test ${density}`}
    />,
  );
  const scroller = document.querySelector<HTMLElement>("[data-history-scroller]");
  await screen.findByRole("grid", { name: "Jobs" });
  const before = new Set(rendered);
  expect(before.size).toBeGreaterThan(10);
  const scrollTo = async (top: number) => {
    if (scroller) scroller.scrollTop = top;
    await act(async () => void scroller?.dispatchEvent(new Event("scroll")));
  };
  await scrollTo(30);
  rendered.length = 0;
  await scrollTo(400);
  const isNew = rendered.some((id) => !before.has(id));
  expect(isNew).toBe(true);
  expect(rendered.filter((id) => before.has(id))).toEqual([]);
});
