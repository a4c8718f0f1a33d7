import { describe, expect, it } from "vitest";
import { readProposedRuns } from "#batch/rows/proposed-runs.ts";
import { proposedTexts } from "#playground/messages/proposals.ts";
import { runsInstructions, runsTool, teachesRuns } from "#playground/parameters/proposal-instructions.ts";

const MODELS = [
  { id: "lumen-2", parameters: ["prompt (required)", "n (1 to 4)"] },
  { id: "odd id", parameters: [] },
];

describe("what a text model is told of runs", () => {
  it("shows a block that the studio itself can read, with models of the service", () => {
    const [text = ""] = proposedTexts(runsInstructions(MODELS));
    expect(readProposedRuns(text)).toMatchObject({
      template: { groups: [{ runs: [{ model: "lumen-2" }, { model: "odd id" }] }] },
      problems: [],
    });
  });

  it("lists the models with their parameters, or asks for ids where none are known", () => {
    expect(runsInstructions(MODELS)).toContain("- lumen-2: prompt (required), n (1 to 4)\n- odd id");
    expect(runsInstructions([])).toContain("Use the model ids that the person names.");
    expect(proposedTexts(runsInstructions([]))).toHaveLength(1);
  });

  it("is known again within another text", () => {
    expect(teachesRuns(`Be brief.\n\n${runsInstructions(MODELS)}`)).toBe(true);
    expect(teachesRuns("You can propose runs.")).toBe(false);
  });

  it("is a tool in the form of each endpoint that has tools", () => {
    expect(runsTool("messages")).toMatchObject({ name: "propose_runs", input_schema: { type: "object" } });
    expect(runsTool("responses")).toMatchObject({ type: "function", name: "propose_runs", parameters: {} });
    expect(runsTool("completions")).toBeUndefined();
  });
});
