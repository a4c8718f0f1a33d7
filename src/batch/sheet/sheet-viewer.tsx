import { Link, useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useMemo, useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { canRetry, type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { resultCommands } from "#results/commands.ts";
import { makeStrip, useListWhileViewed, type ViewedFile } from "#results/viewer/strip.ts";
import { Viewer } from "#results/viewer/viewer.tsx";
import { runWords } from "#runs/status-words.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Command } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { sheetCommands } from "../commands.ts";
import { type CellLook, CellState } from "./cell-state.tsx";
import { titleOn } from "./sheet-axes.ts";
import type { SheetLine } from "./sheet-layout.ts";
import { captionWords, filesMade, isDone, runName } from "./sheet-results.ts";
import type { Sheet } from "./use-sheet.ts";
import type { SheetActs } from "./use-sheet-acts.tsx";

interface SheetViewerProps {
  sheet: Sheet;
  lines: readonly SheetLine[];
  id: string;
  onId: (id: string) => void;
  look: CellLook;
  acts: SheetActs;
  onClose: () => void;
}

/** One result of the sheet in the viewer, which steps through the others. */
export function SheetViewer({ sheet, lines, id, onId, look, acts, onClose }: SheetViewerProps) {
  const navigate = useNavigate();
  const { batch } = useBatchDocument();
  const [lastViewed, setLastViewed] = useState<ViewedFile>({ id, file: 0 });
  const { results, chosen, telling } = sheet;
  const listed = useMemo(() => lines.flatMap(({ cells }) => cells.flatMap((one) => one ?? [])), [lines]);
  const ids = useListWhileViewed(listed, (one) => one === id);
  const strip = useMemo(() => {
    const order = new Map(batch.items.map((item, index) => [item.id, index]));
    return makeStrip(
      ids.flatMap((one) => results.get(one) ?? []),
      {
        idOf: (result) => result.item.id,
        filesOf: shownFiles,
        read: (result) => ({
          id: result.item.id,
          name: getHeadings(chosen, telling, result.item.id) || runName(order.get(result.item.id) ?? 0),
          files: shownFiles(result),
          job: result.job,
          state: runWords(result.state),
        }),
      },
    );
  }, [ids, results, chosen, telling, batch.items]);
  const result = results.get(id);
  if (!result) return null;
  const reject: Command = { ...acts.reject, unavailable: undefined, run: () => acts.toggleReject([result]) };
  const requestId = sentJobId(result.state);
  const price = result.item.priceMicroUsd;
  const words = captionWords(result);
  return (
    <Viewer
      strip={strip}
      viewed={lastViewed.id === id ? lastViewed : { id, file: 0 }}
      onView={(next) => {
        setLastViewed(next);
        onId(next.id);
      }}
      onClose={onClose}
      extraCommands={[
        reject,
        // Offered only where the price is known, as in the cell.
        ...(canRetry(result.state) && price !== undefined
          ? [{ ...sheetCommands.runAgain, value: formatMicroUsd(price), run: () => look.onRunAgain(id) }]
          : []),
        ...(requestId === undefined
          ? []
          : [
              {
                ...resultCommands.open,
                run: () => void navigate({ to: "/jobs/$requestId", params: { requestId } }),
              },
            ]),
      ]}
      extraButtons={
        <>
          <RejectButton command={reject} isPressed={result.item.isRejected === true} />
          {requestId !== undefined && (
            <Link
              to="/jobs/$requestId"
              params={{ requestId }}
              data-command={resultCommands.open.id}
              // A phone has no room for it; there the job ID among the details is the link.
              className={buttonClass({ variant: "ghost", className: result.job && "max-sm:hidden" })}
            >
              <ExternalLink aria-hidden className="size-4" />
              <span className="max-lg:sr-only">{resultCommands.open.label}</span>
            </Link>
          )}
        </>
      }
      subtitle={[words.price, words.time].filter(Boolean).join(" · ")}
      missingFile={
        <div className="@container mx-auto h-full max-w-md">
          <CellState result={result} look={look} isTabStop />
        </div>
      }
      isFaint={result.item.isRejected === true}
      // The focus goes to the result that was viewed last, or into the sheet if that one is not listed any more.
      focusAfter={() => {
        const cells = [...document.querySelectorAll<HTMLElement>("[role=grid] [data-item]")];
        return cells.find((one) => one.dataset.item === id) ?? cells.find((one) => one.tabIndex === 0);
      }}
    />
  );
}

const NO_FILES: readonly MediaItem[] = [];
/** Only a run that succeeded shows its files; for any other the viewer shows its state, as its cell does. */
const shownFiles = (result: ItemView) => (isDone(result) ? filesMade(result) : NO_FILES);

/** The values of a run on the axes of the sheet; empty where there are none. */
function getHeadings(chosen: Sheet["chosen"], telling: Sheet["telling"], id: string): string {
  const axes = [chosen.rows, chosen.columns, ...telling];
  return axes.flatMap((axis) => (axis ? titleOn(axis, id) : [])).join(", ");
}

/** Has words instead of an icon, because the icon to reject looks like one to close. */
function RejectButton({ command, isPressed }: { command: Command; isPressed: boolean }) {
  return (
    <Button
      {...useCommandProps(command)}
      variant="ghost"
      aria-pressed={isPressed}
      onClick={command.run}
      className="aria-pressed:bg-selected aria-pressed:text-ink!"
    >
      {command.label}
      <Kbd command={command} className="max-lg:hidden" />
    </Button>
  );
}
