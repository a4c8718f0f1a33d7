/** How a picture stands in its pane: 1 is the size at which it fits; x and y move its middle, in pixels of the pane. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Pane {
  width: number;
  height: number;
}

export const FIT: Zoom = { scale: 1, x: 0, y: 0 };
/** The largest zoom where none is given, times the size at which it fits. */
export const LARGEST = 16;

/**
 * Zooms by a factor around a point of the pane (from its middle), which stays where it is on the picture.
 */
export function zoomAt(zoom: Zoom, factor: number, point: Point, pane: Pane, largest = LARGEST): Zoom {
  const scale = Math.min(largest, Math.max(1, zoom.scale * factor));
  const change = scale / zoom.scale;
  return withinPane(
    { scale, x: point.x - (point.x - zoom.x) * change, y: point.y - (point.y - zoom.y) * change },
    pane,
  );
}

/** Moves the picture, as far as it is larger than its pane. */
export function panBy(zoom: Zoom, dx: number, dy: number, pane: Pane): Zoom {
  return withinPane({ ...zoom, x: zoom.x + dx, y: zoom.y + dy }, pane);
}

// A picture never leaves its pane: at the size at which it fits it stands in the middle.
function withinPane(zoom: Zoom, pane: Pane): Zoom {
  const reachX = (pane.width * (zoom.scale - 1)) / 2;
  const reachY = (pane.height * (zoom.scale - 1)) / 2;
  return { scale: zoom.scale, x: clamp(zoom.x, reachX), y: clamp(zoom.y, reachY) };
}

function clamp(value: number, reach: number): number {
  // Adding zero turns -0 into 0.
  return Math.min(reach, Math.max(-reach, value)) + 0;
}
