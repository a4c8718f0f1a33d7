import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Image, MessageSquareText } from "lucide-react";
import { useApi } from "#connection/connection-provider.tsx";
import { modelQueries, textModelQueries } from "#models/model-queries.ts";
import type { Command } from "#ui/command-store.ts";

const SHORTEST = 2;
const MOST_EACH = 6;

/**
 * One search over both catalogues (spec 1): a generation model opens Create, a text model the playground. Nothing before
 * two letters. `failed` where a catalogue could not be read.
 */
export function useModelCommands(query: string): { commands: Command[]; failed: boolean } {
  const api = useApi();
  const navigate = useNavigate();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const enabled = query.trim().length >= SHORTEST;
  const generation = useQuery({ ...modelQueries(api).ids(), enabled });
  const texts = useQuery({ ...textModelQueries(api).all(), enabled });
  if (!enabled) return { commands: [], failed: false };
  const fitting = (ids: readonly string[]) =>
    ids.filter((id) => words.every((word) => id.toLowerCase().includes(word))).slice(0, MOST_EACH);
  return {
    failed: generation.isError || texts.isError,
    commands: [
      ...fitting(generation.data ?? []).map((modelId) => ({
        id: `create-${modelId}`,
        label: modelId,
        group: "Generation models, in Create",
        icon: Image,
        run: () => void navigate({ to: "/create/$modelId", params: { modelId } }),
      })),
      ...fitting((texts.data ?? []).map(({ id }) => id)).map((model) => ({
        id: `ask-${model}`,
        label: model,
        group: "Text models, in Playground",
        icon: MessageSquareText,
        run: () => void navigate({ to: "/playground", search: { model } }),
      })),
    ],
  };
}
