import { expect, test } from "vitest";
import { fillSnippet, findVariables } from "#playground/snippets/snippets.ts";

test("a snippet has words that are filled in; one without a value stays", () => {
  const text = "About {{ topic }} for {{who}}, {{topic}}. {{}} {x}";
  expect(findVariables(text)).toEqual(["topic", "who"]);
  expect(fillSnippet(text, { topic: "$& tides" })).toBe("About $& tides for {{who}}, $& tides. {{}} {x}");
  expect(fillSnippet("{{constructor}}", {})).toBe("{{constructor}}");
});
