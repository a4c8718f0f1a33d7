import { Checkbox } from "#ui/checkbox.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import type { Problems } from "./connect-values.ts";

const INPUTS = [
  { name: "passphrase", label: "Passphrase" },
  { name: "passphrase-again", label: "Repeat passphrase" },
] as const;

/**
 * Without a host a reload forgets the key, unless the person keeps it on this device under a passphrase. The passphrase is
 * in no state: it is read when the key is given away, and is gone with the form.
 */
export function KeepChoice({
  problems,
  isStored,
  onKeep,
}: {
  problems: Problems;
  isStored: boolean;
  onKeep: (isStored: boolean) => void;
}) {
  return (
    <fieldset className="m-0 mb-1 min-w-0 border-0 p-0">
      <legend className="sr-only">Store the key</legend>
      <div className="flex items-center gap-2 pointer-coarse:min-h-11 text-ink-2">
        <Checkbox
          id="keep-key"
          name="keep"
          checked={isStored}
          onChange={(event) => onKeep(event.currentTarget.checked)}
          disabled={!canKeep()}
        />
        <label htmlFor="keep-key">Store on this device, encrypted with a passphrase</label>
      </div>
      {!canKeep() && (
        <p className="m-0 mt-1 text-[12px] text-ink-3 leading-[18px]">
          The key cannot be stored: browsers offer no encryption on pages without https.
        </p>
      )}
      {isStored && (
        <>
          <p className="m-0 mt-1 mb-2 text-[12px] text-ink-3 leading-[18px]">
            After a reload, the passphrase unlocks the key. A lost passphrase cannot be recovered: enter the key again
            then.
          </p>
          <div className="flex gap-x-3 max-sm:flex-col">
            {INPUTS.map(({ name, label }) => (
              <Field key={name} label={label} error={problems[name]} className="min-w-0 flex-1">
                {({ id, describedBy, invalid }) => (
                  <TextInput
                    id={id}
                    name={name}
                    type="password"
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    aria-describedby={describedBy}
                    aria-invalid={invalid || undefined}
                  />
                )}
              </Field>
            ))}
          </div>
        </>
      )}
    </fieldset>
  );
}

/** WebCrypto is there on https and on this machine only. */
function canKeep(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}
