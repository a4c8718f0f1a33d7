import { expect, test } from "vitest";
import { usedRules } from "../../.build/first-paint/used-rules.ts";

const HTML = '<main class="grid md:flex w-[12px] [&amp;_svg]:shrink-0"><h1>Words</h1></main>';

test.each([
  ["a class that occurs", ".grid{display:grid}"],
  ["a class with escaped letters", ".w-\\[12px\\]{width:12px}"],
  ["a class inside a condition", "@media (width>=48rem){.md\\:flex{display:flex}}"],
  ["a tag that occurs", "h1{font-size:inherit}"],
  ["the root and its tokens", ":root[data-theme=light]{--ink:black}"],
  ["one of several selectors", ".grid,.other{gap:1px}", ".grid{gap:1px}"],
  ["the order of layers", "@layer theme,base;"],
])("keeps %s", (_, css, kept = css) => {
  expect(usedRules(css, HTML)).toBe(kept);
});

test.each([
  ["a class that does not occur", ".other{color:red}"],
  ["one class of a pair that does not occur", ".grid.other{color:red}"],
  ["a tag that does not occur", "table{color:red}"],
  ["an animation", "@keyframes spin{to{rotate:1turn}}"],
  ["a state that a still picture never has", ".grid:hover{color:red}"],
  ["a property that nothing kept reads", '@property --tw-blur{syntax:"*";inherits:false}'],
  ["a font of another script", "@font-face{font-family:x;src:url(a);unicode-range:U+0370-03FF}"],
])("leaves out %s", (_, css) => {
  expect(usedRules(css, HTML)).toBe("");
});

test("braces and signs inside texts end no rule", () => {
  const css = '.grid{content:"}{;"}.other{color:red}h1{margin:0}';
  expect(usedRules(css, HTML)).toBe('.grid{content:"}{;"}h1{margin:0}');
});
