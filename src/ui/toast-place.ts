/** A rectangle of the window, in CSS px. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Something that a person may press, and how bad it is to cover it whole: 1 for a link, more for what acts. */
export interface Obstacle {
  area: Area;
  weight: number;
}

interface Size {
  width: number;
  height: number;
}

const EDGE = 16;
const STEP = 12;
/** What covers a part counts as that part, and never as nothing: a corner of a button is in the way, too. */
const LEAST = 0.25;
const NEARLY = 0.1;

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
  const costAt = ({ left, top }: Place, limit: number) => {
    const box = { left, top, right: left + size.width, bottom: top + size.height };
    // Far from the corner costs little, but something: of two free places the nearer one wins.
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
  if (fits && costAt(current, best.cost + NEARLY) < best.cost + NEARLY) return current;
  return { left: best.left, top: best.top };
}

/** The part of an area that a box covers: 0 where they are apart, else `LEAST` to 1. */
function coveredPart(box: Area, area: Area): number {
  const width = Math.min(box.right, area.right) - Math.max(box.left, area.left);
  const height = Math.min(box.bottom, area.bottom) - Math.max(box.top, area.top);
  if (width <= 0 || height <= 0) return 0;
  const whole = (area.right - area.left) * (area.bottom - area.top);
  // A corner of a picture that opens larger is no loss.
  if (whole > 40_000) return (width * height) / whole;
  return Math.max(LEAST, (width * height) / whole);
}

const PRESSED = "a[href], button, input, select, textarea, summary, [role=slider], [role=option], [tabindex='0']";

/** All that can be pressed now: in the topmost dialog, where one is open, else on the page. */
export function findObstacles(): Obstacle[] {
  const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
  const room = dialogs[dialogs.length - 1] ?? document.body;
  const found: Obstacle[] = [];
  for (const element of room.querySelectorAll(PRESSED)) {
    if (element.closest("[data-toaster]")) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (right <= left || bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) continue;
    found.push({ area: { left, top, right, bottom }, weight: weightOf(element) });
  }
  return found;
}

/** The one act of a screen and the buttons at the end of a dialog are never covered while anything else can be. */
function weightOf(element: Element): number {
  if (element === document.activeElement) return 50;
  if (element.matches("[type=submit], [data-primary], [data-footer] *")) return 50;
  return element.matches("button, input, textarea, select") ? 2 : 1;
}
