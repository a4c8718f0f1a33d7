import { createElement, useState } from "react";
import { ConnectionProvider } from "../../../src/connection/connection-provider.tsx";
import { HistoryList } from "../../../src/history/history-list.tsx";
import { NO_CURSOR } from "../../../src/ui/grid-cursor.ts";
import { makeEntries } from "../make-entries.mjs";
import { measureIndex } from "./measure-index.mjs";
import { registerList } from "./register-list.mjs";

const NO_MARKS = new Map();
const nowMs = Date.now();

/** @param {{ entries: import("../make-entries.mjs").JobRecord[] }} props */
function List({ entries }) {
  const [cursor, setCursor] = useState(NO_CURSOR);
  return createElement(HistoryList, {
    entries,
    density: "table",
    cursor,
    onCursorChange: setCursor,
    onOpen: () => undefined,
    onFocusChange: () => undefined,
    marks: NO_MARKS,
    nowMs,
    placeKey: "bench",
  });
}

registerList({
  mount: (count) =>
    createElement(ConnectionProvider, null, createElement(List, { entries: makeEntries(count, nowMs) })),
  scroller: "[data-history-scroller]",
});
window.measureIndex = (count) => measureIndex(makeEntries(count, nowMs), nowMs);
