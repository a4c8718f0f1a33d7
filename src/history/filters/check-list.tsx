import { type ReactNode, useId, useState } from "react";
import { Checkbox } from "#ui/checkbox.tsx";
import { TextInput } from "#ui/field.tsx";
import type { StatusTone } from "#ui/indicators.tsx";
import { StatusDot } from "#ui/indicators.tsx";

export interface Choice {
  value: string;
  label: string;
  tone?: StatusTone;
  /** How many jobs it finds; undefined where nobody knows. */
  count?: number | undefined;
}

interface CheckListProps {
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** More jobs may be found than were counted. */
  isAtLeast: boolean;
  /** What is typed in the search of the choices can be chosen as it is. */
  takesOwn?: boolean;
}

/** From so many choices on they can be searched. */
const SEARCHED_FROM = 9;
/** So many are shown at once; the search finds the others. */
const MAX_SHOWN = 100;

/** Choices with boxes, of which several can hold, and how many jobs each finds. */
export function CheckList({ choices, chosen, onChange, isAtLeast, takesOwn = false }: CheckListProps) {
  const id = useId();
  const [text, setText] = useState("");
  // Not deferred: whoever types and presses the arrow chooses from what is typed.
  const wanted = text.trim().toLowerCase();
  const isSearched = choices.length >= SEARCHED_FROM || takesOwn;
  const found = choices.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
  const own = text.trim();
  const isOwn = takesOwn && own !== "" && !choices.some(({ value }) => value === own);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <>
      {isSearched && (
        <TextInput
          type="text"
          aria-label="Find a choice"
          placeholder="Find"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mb-1.5"
        />
      )}
      {found.slice(0, MAX_SHOWN).map((choice) => (
        <CheckRow
          key={choice.value}
          id={`${id}-${choice.value}`}
          choice={choice}
          isChosen={chosen.includes(choice.value)}
          isAtLeast={isAtLeast}
          onToggle={() => toggle(choice.value)}
        />
      ))}
      {isOwn && (
        <CheckRow
          id={`${id}-own`}
          choice={{ value: own, label: own }}
          isChosen={chosen.includes(own)}
          isAtLeast={isAtLeast}
          onToggle={() => toggle(own)}
        />
      )}
      {found.length > MAX_SHOWN && (
        <p className="m-0 px-2 py-1 text-[12px] text-ink-3">{`${found.length - MAX_SHOWN} more. Type to find them.`}</p>
      )}
      {found.length === 0 && !isOwn && <p className="m-0 px-2 py-1 text-[12px] text-ink-3">No matches.</p>}
    </>
  );
}

interface CheckRowProps {
  id: string;
  choice: Choice;
  isChosen: boolean;
  isAtLeast: boolean;
  onToggle: () => void;
}

function CheckRow({ id, choice: { label, tone, count }, isChosen, isAtLeast, onToggle }: CheckRowProps): ReactNode {
  return (
    <div className="relative flex min-h-[30px] items-center gap-2.5 rounded-sm px-2 text-[13px] hover:bg-hover has-focus-visible:bg-hover pointer-coarse:min-h-11">
      <Checkbox
        id={id}
        aria-describedby={count === undefined ? undefined : `${id}-count`}
        checked={isChosen}
        onChange={onToggle}
        className="z-10"
      />
      {tone && <StatusDot tone={tone} />}
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer truncate after:absolute after:inset-0">
        <bdi>{label}</bdi>
      </label>
      {count !== undefined && (
        <span id={`${id}-count`} className="shrink-0 text-ink-3 tabular-nums">
          {count.toLocaleString("en-US")}
          {isAtLeast && "+"}
        </span>
      )}
    </div>
  );
}
