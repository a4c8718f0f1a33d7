import { Segmented } from "#ui/segmented.tsx";
import { setThemeChoice, useThemeChoice } from "./theme-store.ts";

const CHOICES = [
  { value: "system", label: "As the device" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** Light, dark, or what the device says. */
export function ThemeSetting() {
  const choice = useThemeChoice();
  return (
    <Segmented label="Theme" options={CHOICES} value={choice} onChange={setThemeChoice} className="max-w-[360px]" />
  );
}
