import axe from "axe-core";
import { expect } from "vitest";

// jsdom paints nothing, so contrast is measured in a browser; a fragment is no page, so it has no landmarks.
const OFF = { "color-contrast": { enabled: false }, region: { enabled: false } };

/** Runs axe over what is on the screen and lists every violation with its element. */
export async function expectNoViolations(root: Element = document.body): Promise<void> {
  const { violations } = await axe.run(root, { rules: OFF });
  expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))).toEqual([]);
}
