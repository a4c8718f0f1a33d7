import { Link, useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useMemo, useState } from "react";
import { canRetry } from "#jobs/batch/batch-edits.ts";
import { itemWord } from "#jobs/batch/batch-words.ts";
import { itemTone } from "#jobs/batch/item-states.ts";
import { resultCommands } from "#jobs/commands.ts";
import { stripPlaces } from "#jobs/viewer/strip-places.ts";
import { Viewer } from "#jobs/viewer/viewer.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Command } from "#ui/command-store.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { sheetCommands } from "../commands.ts";
import { type CellLook, CellState } from "./cell-state.tsx";
import { titleOn } from "./sheet-axes.ts";
import type { SheetLine } from "./sheet-layout.ts";
import { captionWords, isDone, type SheetResult, stateWords } from "./sheet-results.ts";
import type { Sheet } from "./use-sheet.ts";
import type { SheetActs } from "./use-sheet-acts.tsx";

interface ResultViewerProps {
  sheet: Sheet;
  lines: readonly SheetLine[];
  id: string;
  onId: (id: string) => void;
  look: CellLook;
  acts: SheetActs;
  onClose: () => void;
}

/** One result of the sheet over the whole window, with the others to its left and right. */
export function ResultViewer({ sheet, lines, id, onId, look, acts, onClose }: ResultViewerProps) {
  const navigate = useNavigate();
  const [file, setFile] = useState({ id, file: 0 });
  const { results, chosen, telling } = sheet;
  const places = useMemo(() => {
    const listed = lines.flatMap(({ cells }) => cells.flatMap((one) => results.get(one ?? "") ?? []));
    return stripPlaces(listed, {
      idOf: (result) => result.id,
      filesOf: shownFiles,
      read: (result) => ({
        id: result.id,
        name: titleOf(chosen, telling, result),
        files: shownFiles(result),
        job: result.job,
        state: { word: itemWord(result.view.state), tone: itemTone(result.view.state) },
      }),
    });
  }, [lines, results, chosen, telling]);
  const result = results.get(id);
  if (!result) return null;
  const reject: Command = { ...acts.reject, unavailable: undefined, run: () => acts.toggleReject([result]) };
  const { requestId } = result;
  const price = result.view.item.priceMicroUsd;
  const words = captionWords(result);
  return (
    <Viewer
      places={places}
      place={{ id, file: file.id === id ? file.file : 0 }}
      onPlace={(next) => {
        setFile(next);
        onId(next.id);
      }}
      onClose={onClose}
      ownCommands={[
        reject,
        // As in the cell: what it costs is known, or it is not offered.
        ...(canRetry(result.view.state) && price !== undefined
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
      ownButtons={
        <>
          <RejectButton command={reject} isPressed={result.isRejected} />
          {requestId !== undefined && (
            <Link
              to="/jobs/$requestId"
              params={{ requestId }}
              data-command={resultCommands.open.id}
              // On a phone it is the job ID among the details.
              className={buttonClass({ variant: "ghost", className: "max-sm:hidden" })}
            >
              <ExternalLink aria-hidden className="size-4" />
              <span className="max-lg:sr-only">{resultCommands.open.label}</span>
            </Link>
          )}
        </>
      }
      facts={[words.price, words.time].filter(Boolean).join(" · ")}
      noFile={
        <div className="@container mx-auto h-full max-w-md">
          <CellState result={result} look={look} isTabStop />
        </div>
      }
      isFaint={result.isRejected}
      // To the result that was looked at last, not to the one that was opened.
      focusAfter={() =>
        [...document.querySelectorAll<HTMLElement>("[data-item]")].find((one) => one.dataset.item === id)
      }
    />
  );
}

const NO_FILES: SheetResult["files"] = [];
/** Files of a run that has not ended are not shown yet. */
const shownFiles = (result: SheetResult) => (isDone(result) ? result.files : NO_FILES);

/** Its values on the axes, else its state. */
function titleOf(chosen: Sheet["chosen"], telling: Sheet["telling"], result: SheetResult): string {
  const axes = [chosen.rows, chosen.columns, ...telling];
  return axes.flatMap((axis) => (axis ? titleOn(axis, result.id) : [])).join(", ") || stateWords(result);
}

/** In words: a sign to reject would look like one to close. */
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
