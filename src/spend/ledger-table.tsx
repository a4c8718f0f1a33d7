import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted } from "#lib/numbers.ts";
import { formatMoment } from "#lib/time.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { Select } from "#ui/field.tsx";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast-store.ts";
import { spendCommands } from "./commands.ts";
import { evidenceText, kindWords, LINE_STATE_WORDS, modelName, sumTexts } from "./ledger-words.ts";
import { moveLine } from "./move-line.ts";
import { Amount } from "./spend-figures.tsx";
import { LINE_STATES, type LineState } from "./spend-filter.ts";
import type { SpendEntry, SpendView } from "./spend-view.ts";

/** How many lines are shown at first, and with each press of "Show more". */
const LINES_PER_STEP = 100;

function getLineTone({ kind, amountMicroUsd }: LedgerLine): StatusTone {
  if (kind === "unconfirmed" || kind === "possible-duplicate") return "unconfirmed";
  return kind === "charged" && amountMicroUsd !== undefined ? "success" : "cancelled";
}

/** The amount of a line: a refund with a minus, an unconfirmed charge as "up to", and an unknown amount never as zero. */
function amountText({ line, isEstimated }: SpendEntry): string {
  const { kind, amountMicroUsd, mostMicroUsd } = line;
  if (amountMicroUsd === undefined) {
    return mostMicroUsd === undefined ? "Unknown" : `Unknown, up to ${formatMicroUsd(mostMicroUsd)}`;
  }
  const sign = isEstimated ? "≈ " : "";
  if (kind === "refunded") return `${sign}−${formatMicroUsd(amountMicroUsd)}`;
  if (kind === "unconfirmed") return `up to ${formatMicroUsd(amountMicroUsd)}`;
  return `${sign}${formatMicroUsd(amountMicroUsd)}${isEstimated ? " estimated" : ""}`;
}

interface LedgerTableProps {
  view: SpendView;
  state: LineState | undefined;
  /** A text of all filters. When it changes, the list begins with the newest lines again. */
  filterKey: string;
  onState: (state: LineState | undefined) => void;
  nameOf: (projectId: string) => string;
}

/** The transactions that fit the filters of the page, latest first, each with how it is known. */
export function LedgerTable({ view, state, filterKey, onState, nameOf }: LedgerTableProps) {
  const { listed, listedSums } = view;
  return (
    <section aria-label="Transactions">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="m-0 font-semibold text-base">Transactions</h2>
        <span role="status" className="me-auto text-sm text-ink-3 tabular-nums">
          {[counted(listed.length, "transaction"), ...sumTexts(listedSums)].join(", ")}
        </span>
        <fieldset className="m-0 min-w-0 border-0 p-0">
          <Select
            compact
            aria-label="Status"
            value={state ?? ""}
            onChange={({ target }) => onState(LINE_STATES.find((option) => option === target.value))}
          >
            <option value="">Any status</option>
            {LINE_STATES.map((option) => (
              <option key={option} value={option}>
                {LINE_STATE_WORDS[option]}
              </option>
            ))}
          </Select>
        </fieldset>
      </div>
      {listed.length === 0 ? (
        <p className="m-0 rounded-md border border-line bg-panel px-4 py-6 text-center text-ink-2">
          No transactions match these filters.
        </p>
      ) : (
        <LedgerList key={filterKey} listed={listed} nameOf={nameOf} />
      )}
    </section>
  );
}

/** The newest lines, and more of them in steps. */
function LedgerList({ listed, nameOf }: { listed: readonly SpendEntry[]; nameOf: (projectId: string) => string }) {
  const [shown, setShown] = useState(LINES_PER_STEP);
  return (
    <>
      <ol className="m-0 list-none rounded-md border border-line bg-panel p-0">
        {listed.slice(0, shown).map((entry) => (
          <LedgerRow key={entry.line.id} entry={entry} nameOf={nameOf} />
        ))}
      </ol>
      {listed.length > shown && (
        <CommandButton
          size="sm"
          className="mt-3"
          command={{
            ...spendCommands.more,
            label: `Show ${counted(Math.min(LINES_PER_STEP, listed.length - shown), "more transaction")}`,
            run: () => setShown(shown + LINES_PER_STEP),
          }}
        />
      )}
    </>
  );
}

// A list instead of a `Table`: in a narrow window an entry takes three lines, in another order.
function LedgerRow({ entry, nameOf }: { entry: SpendEntry; nameOf: (projectId: string) => string }) {
  const { line } = entry;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_fit-content(50%)] items-center gap-x-3 gap-y-0.5 border-line border-t px-4 py-1.5 text-sm first:border-t-0 lg:grid-cols-[8.5rem_8.5rem_minmax(7rem,1fr)_minmax(6rem,9.5rem)_minmax(0,1.7fr)_9.5rem]">
      <span className="flex items-center gap-2">
        <StatusDot tone={getLineTone(line)} />
        {kindWords(line)}
      </span>
      <span className="text-sm text-ink-3 tabular-nums max-lg:order-6 max-lg:text-right">
        <Time seconds={line.atMs / 1000} format={(seconds) => formatMoment(seconds, Date.now())} />
      </span>
      <span dir="auto" className="min-w-0 truncate max-lg:order-3">
        {line.requestId === undefined ? (
          modelName(entry.model)
        ) : (
          <Link
            to="/jobs/$requestId"
            params={{ requestId: line.requestId }}
            preload={false}
            className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
          >
            {modelName(entry.model)}
          </Link>
        )}
      </span>
      <span className="flex min-w-0 items-center max-lg:order-4 max-lg:justify-end">
        <ProjectMenu entry={entry} nameOf={nameOf} />
      </span>
      <span className="min-w-0 text-sm text-ink-2 max-lg:order-5">{evidenceText(line)}</span>
      <span className="text-right max-lg:order-2">
        <Amount text={amountText(entry)} />
      </span>
    </li>
  );
}

/** The project of a line, and the list of those that it can be moved to. A refund goes with its charge. */
function ProjectMenu({ entry, nameOf }: { entry: SpendEntry; nameOf: (projectId: string) => string }) {
  const { projects } = useProjects();
  const accountId = useConnection()?.accountId ?? "";
  const { line, projectId } = entry;
  const name = nameOf(projectId ?? "");
  const look = "block max-w-full truncate text-sm text-ink-2";
  if (line.kind === "refunded" || (projects.length === 0 && projectId === undefined)) {
    return (
      <span dir="auto" className={look}>
        {name}
      </span>
    );
  }
  const move = async (id: string | undefined) => {
    try {
      await moveLine(accountId, line, id);
    } catch {
      toast({
        title: "Couldn’t move the transaction",
        body: "This browser couldn’t write to its storage.",
        tone: "error",
      });
    }
  };
  const choices = [{ id: undefined, name: "No project" }, ...projects].filter(({ id }) => id !== projectId);
  return (
    <Menu
      label={`Project: ${name}. Move to project`}
      align="end"
      items={choices.map(({ id, name: label }) => ({ label, onSelect: () => void move(id) }))}
      className="-mx-1.5 min-h-6 max-w-full cursor-pointer rounded-sm px-1.5 hover:bg-hover pointer-coarse:min-h-11"
    >
      <span dir="auto" className={look}>
        {name}
      </span>
    </Menu>
  );
}
