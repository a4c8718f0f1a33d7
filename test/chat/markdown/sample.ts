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
