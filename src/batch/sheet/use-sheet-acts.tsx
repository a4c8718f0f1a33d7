import { useNavigate } from "@tanstack/react-router";
import {
  CheckCheck,
  Clapperboard,
  Columns2,
  FileArchive,
  FileCode,
  Image,
  Link2,
  Shuffle,
  Star,
  X,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { resultCommands } from "#results/commands.ts";
import { useMarks } from "#results/marks/marks.ts";
import { MAX_COMPARED } from "#results/viewer/compare/same-prompt.ts";
import { type Command, useCommands } from "#ui/commands.ts";
import { type GridCursor, withSelected } from "#ui/grid-cursor.ts";
import { useBatchDocument } from "../batch-document.ts";
import { JoinClipsDialog } from "../chain/join-clips-dialog.tsx";
import { NextStepDialog } from "../chain/next-step-dialog.tsx";
import { sheetCommands } from "../commands.ts";
import { filesMade } from "./sheet-results.ts";
import type { Sheet } from "./use-sheet.ts";
import type { SheetExports } from "./use-sheet-exports.ts";
import { VaryDialog } from "./vary-dialog.tsx";

interface SheetActsOptions {
  sheet: Sheet;
  cursor: GridCursor;
  onCursor: (cursor: GridCursor) => void;
  /** The viewer is open and takes the shortcuts. */
  isViewing: boolean;
  exports: SheetExports;
  /** Larger or smaller cells. */
  onZoom: (step: 1 | -1) => void;
}

export interface SheetActs {
  star: Command;
  reject: Command;
  compare: Command | undefined;
  zip: Command;
  png: Command;
  html: Command;
  vary: Command;
  next: Command;
  join: Command | undefined;
  clear: Command;
  /** Stars all of the results, or removes the star from all if each has one. */
  toggleStar(results: readonly ItemView[]): void;
  /** Rejects all of the results, or takes that back if each is rejected. */
  toggleReject(results: readonly ItemView[]): void;
  /** The dialogs that the acts open, to be rendered. */
  dialogs: ReactNode;
}

/**
 * What can be done with the results of a sheet. A star and a rejection go to those that are selected, else to the one that has
 * the focus. A download takes those that are selected, else all that are shown. Vary, the next step, compare and join need a
 * selection.
 */
export function useSheetActs(options: SheetActsOptions): SheetActs {
  const { sheet, cursor, onCursor, isViewing, exports, onZoom } = options;
  const { shown, results } = sheet;
  const { edit } = useBatchDocument();
  const marks = useMarks();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<{ kind: "vary" | "next" | "join"; ids: readonly string[] }>();
  const selected = shown.filter(({ item }) => cursor.selected.has(item.id));
  const focused = cursor.active === undefined ? undefined : results.get(cursor.active);
  const markTargets = selected.length > 0 ? selected : focused ? [focused] : [];
  const withFiles = selected.filter((one) => filesMade(one).length > 0);
  // The first file of a run decides its kind.
  const kinds = new Set<string | undefined>(withFiles.map((one) => filesMade(one)[0]?.kind));
  const isAllOf = (kind: string) => withFiles.length > 0 && kinds.size === 1 && kinds.has(kind);

  const toggleStar = (targets: readonly ItemView[]) => {
    const ids = targets.flatMap(({ state }) => sentJobId(state) ?? []);
    if (ids.length > 0) marks.toggleStar(ids);
  };
  const toggleReject = (targets: readonly ItemView[]) => {
    const ids = new Set(targets.map(({ item }) => item.id));
    const isRejected = !targets.every(({ item }) => item.isRejected);
    edit((batch) => ({
      ...batch,
      items: batch.items.map((item) => {
        if (!ids.has(item.id) || (item.isRejected ?? false) === isRejected) return item;
        const { isRejected: _, ...rest } = item;
        return isRejected ? { ...rest, isRejected: true } : rest;
      }),
    }));
  };

  const whyNoSelection = markTargets.length === 0 ? "Select a result first" : undefined;
  const exportTargets = selected.length > 0 ? selected : shown;
  const whyNoFile = exportTargets.some((one) => filesMade(one).length > 0) ? undefined : "Wait for a result";
  const whyNoStar =
    whyNoSelection ?? (markTargets.some(({ state }) => sentJobId(state)) ? undefined : "Submit this run first");
  const acts = {
    star: {
      ...resultCommands.star,
      icon: Star,
      unavailable: whyNoStar,
      run: () => toggleStar(markTargets),
    },
    reject: {
      ...resultCommands.reject,
      icon: X,
      unavailable: whyNoSelection,
      run: () => toggleReject(markTargets),
    },
    zip: {
      ...resultCommands.download,
      label: "Download zip",
      icon: FileArchive,
      unavailable: whyNoFile,
      run: () => exports.zip(exportTargets),
    },
    png: {
      ...sheetCommands.png,
      icon: Image,
      unavailable: whyNoFile,
      run: () => exports.png(exportTargets),
    },
    html: {
      ...sheetCommands.html,
      icon: FileCode,
      unavailable: whyNoFile,
      run: () => exports.html(exportTargets),
    },
    vary: {
      ...sheetCommands.vary,
      icon: Shuffle,
      run: () => setDialog({ kind: "vary", ids: selected.map(({ item }) => item.id) }),
    },
    next: {
      ...sheetCommands.nextStep,
      label: isAllOf("image") ? "Animate" : sheetCommands.nextStep.label,
      icon: Clapperboard,
      unavailable: withFiles.length > 0 ? undefined : "Select runs that have a result",
      run: () => setDialog({ kind: "next", ids: selected.map(({ item }) => item.id) }),
    },
    clear: { ...sheetCommands.clear, icon: X, run: () => onCursor(withSelected(cursor, new Set())) },
  } satisfies Record<string, Command>;
  const compare: Command | undefined =
    withFiles.length >= 2 && withFiles.length <= MAX_COMPARED
      ? {
          ...resultCommands.compare,
          icon: Columns2,
          kind: "go",
          run: () =>
            void navigate({
              to: "/history",
              search: { compare: withFiles.flatMap(({ state }) => sentJobId(state) ?? []).join(",") },
            }),
        }
      : undefined;
  const join: Command | undefined =
    isAllOf("video") && withFiles.length >= 2
      ? {
          ...sheetCommands.join,
          icon: Link2,
          run: () => setDialog({ kind: "join", ids: withFiles.map(({ item }) => item.id) }),
        }
      : undefined;

  const { star, reject, zip, png, html, vary, next, clear } = acts;
  useCommands([
    ...(isViewing
      ? []
      : [
          star,
          reject,
          {
            ...resultCommands.zoomIn,
            label: "Larger results",
            icon: ZoomIn,
            run: () => onZoom(1),
          },
          {
            ...resultCommands.zoomOut,
            label: "Smaller results",
            icon: ZoomOut,
            run: () => onZoom(-1),
          },
        ]),
    zip,
    png,
    html,
    {
      ...sheetCommands.selectAll,
      icon: CheckCheck,
      run: () => onCursor(withSelected(cursor, new Set(shown.map(({ item }) => item.id)))),
    },
    ...(selected.length > 0 ? [vary, next, clear] : []),
    ...(selected.length > 0 && compare ? [compare] : []),
    ...(selected.length > 0 && join ? [join] : []),
  ]);

  const close = () => setDialog(undefined);
  // Looked up anew, because a run may end while the dialog is open.
  const chosen = useMemo(() => dialog?.ids.flatMap((id) => results.get(id) ?? []) ?? [], [dialog, results]);
  const dialogs = (
    <>
      {dialog?.kind === "vary" && <VaryDialog results={chosen} onClose={close} />}
      {dialog?.kind === "next" && <NextStepDialog items={chosen} onClose={close} />}
      {dialog?.kind === "join" && <JoinClipsDialog items={chosen} onClose={close} />}
    </>
  );
  return { ...acts, compare, join, toggleStar, toggleReject, dialogs };
}
