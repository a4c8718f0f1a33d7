import { Link } from "@tanstack/react-router";
import { Images, SearchX } from "lucide-react";
import { Button } from "#ui/button.tsx";
import { buttonClass } from "#ui/button-class.ts";
import { EmptyState } from "#ui/empty-state.tsx";

interface HistoryEmptyProps {
  isFiltered: boolean;
  page: number;
  onClear: () => void;
  onFirstPage: () => void;
}

/** An empty list says why it is empty: nothing was ever made, nothing matches, or the pages end before this one. */
export function HistoryEmpty({ isFiltered, page, onClear, onFirstPage }: HistoryEmptyProps) {
  if (page > 1) {
    return (
      <EmptyState
        icon={SearchX}
        title="No jobs on this page"
        actions={<Button onClick={onFirstPage}>Go to the first page</Button>}
      >
        The list ends before page {page}.
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No jobs match these filters"
        actions={<Button onClick={onClear}>Clear filters</Button>}
      >
        There may be others: only the filters are without a match.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Images}
      title="No jobs yet"
      actions={
        <Link to="/create" className={buttonClass({ variant: "primary" })}>
          Create something
        </Link>
      }
    >
      Every job of this key will be listed here, wherever it was submitted. Jobs of other people in the organisation are
      not.
    </EmptyState>
  );
}
