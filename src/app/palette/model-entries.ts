import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { AudioLines, Clapperboard, Image, Images, type LucideIcon, MessageSquareText, Sparkles } from "lucide-react";
import { useMemo } from "react";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelSummary } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { findEntries, wordsOf } from "./find-entries.ts";
import type { PaletteEntry } from "./palette-entry.ts";

const MAX_EACH = 6;
const ICONS: Record<string, LucideIcon> = { image: Image, video: Clapperboard, audio: AudioLines };

/**
 * One search over both catalogues (spec 1): a generation model opens Create, a text model Playground, the best one its
 * jobs, too. Nothing before the first letter. `failed` where a catalogue could not be read.
 */
export function useModelEntries(query: string): { models: PaletteEntry[]; goTo: PaletteEntry[]; failed: boolean } {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const enabled = query !== "";
  const generation = useQuery({ ...modelQueries(api).ids(), enabled });
  const texts = useQuery({ ...textModelQueries(api).all(), enabled });
  const ids = useMemo(() => asSearchable(generation.data ?? []), [generation.data]);
  const textIds = useMemo(() => asSearchable((texts.data ?? []).map(({ id }) => id)), [texts.data]);
  const found = useMemo(() => {
    const words = wordsOf(query);
    const fitting = (list: readonly { id: string; label: string }[]) =>
      words.length === 0 ? [] : findEntries(list, words).slice(0, MAX_EACH);
    return { generation: fitting(ids), texts: fitting(textIds) };
  }, [query, ids, textIds]);
  const best = found.generation[0] ?? found.texts[0];
  const isBest = best?.label.toLowerCase().startsWith(query.toLowerCase()) === true;
  return {
    failed: enabled && (generation.isError || texts.isError),
    goTo: isBest
      ? [
          {
            id: "go-history-model",
            group: "Go to",
            label: "History",
            detail: `${best.label} only`,
            icon: Images,
            run: () => void navigate({ to: "/history", search: { model: best.id } }),
          },
        ]
      : [],
    models: [
      ...found.generation.map(({ id, label }): PaletteEntry => {
        // What another screen has asked for; a detail is a request of its own (spec 4.1).
        const detail = client.getQueryData(modelQueries(api).detail(id).queryKey);
        return {
          id: `model-${id}`,
          group: "Models",
          label,
          icon: ICONS[detail?.type ?? ""] ?? Sparkles,
          detail: detail ? modelSummary(detail) : "In Create",
          run: () => void navigate({ to: "/create/$modelId", params: { modelId: id } }),
        };
      }),
      ...found.texts.map(
        ({ id, label }): PaletteEntry => ({
          id: `text-model-${id}`,
          group: "Models",
          label,
          icon: MessageSquareText,
          detail: "Text, in Playground",
          run: () => void navigate({ to: "/playground", search: { model: id } }),
        }),
      ),
    ],
  };
}

/** The names of thousands of models, made once. */
function asSearchable(ids: readonly string[]): { id: string; label: string }[] {
  return ids.map((id) => ({ id, label: visibleLine(id) }));
}
