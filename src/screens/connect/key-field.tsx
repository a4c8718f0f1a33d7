import { type Ref, useState } from "react";
import { Field } from "#ui/field.tsx";
import { TextInput } from "#ui/text-input.tsx";

/** The API key, hidden unless asked. Uncontrolled, so that no state of the page holds it. */
export function KeyField({ ref, error }: { ref: Ref<HTMLInputElement>; error: string | undefined }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label="API key"
      error={error}
      hint="Sent only to the two addresses below. Kept until this tab closes."
      className="mb-3"
    >
      {({ id, describedBy, invalid }) => (
        <div className="relative">
          <TextInput
            ref={ref}
            mono
            id={id}
            name="api-key"
            type={isShown ? "text" : "password"}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            className="pr-16"
          />
          <button
            type="button"
            aria-label={isShown ? "Hide key" : "Show key"}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 min-w-10 cursor-pointer px-2.5 text-[12.5px] text-ink-3 hover:text-ink"
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </div>
      )}
    </Field>
  );
}
