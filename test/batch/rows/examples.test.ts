import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readProposedRuns } from "#batch/rows/proposed-runs.ts";
import { readCsv } from "#batch/rows/read-csv.ts";
import { readTemplate, writeTemplate } from "#batch/rows/read-recipe.ts";
import { expandText } from "#batch/rows/text-template.ts";

const README = readFileSync(join(import.meta.dirname, "../../../src/batch/rows/README.md"), "utf8");
const [template = "", ...proposals] = [...README.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");

describe("the examples of the README", () => {
  it("of a template is read whole", () => {
    const read = readTemplate(template);
    expect(read.problem).toBeUndefined();
    expect(JSON.parse(writeTemplate(read.template ?? { name: "", groups: [] }))).toMatchObject(JSON.parse(template));
  });

  it.each(proposals)("of a proposal is read, case %#", (text) => {
    expect(readProposedRuns(text)).toMatchObject({ template: { groups: [{}] }, problems: [] });
  });

  it("are all there", () => {
    expect(proposals).toHaveLength(2);
  });

  it("of a CSV has no fault", () => {
    const lines = README.split("\n").filter((line) => line.startsWith("    "));
    const { header, rows, problems } = readCsv(
      lines
        .map((line) => line.trim())
        .slice(0, 3)
        .join("\n"),
    );
    expect([header.length, rows.length, problems]).toEqual([4, 2, []]);
  });

  it("of texts make what stands beside them", () => {
    const found = [...README.matchAll(/^\| `([^`]*)` \| ([^|]*) \|$/gm)].map(([, text = "", makes = ""]) => ({
      texts: expandText(text.replaceAll("\\|", "|")).texts,
      makes: makes.replace(/:.*/, "").trim().split(", "),
    }));
    expect(found).toHaveLength(3);
    for (const { texts, makes } of found) expect(texts).toEqual(makes);
  });
});
