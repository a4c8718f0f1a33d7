export type Row = readonly [id: string, label: string, keys?: string];

/** The commands of the viewer, beside those of its player. */
export const VIEWER_ROWS: readonly Row[] = [
  ["viewer.previous", "Previous", "arrowleft"],
  ["viewer.next", "Next", "arrowright"],
  ["viewer.first", "First", "home"],
  ["viewer.last", "Last", "end"],
  ["viewer.details", "Details", "i"],
  ["viewer.reuse-all", "Edit and run again", "a"],
  ["viewer.remix", "Same settings, new seed", "r"],
  ["viewer.reuse-prompt", "Reuse only the prompt", "p"],
  ["viewer.reuse-seed", "Reuse only the seed", "s"],
  ["viewer.compare", "Compare", "m"],
  ["viewer.compare-models", "Compare models", "shift+m"],
  ["viewer.as-input", "Use as input", "w"],
  ["viewer.star", "Star", "."],
  ["viewer.download", "Download", "d"],
  ["viewer.full-screen", "Full screen", "f"],
  ["viewer.zoom-in", "Zoom in", "plus"],
  ["viewer.zoom-out", "Zoom out", "-"],
  ["viewer.actual-size", "Actual size", "1"],
  ["viewer.fit", "Fit to window", "0"],
];

/** The commands of the comparison, beside those of its player. */
export const COMPARE_ROWS: readonly Row[] = [
  ["compare.swap", "Swap", "c"],
  ["compare.way", "Next comparison mode", "m"],
  ["compare.scale", "Change the scale", "s"],
  ["compare.models", "Add other models", "shift+m"],
  ["compare.previous", "Previous for B", "arrowleft"],
  ["compare.next", "Next for B", "arrowright"],
  ["compare.previous-a", "Previous for A", "shift+arrowleft"],
  ["compare.next-a", "Next for A", "shift+arrowright"],
  ["compare.star-a", "Star A"],
  ["compare.star-b", "Star B"],
  ["compare.zoom-in", "Zoom in", "plus"],
  ["compare.zoom-out", "Zoom out", "-"],
  ["compare.actual-size", "Actual size", "1"],
  ["compare.fit", "Fit to window", "0"],
  ["compare.settings", "Settings", "i"],
];

/** The commands of the bar that plays a clip or a sound, in each place where there is one. */
export function playerRows(place: "viewer" | "compare" | "result"): Row[] {
  return [
    [`${place}.play`, "Play or pause", "space"],
    [`${place}.skip-back`, "Skip back", "j"],
    [`${place}.skip-on`, "Skip forward", "l"],
    [`${place}.frame-back`, "One frame back", "["],
    [`${place}.frame-on`, "One frame on", "]"],
    [`${place}.mute`, "Mute", "u"],
    [`${place}.loop`, "Loop"],
    [`${place}.save-frame`, "Save this frame"],
    [`${place}.pip`, "Picture in picture"],
  ];
}
