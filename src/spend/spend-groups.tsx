import { clsx } from "clsx";
import type { ReactNode } from "react";
import { formatNumber } from "#lib/numbers.ts";
import { Table, type TableColumn } from "#ui/table.tsx";
import { besideAmount, chargedText, getWorkWords, SUM_WORDS } from "./ledger-words.ts";
import { Amount } from "./spend-figures.tsx";
import type { SpendGroup } from "./spend-view.ts";

interface SpendGroupsProps {
  title: string;
  /** The name of the first column: "Model". */
  columnName: string;
  groups: readonly SpendGroup[];
  nameOf: (id: string) => string;
  /** The id of the chosen group; undefined for all. */
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
  /** The color class of the mark before the name and of the bar. Without it there is no mark, and the bar is neutral. */
  colorOf?: (id: string) => string;
  /** A word after the name, such as the kind of media. */
  noteOf?: (id: string) => ReactNode;
  /** A line under the name. */
  underOf?: (id: string) => ReactNode;
  /** What can be done with a group, at the end of its row. */
  actsOf?: (id: string) => ReactNode;
  /** Beside the title. */
  aside?: ReactNode;
}

/** At most this many groups are shown. */
const MAX_SHOWN = 12;

/** What was spent by model or by project, most expensive first. A press on a name shows only that group; a second one, all. */
export function SpendGroups({ title, groups, aside, ...rest }: SpendGroupsProps) {
  const amount = (group: SpendGroup) => Math.max(0, group.chargedMicroUsd) + Math.max(0, group.estimatedMicroUsd);
  const highest = Math.max(1, ...groups.map(amount));
  const shown = groups.slice(0, MAX_SHOWN);
  const others = groups.length - shown.length;
  const isOther = (id: string | undefined) => rest.chosen !== undefined && rest.chosen !== (id ?? "");
  return (
    <section className="min-w-0 rounded-md border border-line bg-panel px-4 pt-3 pb-2" aria-label={title}>
      <div className="mb-1 flex min-h-7 items-center justify-between gap-2">
        <h2 className="m-0 font-semibold text-base">{title}</h2>
        {aside}
      </div>
      <Table
        columns={createColumns(rest, (group) => amount(group) / highest)}
        rows={shown}
        keyOf={({ id }) => id ?? ""}
        // The height has room for a line under the amount, which may come later.
        rowClass={({ id }) => clsx("h-10.5", isOther(id) && "opacity-60")}
        isFixed
        hasHiddenHead
        isDense
      />
      {others > 0 && (
        <p className="m-0 py-1 text-xs text-ink-3">
          {formatNumber(others)} more with smaller amounts. The CSV includes all.
        </p>
      )}
    </section>
  );
}

type Looks = Omit<SpendGroupsProps, "title" | "groups" | "aside">;

/** The columns. Their names are for screen readers only. */
function createColumns(looks: Looks, shareOf: (group: SpendGroup) => number): TableColumn<SpendGroup>[] {
  const { columnName, actsOf, colorOf } = looks;
  return [
    {
      name: columnName,
      isRowHeader: true,
      className: "w-[32%] max-sm:w-[34%]",
      cell: (group) => <GroupName group={group} {...looks} />,
    },
    {
      name: "Share",
      className: "w-[12%] max-sm:hidden",
      cell: (group) => (
        <span aria-hidden="true" className="block h-2 overflow-hidden rounded-xs bg-line">
          <span
            className={clsx(
              "block h-full rounded-xs forced-color-adjust-none",
              colorOf?.(group.id ?? "") ?? "bg-ink-3",
            )}
            style={{ width: `${shareOf(group) * 100}%` }}
          />
        </span>
      ),
    },
    {
      name: "Jobs and tokens",
      isNumeric: true,
      cellClass: () => "text-xs text-ink-3",
      cell: (group) => <Lines texts={getWorkWords(group)} className="sm:whitespace-nowrap" />,
    },
    {
      name: SUM_WORDS.charged,
      isNumeric: true,
      className: "w-[27%] text-sm wrap-anywhere max-sm:w-[30%]",
      cell: (group) => (
        <>
          <Amount text={chargedText(group)} />
          <Lines texts={besideAmount(group)} className="text-xs text-ink-3 sm:whitespace-nowrap" />
        </>
      ),
    },
    ...(actsOf ? [{ name: "Actions", className: "w-9 text-end", cell: ({ id }: SpendGroup) => actsOf(id ?? "") }] : []),
  ];
}

function Lines({ texts, className }: { texts: readonly string[]; className: string }) {
  return texts.map((text) => (
    <span key={text} className={clsx("block leading-tight", className)}>
      {text}
    </span>
  ));
}

function GroupName({ group, nameOf, chosen, onChoose, colorOf, noteOf, underOf }: Looks & { group: SpendGroup }) {
  const id = group.id ?? "";
  const isChosen = chosen === id;
  const color = colorOf?.(id);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(isChosen ? undefined : id)}
      className="-mx-1.5 flex min-h-7 w-full cursor-pointer items-center gap-2 rounded-sm px-1.5 text-start text-sm hover:bg-hover aria-pressed:bg-selected aria-pressed:font-medium pointer-coarse:min-h-11"
    >
      {color && <span aria-hidden="true" className={clsx("size-2.5 shrink-0 rounded-xs", color)} />}
      <span className="min-w-0">
        <span dir="auto" title={nameOf(id)} className="block truncate">
          {nameOf(id)}
        </span>
        {underOf?.(id) && <span className="block text-xs text-ink-3 leading-snug">{underOf(id)}</span>}
      </span>
      {noteOf && <span className="ms-auto shrink-0 pe-1 text-xs text-ink-3 max-sm:hidden">{noteOf(id)}</span>}
    </button>
  );
}
