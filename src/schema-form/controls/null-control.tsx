import { X } from "lucide-react";
import { IconButton } from "#ui/icon-button.tsx";
import { TextInput } from "#ui/text-input.tsx";
import type { ControlProps } from "./control-props.ts";

/** A chosen null: some services take it as "you decide" (in-the-wild 1, trap 4). */
export function NullControl({ field, onChange, ids }: ControlProps) {
  return (
    <div className="flex items-center gap-1">
      <TextInput
        id={ids.id}
        aria-labelledby={ids.labelId}
        aria-describedby={ids.describedBy}
        readOnly
        mono
        value="null"
      />
      <IconButton label={`Take null out of ${field.label}`} onClick={() => onChange(undefined)}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
