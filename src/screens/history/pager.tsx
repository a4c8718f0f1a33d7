import { ChevronLeft, ChevronRight } from "lucide-react";
import { useId } from "react";
import { CommandButton } from "#ui/command-button.tsx";
import { Select } from "#ui/field.tsx";
import { PAGE_SIZES } from "./history-search.ts";

interface PagerProps {
  page: number;
  limit: number;
  shown: number;
  total: number | undefined;
  hasNext: boolean;
  isBusy: boolean;
  onPage: (page: number) => void;
  onLimit: (limit: number) => void;
}

/** Moves through pages. Where the total is not known, "Next" works until a page is short. */
export function Pager({ page, limit, shown, total, hasNext, isBusy, onPage, onLimit }: PagerProps) {
  const sizeId = useId();
  const sizes = [...new Set<number>([...PAGE_SIZES, limit])].sort((a, b) => a - b);
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-3 py-4 text-[12.5px] text-ink-2 tabular-nums">
      <span role="status">{rangeText({ page, limit, shown, total })}</span>
      <span className="flex-1" />
      <span className="flex items-center gap-2">
        <label htmlFor={sizeId}>Jobs per page</label>
        <Select
          compact
          id={sizeId}
          value={limit}
          onChange={(event) => onLimit(Number(event.target.value))}
          className="w-20"
        >
          {sizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </Select>
      </span>
      <span className="flex gap-2">
        <CommandButton
          size="sm"
          disabled={page === 1}
          command={{
            id: "history.previous-page",
            label: "Previous page",
            group: "Find",
            icon: ChevronLeft,
            ...(page === 1 ? { unavailable: "This is the first page" } : {}),
            run: () => onPage(page - 1),
          }}
        >
          Previous
        </CommandButton>
        <CommandButton
          size="sm"
          disabled={!hasNext}
          busy={isBusy}
          command={{
            id: "history.next-page",
            label: "Next page",
            group: "Find",
            icon: ChevronRight,
            ...(hasNext ? {} : { unavailable: "This is the last page" }),
            run: () => onPage(page + 1),
          }}
        >
          Next
        </CommandButton>
      </span>
    </nav>
  );
}

/** "51 to 100 of 1,284", and without a total "Jobs 51 to 100". */
export function rangeText({
  page,
  limit,
  shown,
  total,
}: Pick<PagerProps, "page" | "limit" | "shown" | "total">): string {
  const before = (page - 1) * limit;
  if (shown === 0) return `Page ${page} is empty`;
  const range = `${(before + 1).toLocaleString("en-US")} to ${(before + shown).toLocaleString("en-US")}`;
  return total !== undefined && total >= before + shown
    ? `${range} of ${total.toLocaleString("en-US")}`
    : `Jobs ${range}`;
}
