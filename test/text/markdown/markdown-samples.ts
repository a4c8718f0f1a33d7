import fc from "../../setup/fc.ts";

const MARKS = [
  "*",
  "**",
  "_",
  "`",
  "```",
  "~~~",
  "~~",
  "#",
  "## ",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "12) ",
  "> ",
  "| a | b |",
  "|---|--:|",
  "---",
  "===",
  "***",
  "[",
  "]",
  "](",
  "(",
  ")",
  "![",
  "[a]",
  "[a]: https://a.example/",
  "[b]:",
  "<b>",
  "</b>",
  "<!--",
  "-->",
  "<script>",
  "<br>",
  "\\",
  "&amp;",
  "&#x61;",
  "&",
  "$",
  "$$",
  "\\(",
  "\\)",
  "\\[",
  "\\]",
  "x^2",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\t",
  "    ",
  "  ",
  " ",
  "word",
  "Ä",
  "🙂",
  "\u202e",
  "https://b.example",
  "a@b.example",
  "- [x] ",
  "```ts",
  "\n```js\nconst a = 1\n```\n",
  "const",
];

/** Text in which every mark of Markdown meets every other. */
export const anyMarkdown = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...MARKS) },
      { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

/** A text cut into pieces anywhere, even inside a character. */
export const anySplit = fc
  .tuple(anyMarkdown, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }))
  .map(([text, cuts]) => {
    const places = [...new Set([0, ...cuts.map((cut) => Math.floor(cut * text.length)), text.length])].sort(
      (a, b) => a - b,
    );
    return { text, pieces: places.slice(1).map((end, at) => text.slice(places[at], end)) };
  });

/** Every kind of block and line. */
export const SAMPLE = `# One
Some **bold**, *slanted*, ~~gone~~, \`code\` and [a link](https://example.com/x).

- a
- [x] b
  1. c

| n | v |
|---|--:|
| a<br>b | 1 |

> quoted

\`\`\`ts
const x = 1; // why
\`\`\`

![pic](https://pictures.example/p.png?q=1) <b>raw</b> [x](javascript:alert(1)) [ref]

### Three

$$
\\frac{a}{b}
$$

Inline $x^2$ for $5 and $6.

~~~
plain
~~~

---

[ref]: https://example.org
`;
