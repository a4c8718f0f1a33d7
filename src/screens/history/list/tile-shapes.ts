import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { onWipe } from "#storage/changes.ts";
import { readShapes, SHAPES_AT_ONCE, writeShapes } from "#storage/tile-shapes.ts";
import type { HistoryEntry } from "../history-entry.ts";

/*
 * The shapes of tiles that their records do not tell. A shape that becomes known while its tile is looked at is used by the
 * next list that is opened: rows in view keep their place.
 */

interface Shapes {
  known: Map<string, number>;
  /** The chunk that new shapes are added to, and its place among all. */
  newest: Map<string, number>;
  place: number;
  isRead: boolean;
  writing: ReturnType<typeof setTimeout> | undefined;
}

const WRITE_AFTER_MS = 1000;
/** A tile may be so much wider or narrower than its file: nobody sees it. */
const SAME = 0.02;

const accounts = new Map<string, Shapes>();
const opening = new Map<string, Promise<void>>();
let isListening = false;

function shapesOf(accountId: string): Shapes {
  const known = accounts.get(accountId);
  if (known) return known;
  if (!isListening) onWipe((wiped) => forget(wiped));
  isListening = true;
  const fresh: Shapes = { known: new Map(), newest: new Map(), place: 0, isRead: accountId === "", writing: undefined };
  accounts.set(accountId, fresh);
  return fresh;
}

function forget(accountId: string): void {
  clearTimeout(accounts.get(accountId)?.writing);
  accounts.delete(accountId);
  opening.delete(accountId);
}

function open(accountId: string): Promise<void> {
  const under = opening.get(accountId) ?? read(accountId);
  opening.set(accountId, under);
  return under;
}

async function read(accountId: string): Promise<void> {
  const shapes = shapesOf(accountId);
  const chunks = await readShapes(accountId).catch(() => new Map<number, Map<string, number>>());
  // Older ones first, so that a job that is in two has its newer shape; what was noted meanwhile is newer still.
  for (const place of [...chunks.keys()].sort((a, b) => a - b)) {
    for (const [id, shape] of chunks.get(place) ?? []) if (!shapes.newest.has(id)) shapes.known.set(id, shape);
    shapes.place = place;
  }
  const last = chunks.get(shapes.place);
  shapes.newest = new Map([...(last ?? []), ...shapes.newest]);
  shapes.isRead = true;
}

/** What is remembered of the shapes of tiles, as it was when this list was opened; undefined until it has been read. */
export function useTileShapes(): ReadonlyMap<string, number> | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const [shapes, setShapes] = useState(() => snapshot(accountId));
  const isMissing = shapes === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    void open(accountId).then(() => isGone || setShapes(snapshot(accountId)));
    return () => {
      isGone = true;
    };
  }, [isMissing, accountId]);
  return shapes;
}

/** Reads the shapes before a list needs them: while its jobs are asked for. */
export function useOpenShapes(): void {
  const accountId = useConnection()?.accountId ?? "";
  useEffect(() => void open(accountId), [accountId]);
}

function snapshot(accountId: string): ReadonlyMap<string, number> | undefined {
  const { known, isRead } = shapesOf(accountId);
  return isRead ? new Map(known) : undefined;
}

/** Notes the size in pixels of a job's first file, where the record tells another shape. Never throws. */
export function noteTileSize(
  accountId: string,
  { requestId, aspect }: Pick<HistoryEntry, "requestId" | "aspect">,
  width: number,
  height: number,
): void {
  if (!(width > 0 && height > 0) || accountId === "") return;
  const shapes = shapesOf(accountId);
  const shape = Math.round((width / height) * 1000) / 1000;
  if (Math.abs((shapes.known.get(requestId) ?? aspect) / shape - 1) < SAME) return;
  shapes.known.set(requestId, shape);
  shapes.newest.set(requestId, shape);
  shapes.writing ??= setTimeout(() => void write(accountId, shapes), WRITE_AFTER_MS);
}

async function write(accountId: string, shapes: Shapes): Promise<void> {
  await open(accountId);
  shapes.writing = undefined;
  if (accounts.get(accountId) !== shapes) return;
  const { newest, place } = shapes;
  if (newest.size >= SHAPES_AT_ONCE) {
    shapes.newest = new Map();
    shapes.place += 1;
  }
  // Without room on the disk they live as long as the page.
  await writeShapes(accountId, place, newest).catch(() => undefined);
}
