import { Plus, X } from "lucide-react";
import { Button, IconButton } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";
import { mediaAddresses, mediaValue } from "../media-value.ts";
import type { MediaField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";

/** Media by address, one or several. A screen that can upload draws its own control instead (`renderMedia`). */
export function MediaControl({ field, value, onChange, onBlur, ids }: ControlProps<MediaField>) {
  const given = mediaAddresses(value);
  const rows = given.length > 0 ? given : [""];
  const several = field.shape !== "one";
  const set = (position: number, address: string) => {
    const next = rows.map((row, at) => (at === position ? address : row));
    onChange(mediaValue(field, next.length === 1 && next[0] === "" ? [] : next));
  };
  const remove = (position: number) =>
    onChange(
      mediaValue(
        field,
        rows.filter((_, at) => at !== position),
      ),
    );
  return (
    <div className="flex flex-col gap-2">
      {rows
        .map((address, position) => ({ address, position, id: `row${position}` }))
        .map(({ address, position, id }) => (
          <div key={id} className="flex items-center gap-1">
            <TextInput
              id={position === 0 ? ids.id : undefined}
              aria-label={position === 0 ? undefined : `${field.label} ${position + 1}`}
              mono
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://"
              aria-describedby={ids.describedBy}
              aria-invalid={ids.invalid || undefined}
              aria-required={field.required || undefined}
              value={address}
              onChange={(event) => set(position, event.target.value.trim())}
              onBlur={onBlur}
            />
            {several && given.length > 0 && (
              <IconButton label={`Remove ${field.label} ${position + 1}`} onClick={() => remove(position)}>
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            )}
          </div>
        ))}
      {several && given.length > 0 && given.length < (field.maxItems ?? Infinity) && (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => onChange([...given, ""])}>
          <Plus aria-hidden="true" className="size-4" />
          Add another
        </Button>
      )}
    </div>
  );
}
