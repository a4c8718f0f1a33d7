const WORDS =
  "model queue latency render frame token stream buffer cache image video prompt sampler scheduler diffusion resolution batch retry backoff network browser layout paint commit schema field value price estimate upload media result history filter window memory worker promise signal chunk decode parse block inline table list quote heading".split(
    " ",
  );
const CODE = {
  ts: [
    "const reader = response.body.getReader();",
    "for await (const chunk of stream) {",
    "  buffer += decoder.decode(chunk, { stream: true });",
    '  const lines = buffer.split("\\n");',
    '  if (lines.length > 1 && lines[0] !== "") queue.push(lines[0]);',
    "}",
    "export function estimate(payload: Payload): Promise<number> {",
    '  return api.post<Estimate>("/requests/estimate", { payload }).then((r) => r.price / 1e6);',
    "}",
    "// keep the newest value only",
  ],
  python: [
    "import asyncio, json",
    "async def poll(client, request_id: str) -> dict:",
    "    while True:",
    '        answer = await client.get(f"/requests/{request_id}")',
    "        job = answer.json()",
    '        if job["status"] in {"success", "failed", "cancelled"}:',
    "            return job",
    "        await asyncio.sleep(5.0)  # the recommended interval",
  ],
  json: [
    "{",
    '  "model": "video-gen-2",',
    '  "payload": { "prompt": "a red fox", "duration": 8 },',
    '  "n": null',
    "}",
  ],
};
const CHARACTERS_PER_TOKEN = 4.6;

/** @param {number} seed */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/**
 * Headings, paragraphs, lists, tables, quotes and short code, of at least `count` tokens; the same every time.
 * @param {number} count
 */
function mixedText(count) {
  const random = seeded(7);
  /**
   * @template Item
   * @param {readonly Item[]} list
   */
  const pick = (list) => /** @type {Item} */ (list[Math.floor(random() * list.length)]);
  /**
   * @template Item
   * @param {number} low
   * @param {number} more
   * @param {(empty: unknown, at: number) => Item} make
   */
  const upTo = (low, more, make) => Array.from({ length: low + Math.floor(random() * more) }, make);
  const word = () => {
    const plain = pick(WORDS);
    const chance = random();
    if (chance < 0.05) return `**${plain}**`;
    if (chance < 0.09) return `\`${plain}()\``;
    if (chance < 0.12) return `*${plain}*`;
    return chance < 0.14 ? `[${plain}](https://example.com/${plain})` : plain;
  };
  const sentence = () => `The ${upTo(7, 14, word).join(" ")}.`;
  const paragraph = () => upTo(2, 4, sentence).join(" ");
  const special = [
    () => `> ${sentence()}\n> ${sentence()}`,
    () => {
      const [name, lines] = pick(Object.entries(CODE));
      return `\`\`\`${name}\n${upTo(12, 30, (_, at) => lines[at % lines.length]).join("\n")}\n\`\`\``;
    },
    () => upTo(4, 5, () => `- ${sentence()}`).join("\n"),
    () => {
      const row = () => `| ${pick(WORDS)} | ${Math.floor(random() * 1000)} | ${pick(WORDS)} **${pick(WORDS)}** |`;
      return ["| Name | Value | Notes |", "|---|---:|---|", ...Array.from({ length: 6 }, row)].join("\n");
    },
    () => Array.from({ length: 5 }, (_, at) => `${at + 1}. ${sentence()}\n   - ${sentence()}`).join("\n"),
  ];
  const blocks = [];
  for (let length = 0, section = 1; length < count * CHARACTERS_PER_TOKEN * 1.15; section++) {
    const added = [
      `## ${section}. ${sentence()}`,
      paragraph(),
      paragraph(),
      special[section % 5]?.() ?? "",
      paragraph(),
    ];
    blocks.push(...added);
    length += added.join("\n\n").length;
  }
  return `${blocks.join("\n\n")}\n`;
}

/**
 * One long file in one fence: the worst case for whoever draws the last block again.
 * @param {number} count
 */
function mostlyCode(count) {
  /** @type {string[]} */
  const lines = [];
  for (let length = 0; length < count * CHARACTERS_PER_TOKEN; ) {
    const at = lines.length;
    const body = at % 60 < 40 ? CODE.ts[at % CODE.ts.length] : `// ${CODE.python[at % CODE.python.length]}`;
    const line = `${"  ".repeat(at % 4)}${body} // ${at}`;
    lines.push(line);
    length += line.length + 1;
  }
  return `Here is the file:\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n\nDone.\n`;
}

/**
 * The text cut as a tokenizer would, about 4.6 characters each.
 * @param {"mixed" | "code"} shape
 * @param {number} count
 */
export function makeTokens(shape, count) {
  const tokens = (shape === "code" ? mostlyCode(count) : mixedText(count)).match(
    /\s*[A-Za-z]{1,6}|\s*[^\sA-Za-z]{1,3}|\s+/g,
  );
  return (tokens ?? []).slice(0, count);
}
