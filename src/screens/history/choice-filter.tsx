import { useId } from "react";
import { Checkbox } from "#ui/checkbox.tsx";
import { FilterMenu } from "./filter-menu.tsx";

interface ChoiceFilterProps {
  label: string;
  choices: readonly string[];
  /** Comma-separated, as in the address. */
  value: string | undefined;
  /** The word for a choice; the service's own where not given. */
  wordOf?: (choice: string) => string;
  onChange: (value: string | undefined) => void;
}

/** A filter of which several choices may hold at once. */
export function ChoiceFilter({ label, choices, value, wordOf = capitalised, onChange }: ChoiceFilterProps) {
  const id = useId();
  const chosen = value?.split(",") ?? [];
  function toggle(choice: string) {
    const next = choices.filter((other) => (other === choice) !== chosen.includes(other));
    onChange(next.length > 0 ? next.join(",") : undefined);
  }
  return (
    <FilterMenu label={label} chosen={value && chosen.map(wordOf).join(", ")} onClear={() => onChange(undefined)}>
      {choices.map((choice) => (
        <label
          key={choice}
          htmlFor={`${id}-${choice}`}
          className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2 hover:bg-hover pointer-coarse:min-h-10"
        >
          <Checkbox id={`${id}-${choice}`} checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
          {wordOf(choice)}
        </label>
      ))}
    </FilterMenu>
  );
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
