// Finds a place for the toasts where they cover nothing that can be pressed.

/** A rectangle of the window, in CSS pixels. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Something that a person may press. `weight`: how bad it is to cover all of it, 1 for a link and more for a button. */
export interface Obstacle {
  area: Area;
  weight: number;
}

interface Size {
  width: number;
  height: number;
}

/** Between the toasts and the edges of the window, in CSS pixels. */
const EDGE = 16;
/** The distance of two places that are compared, in CSS pixels. */
const STEP = 12;
/** A covered corner of a button counts at least this much of its weight. */
const MIN_COVERED_PART = 0.25;
/** The present place is left only for one that costs this much less, so that toasts do not jump. */
const MIN_GAIN = 0.1;
/** Larger areas are images that open: a covered corner of one counts only as its part. Square CSS pixels. */
const LARGE_AREA = 40_000;

/** The upper left corner of the toasts, in CSS pixels. */
export interface Place {
  left: number;
  top: number;
}

/**
 * Where a box covers nothing that can be pressed, as near to the bottom right corner as that is possible; where there is
 * no such place, where it covers least. It stays at `current` while that is about as good.
 */
export function findToastPlace(size: Size, frame: Size, obstacles: readonly Obstacle[], current?: Place): Place {
  const lastLeft = Math.max(0, frame.width - size.width - Math.min(EDGE, (frame.width - size.width) / 2));
  const firstLeft = Math.min(EDGE, lastLeft);
  const lastTop = Math.max(0, frame.height - size.height - EDGE);
  // Stops adding at `limit`: a place that costs more is not chosen anyway.
  const costAt = ({ left, top }: Place, limit: number) => {
    const box = { left, top, right: left + size.width, bottom: top + size.height };
    // The distance from the corner costs a little, so that the nearer of two free places wins.
    let cost = (Math.abs(lastTop - top) / (frame.height + 1) + Math.abs(lastLeft - left) / (frame.width + 1)) / 100;
    for (const { area, weight } of obstacles) {
      if (cost >= limit) break;
      cost += weight * coveredPart(box, area);
    }
    return cost;
  };
  const lefts = [...new Set([lastLeft, (firstLeft + lastLeft) / 2, firstLeft])];
  let best = { left: lastLeft, top: lastTop, cost: Number.POSITIVE_INFINITY };
  for (const left of lefts) {
    for (let top = lastTop; top >= 0; top -= STEP) {
      const cost = costAt({ left, top }, best.cost);
      if (cost < best.cost) best = { left, top, cost };
    }
  }
  const fits = current && current.top <= lastTop && current.left <= lastLeft;
  if (fits && costAt(current, best.cost + MIN_GAIN) < best.cost + MIN_GAIN) return current;
  return { left: best.left, top: best.top };
}

/** The part of an area that a box covers: 0 where they are apart, else more. */
function coveredPart(box: Area, area: Area): number {
  const width = Math.min(box.right, area.right) - Math.max(box.left, area.left);
  const height = Math.min(box.bottom, area.bottom) - Math.max(box.top, area.top);
  if (width <= 0 || height <= 0) return 0;
  const whole = (area.right - area.left) * (area.bottom - area.top);
  if (whole > LARGE_AREA) return (width * height) / whole;
  return Math.max(MIN_COVERED_PART, (width * height) / whole);
}

/** Everything that can be pressed. */
const PRESSABLE = "a[href], button, input, select, textarea, summary, [role=slider], [role=option], [tabindex='0']";

/** All that can be pressed now: in the topmost dialog, where one is open, else on the page. */
export function findObstacles(): Obstacle[] {
  const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
  const container = dialogs[dialogs.length - 1] ?? document.body;
  const found: Obstacle[] = [];
  for (const element of container.querySelectorAll(PRESSABLE)) {
    if (element.closest("[data-toaster]")) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (right <= left || bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) continue;
    found.push({ area: { left, top, right, bottom }, weight: getWeight(element) });
  }
  return found;
}

/** The weight of an element. The main button of a screen and the last buttons of a dialog are covered last of all. */
function getWeight(element: Element): number {
  if (element === document.activeElement) return 50;
  if (element.matches("[type=submit], [data-primary], [data-footer] *")) return 50;
  return element.matches("button, input, textarea, select") ? 2 : 1;
}
