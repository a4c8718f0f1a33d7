import { createElement } from "react";
import { Virtuoso } from "react-virtuoso";
import { JobRow, jobColumns } from "../../../src/history/job-row.tsx";
import { TABLE_ROW_HEIGHT } from "../../../src/history/list-layout.ts";
import { makeEntries } from "../make-entries.mjs";
import { registerList } from "./register-list.mjs";

const nowMs = Date.now();
const columns = jobColumns(1039);
/** @type {import("react").CSSProperties & { "--columns": string }} */
const style = {
  position: "relative",
  height: TABLE_ROW_HEIGHT,
  "--columns": columns.all.map(({ width }) => width).join(" "),
};
const nothing = () => undefined;

/**
 * The very row of ours, with as many of them beyond either edge.
 * @param {number} index
 * @param {import("../make-entries.mjs").JobRecord} entry
 */
const itemContent = (index, entry) =>
  createElement(JobRow, {
    id: `row-${index}`,
    entry,
    isActive: false,
    isSelected: false,
    place: { "aria-rowindex": index + 2, style },
    columns,
    nowMs,
    isScrollingFast: false,
    onPress: nothing,
    onToggle: nothing,
  });

/** @type {import("react").FunctionComponent<import("react-virtuoso").VirtuosoProps<import("../make-entries.mjs").JobRecord, unknown>>} */
const List = Virtuoso;

registerList({
  mount: (count) =>
    createElement(List, {
      style: { height: "100%" },
      data: makeEntries(count, nowMs),
      fixedItemHeight: TABLE_ROW_HEIGHT,
      increaseViewportBy: TABLE_ROW_HEIGHT * 3,
      itemContent,
    }),
  // Its own mark for what it scrolls.
  scroller: "[data-virtuoso-scroller]",
});
