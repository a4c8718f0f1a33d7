import type { Ref } from "react";
import { Field } from "#ui/field.tsx";
import { TextInput } from "#ui/text-input.tsx";

/** A base address of the service. */
export function AddressField({
  ref,
  label,
  name,
  placeholder,
  defaultValue,
  error,
  hint,
}: {
  ref: Ref<HTMLInputElement>;
  label: string;
  name: string;
  placeholder: string;
  defaultValue: string;
  error: string | undefined;
  hint?: string | undefined;
}) {
  return (
    <Field label={label} error={error} hint={hint} className="min-w-0 flex-1">
      {({ id, describedBy, invalid }) => (
        <TextInput
          ref={ref}
          mono
          id={id}
          name={name}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholder}
          defaultValue={defaultValue}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
        />
      )}
    </Field>
  );
}
