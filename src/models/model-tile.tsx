import { clsx } from "clsx";
import { AudioLines, Clapperboard, Image, type LucideIcon, Sparkles } from "lucide-react";

const ICONS: Record<string, LucideIcon> = { image: Image, video: Clapperboard, audio: AudioLines };

/**
 * The small square of a model: its kind as a sign, on a colour of its own that comes from its id. Decoration; the kind is
 * said in words beside it.
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
      className={clsx("grid size-9 shrink-0 place-items-center rounded-[7px] text-white/85", className)}
    >
      <Icon size={16} strokeWidth={1.75} />
    </span>
  );
}

/** The same id always has the same hue, in degrees; near ids have far ones. */
function hueOf(id: string): number {
  let hash = 7;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 100_003;
  return (hash * 137) % 360;
}
