import { useState } from "react";
import type { JobRecord } from "#storage/job-records.ts";
import { FoldButton } from "#ui/button.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { type CompareRow, compareRows, letterOf } from "./compare-rows.ts";
import type { PixelSize } from "./compare-scale.ts";

interface CompareTableProps {
  jobs: readonly JobRecord[];
  sizes: readonly (PixelSize | undefined)[];
}

/** Facts and settings of the compared jobs. Rows that differ come first; equal ones are paler and can be folded. */
export function CompareTable({ jobs, sizes }: CompareTableProps) {
  const [isOpen, setIsOpen] = useState(true);
  const rows = compareRows(jobs, sizes);
  const same = rows.filter(({ isSame }) => isSame);
  const others = rows.filter(({ isSame }) => !isSame);
  const jobColumns = jobs.map((job, place): TableColumn<CompareRow> => {
    const name = letterOf(place);
    return {
      key: job.requestId,
      name,
      className: "wrap-anywhere",
      cell: ({ values }) => <Value text={values[place]} />,
    };
  });
  return (
    <div className="flex flex-col">
      {others.length > 0 && (
        <Table caption="Settings that differ" columns={[SETTING, ...jobColumns]} rows={others} keyOf={nameOf} isFixed />
      )}
      {same.length > 0 && (
        <FoldButton
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          className="border-0 border-line border-t bg-transparent p-0 text-[12.5px] text-ink-3"
        >
          {same.length === 1 ? "1 value is the same for all" : `${same.length} values are the same for all`}
        </FoldButton>
      )}
      {isOpen && same.length > 0 && (
        <div className="text-ink-3">
          <Table
            caption="Settings that are the same for all"
            columns={[SETTING, ALL]}
            rows={same}
            keyOf={nameOf}
            isFixed
            hasHiddenHead
          />
        </div>
      )}
    </div>
  );
}

const nameOf = ({ name }: CompareRow) => name;

const SETTING: TableColumn<CompareRow> = {
  name: "Setting",
  isRowHeader: true,
  className: "w-28 wrap-anywhere",
  cellClass: () => "text-ink-3",
  cell: ({ name, isSame }) => (
    <>
      {name}
      {isSame && <span className="sr-only">, same for all</span>}
    </>
  ),
};
const ALL: TableColumn<CompareRow> = {
  name: "All",
  className: "wrap-anywhere",
  cell: ({ values }) => <Value text={values[0]} />,
};

function Value({ text = "—" }: { text: string | undefined }) {
  return (
    <span dir="auto" className="line-clamp-4 text-left">
      {text}
    </span>
  );
}
