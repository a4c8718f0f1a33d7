import { visibleText } from "#lib/visible-text.ts";
import type { Option } from "./field.ts";

/** A choice's value in words. `""` is shown as "None". */
export function optionLabel(value: unknown): string {
  if (value === "") return "None";
  if (typeof value === "string") return visibleText(value.slice(0, LONGEST_LABEL));
  if (value === true) return "Yes";
  if (value === false) return "No";
  return visibleText(optionText(value).slice(0, LONGEST_LABEL));
}

/** Characters of a label. What is sent is the whole value. */
const LONGEST_LABEL = 2000;

/** A choice's value as text for matching. Not `String(value)`, because an object's own `toString` may be anything. */
export const optionText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/**
 * A text of its own for each option, for inputs whose values are text: the label, numbered where it repeats.
 */
export function optionKeys(options: readonly Option[]): string[] {
  const used = new Map<string, number>();
  return options.map(({ label }) => {
    const times = (used.get(label) ?? 0) + 1;
    used.set(label, times);
    return times === 1 ? label : `${label} (${times})`;
  });
}

/**
 * The proportions (width through height) that an option's text means: `16:9`, `1280x720`, `portrait_4_3`, `square_hd`.
 * Undefined where it means none.
 */
export function readRatio(text: string): number | undefined {
  const named = text.match(/^(portrait|landscape|square)(?:_hd)?(?:_(\d+)_(\d+))?$/i);
  if (named) {
    if (/square/i.test(text)) return 1;
    const [a, b] = [Number(named[2] ?? 4), Number(named[3] ?? 3)];
    // `portrait_16_9` and `portrait_9_16` both stand upright.
    const upright = Math.min(a, b) / Math.max(a, b);
    return /^portrait/i.test(text) ? upright : 1 / upright;
  }
  const match = text.match(/(\d+(?:\.\d+)?)\s*[:x×*]\s*(\d+(?:\.\d+)?)/i);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || !(width > 0) || !(height > 0)) return undefined;
  const ratio = width / height;
  return ratio >= 0.1 && ratio <= 10 ? ratio : undefined;
}

/**
 * Width and height in pixels that an option's text means, as `1920*1080` does and `16:9` does not. Undefined where it
 * means none.
 */
export function readPixels(text: string): { width: number; height: number } | undefined {
  const match = text.match(/^(\d{2,5})\s*[x×*]\s*(\d{2,5})$/i);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}
