import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { AudioLines, Clapperboard, Image, type LucideIcon, Sparkles } from "lucide-react";
import type { ModelDetail } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useCommandProps } from "#ui/command-button.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { modelCommands } from "./commands.ts";
import { modelQueries } from "./model-queries.ts";

/**
 * The button at the top of Create: which model, its kind and price. A press opens the picker, as the command of the
 * screen does.
 */
export function ModelCard({ id, onClick }: { id: string | undefined; onClick: () => void }) {
  const queries = modelQueries(useApi());
  const props = useCommandProps(modelCommands.choose);
  // After a failure only the form below asks again. If the card did so at every mount, the two would never stop.
  const detail = useQuery({ ...queries.detail(id ?? ""), enabled: id !== undefined, retryOnMount: false });
  return (
    <button
      type="button"
      {...props}
      aria-haspopup="dialog"
      onClick={onClick}
      className="flex w-full items-center gap-3 rounded-md border border-line bg-raised px-3 py-2.5 text-left transition-colors duration-150 hover:bg-hover"
    >
      <ModelTile id={id ?? ""} type={detail.data?.type} />
      <span className="min-w-0 flex-1">
        <span className="sr-only">Model:</span>{" "}
        <span className="block truncate font-semibold text-base leading-snug">
          {id === undefined ? modelCommands.choose.label : visibleLine(id)}
        </span>{" "}
        <span className="block min-h-4.5 truncate text-xs text-ink-2 leading-normal tabular-nums">
          {id !== undefined && detail.isPending ? (
            <span className="mt-1 block h-3 w-32 animate-pulse rounded-sm bg-hover" />
          ) : null}
          {detail.data && (modelSummary(detail.data) || "Price shown below")}
          {detail.isError && "Couldn’t load details"}
        </span>
      </span>
      <Kbd command={modelCommands.choose} />
    </button>
  );
}

const ICONS: Record<string, LucideIcon> = { image: Image, video: Clapperboard, audio: AudioLines };

/**
 * The small square of a model: its kind as a sign, on a color of its own that comes from its id. Decoration; the kind
 * is named in words beside it.
 */
export function ModelTile({
  id,
  type,
  className,
}: {
  id: string;
  type: string | undefined;
  className?: string | undefined;
}) {
  const Icon = ICONS[type ?? ""] ?? Sparkles;
  const hue = hueOf(id);
  const from = `oklch(0.66 0.1 ${hue})`;
  const to = `oklch(0.4 0.11 ${hue + 50})`;
  return (
    <span
      aria-hidden="true"
      style={{ backgroundImage: `linear-gradient(145deg, ${from}, ${to})` }}
      className={clsx("grid size-9 shrink-0 place-items-center rounded-sm text-white/85", className)}
    >
      <Icon size={16} strokeWidth={1.75} />
    </span>
  );
}

/** A hue for an id, in degrees. The same id always has the same one, and similar ids have different ones. */
function hueOf(id: string): number {
  let hash = 7;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 100_003;
  return (hash * 137) % 360;
}

/** One line about a model: "Portrait Studio · Image · $0.035 per image". Empty where the service gives neither. */
export function modelSummary(detail: ModelDetail): string {
  return [detail.name, detail.type && capitalized(detail.type), detail.priceText].filter(Boolean).join(" · ");
}

/** A type as a word for the screen: `image` is "Image". */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
