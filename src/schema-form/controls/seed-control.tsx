import { Dices, Lock, LockOpen } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "#ui/button.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { numberFromText, numberText } from "../check/number-text.ts";
import { useFormContext } from "../form/form-context.ts";
import { randomSeed } from "../form/random-seed.ts";
import type { NumberField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";
import { useLocalText } from "./use-local-text.ts";

/** A seed with a button for another one, and a lock: an unlocked seed is drawn anew for the next run. */
export function SeedControl({ field, value, version, onChange, onBlur, ids, place }: ControlProps<NumberField>) {
  const { store } = useFormContext();
  const locked = useSyncExternalStore(store.subscribe, () => store.isLocked(place));
  const [text, setText] = useLocalText(value, version, numberText);
  function type(next: string) {
    const sent = numberFromText(field, next);
    setText(next, sent);
    onChange(sent, true);
  }
  return (
    <div className="flex items-center gap-2">
      <TextInput
        id={ids.id}
        mono
        inputMode="numeric"
        autoComplete="off"
        aria-describedby={ids.describedBy}
        aria-invalid={ids.invalid || undefined}
        aria-required={field.required || undefined}
        placeholder="Random"
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
      />
      <Button variant="outline" onClick={() => type(String(randomSeed(field)))}>
        <Dices aria-hidden="true" className="size-4" />
        Shuffle
      </Button>
      <Button
        variant="outline"
        aria-pressed={locked}
        title={
          locked
            ? "The next run keeps this seed"
            : "Each run draws another seed for the next one. Press to keep this one."
        }
        onClick={() => store.lock(place, !locked)}
      >
        {locked ? <Lock aria-hidden="true" className="size-4" /> : <LockOpen aria-hidden="true" className="size-4" />}
        Lock
      </Button>
    </div>
  );
}
