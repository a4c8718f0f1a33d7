import { useId } from "react";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { knownTags, tagTerm } from "./tags.ts";

interface MarkedFilterProps {
  /** The search of the index, of which these are words. */
  query: string | undefined;
  marks: MarksById;
  onChange: (query: string | undefined) => void;
}

/** Jobs that a person starred, saved or put into a collection. The service knows of none, so the index is searched. */
export function MarkedFilter({ query, marks, onChange }: MarkedFilterProps) {
  const id = useId();
  const choices = [
    { term: "is:starred", word: "Starred" },
    { term: "is:saved", word: "Saved in your folder" },
    ...knownTags(marks).map((tag) => ({ term: tagTerm(tag), word: tag })),
  ];
  const chosen = choices.filter(({ term }) => hasTerm(query, term));
  return (
    <FilterMenu
      label="Marked"
      chosen={chosen.length > 0 ? chosen.map(({ word }) => word).join(", ") : undefined}
      onClear={() => onChange(chosen.reduce<string | undefined>((left, { term }) => withoutTerm(left, term), query))}
    >
      {choices.map(({ term, word }) => (
        <label
          key={term}
          htmlFor={`${id}-${term}`}
          className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2 hover:bg-hover pointer-coarse:min-h-10"
        >
          <Checkbox
            id={`${id}-${term}`}
            checked={hasTerm(query, term)}
            onChange={() => onChange(hasTerm(query, term) ? withoutTerm(query, term) : withTerm(query, term))}
          />
          <span className="min-w-0 truncate">{word}</span>
        </label>
      ))}
    </FilterMenu>
  );
}

function hasTerm(query: string | undefined, term: string): boolean {
  return ` ${query ?? ""} `.includes(` ${term} `);
}

function withTerm(query: string | undefined, term: string): string {
  return query === undefined || query === "*" ? term : `${query} ${term}`;
}

function withoutTerm(query: string | undefined, term: string): string | undefined {
  return ` ${query ?? ""} `.replace(` ${term} `, " ").trim() || undefined;
}
