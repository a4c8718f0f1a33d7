export const COMPARE_MODES = [
  { value: "slider", label: "Slider" },
  { value: "side", label: "Side by side" },
  { value: "flicker", label: "Flicker" },
  { value: "difference", label: "Difference" },
] as const;
export type CompareMode = (typeof COMPARE_MODES)[number]["value"];

/** The way after this one: what `M` does. */
export function nextMode(mode: CompareMode): CompareMode {
  const place = COMPARE_MODES.findIndex((one) => one.value === mode);
  return COMPARE_MODES[(place + 1) % COMPARE_MODES.length]?.value ?? "slider";
}
