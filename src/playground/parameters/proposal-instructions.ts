import type { TextEndpoint } from "#api/text/text-types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { RUNS_FENCE, RUNS_TOOL } from "../messages/proposals.ts";

// The words by which a text model learns how to propose runs: instructions for a system prompt, and a tool.

/** A generation model as it is described to a text model. */
export interface TaughtModel {
  id: string;
  /** Its parameters in words, such as "size (512x512, 1024x1024)"; empty where they are not known. */
  parameters: readonly string[];
}

/** The first line of the instructions, by which a text with them is recognized. */
const FIRST_LINE = "You can propose runs of the generation models below.";

/** Whether a system prompt contains the instructions. */
export const teachesRuns = (text: string) => text.includes(FIRST_LINE);

/**
 * The instructions for a text model: the fenced block, its JSON, and the models. `batch/rows/proposed-runs.ts` reads
 * this JSON.
 */
export function runsInstructions(models: readonly TaughtModel[]): string {
  const [first, second = first] = models;
  const run = (model = "model-id") => ({ model, payload: { prompt: "A harbor at dawn" } });
  const example = JSON.stringify({ name: "A short title", runs: [run(first?.id), run(second?.id)] }, null, 2);
  const list = models.map(({ id, parameters }) => {
    return parameters.length === 0 ? `- ${id}` : `- ${id}: ${parameters.join(", ")}`;
  });
  return [
    FIRST_LINE,
    `Write them as one code block named ${RUNS_FENCE} that holds JSON alone:`,
    "",
    `\`\`\`${RUNS_FENCE}`,
    example,
    "```",
    "",
    'Each item of "runs" is one run: the id of a model, and as "payload" the parameters of that model.',
    'For all combinations write instead of "runs": "models", a list of ids, "axes", an object with a list of values for each',
    'parameter that changes, and "settings" for those that do not. A batch can have up to 2,000 runs.',
    "Nothing runs yet: the person sees the price of each run and decides, so do not say that anything was made.",
    ...(list.length === 0
      ? ["Use the model ids that the person names."]
      : ["", "Models and their parameters:", ...list]),
  ].join("\n");
}

const MODEL = { type: "string", description: "The id of a generation model." };

/** The JSON schema of the same JSON. */
const SHAPE = {
  type: "object",
  properties: {
    name: { type: "string", description: "A short title." },
    runs: {
      type: "array",
      items: {
        type: "object",
        properties: {
          model: MODEL,
          payload: { type: "object", description: "The parameters of that model, such as prompt." },
        },
        required: ["model", "payload"],
      },
    },
    models: { type: "array", items: MODEL, description: "In place of runs: all combinations of models and axes." },
    axes: { type: "object", description: "For each parameter that changes, the list of its values." },
    settings: { type: "object", description: "With axes: the parameters that do not change." },
  },
};

const DESCRIPTION =
  "Proposes runs of generation models. Nothing runs yet: the person sees the price of each run and decides.";

/** The definition of the tool that proposes runs. Undefined for an endpoint without tools. */
export function runsTool(endpoint: TextEndpoint): JsonRecord | undefined {
  const tool = { name: RUNS_TOOL, description: DESCRIPTION };
  if (endpoint === "messages") return { ...tool, input_schema: SHAPE };
  return endpoint === "responses" ? { type: "function", ...tool, parameters: SHAPE } : undefined;
}
