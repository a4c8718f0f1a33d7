import { TextInput } from "#ui/text-input.tsx";
import { colourFromHex, hexOfColour } from "../form/colour-value.ts";
import type { ColourField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";
import { useLocalText } from "./use-local-text.ts";

/** A colour by the platform's picker or as text, sent in the form that the listing asks for. */
export function ColourControl({ field, value, version, onChange, onBlur, ids }: ControlProps<ColourField>) {
  const [text, setText] = useLocalText(
    value,
    version,
    (given) => hexOfColour(field, given) ?? (typeof given === "string" ? given : ""),
  );
  const shown = hexOfColour(field, value === undefined ? field.defaultValue : value);
  function type(next: string) {
    const sent = next === "" ? undefined : colourFromHex(field, next);
    setText(next, sent);
    // Half a colour is not sent in any form but as the text that it is.
    onChange(sent ?? (next === "" ? undefined : next));
  }
  return (
    <div className="flex items-center gap-2">
      <input
        type="color"
        aria-label={`Pick ${field.label}`}
        value={shown ?? "#000000"}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
        className="h-[34px] w-11 flex-none cursor-pointer rounded-sm border border-line bg-well p-1 pointer-coarse:h-10"
      />
      <TextInput
        id={ids.id}
        mono
        aria-labelledby={ids.labelId}
        aria-describedby={ids.describedBy}
        aria-invalid={ids.invalid || undefined}
        aria-required={field.required || undefined}
        placeholder={hexOfColour(field, field.defaultValue) ?? "#rrggbb"}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
      />
    </div>
  );
}
