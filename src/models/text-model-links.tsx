import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { useApi } from "#connection/connection-provider.tsx";
import { textModelQueries } from "./model-queries.ts";

const SHORTEST = 2;
const MOST = 5;

/** Text models that fit a search among generation models (spec 1): they are another catalogue, and another screen. */
export function TextModelLinks({ search }: { search: string }) {
  const enabled = search.trim().length >= SHORTEST;
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = (data ?? []).filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  if (!enabled || fitting.length === 0) return null;
  return (
    <div>
      <h3 className="m-0 mb-1 px-2.5 font-medium text-[12px] text-ink-3">Text models, in Playground</h3>
      <ul aria-label="Text models, in Playground" className="m-0 list-none p-0">
        {fitting.slice(0, MOST).map(({ id }) => (
          <li key={id}>
            <Link
              to="/playground"
              search={{ model: id }}
              className="flex min-h-10 items-center gap-3 rounded-md px-2.5 py-1.5 font-medium hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{id}</span>
              <ArrowUpRight aria-hidden className="size-4 text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
