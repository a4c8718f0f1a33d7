import { Check, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { TextInput } from "#ui/text-input.tsx";

/** One preset: pressed it is used; beside it, renaming and deleting. */
export function PresetRow({
  name,
  onApply,
  onRename,
  onDelete,
}: {
  name: string;
  onApply: () => void;
  onRename: (name: string) => void;
  onDelete: () => void;
}) {
  const [draft, setDraft] = useState<string>();
  function rename(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    const next = draft?.trim();
    setDraft(undefined);
    if (next && next !== name) onRename(next);
  }
  if (draft !== undefined) {
    return (
      <li>
        <form onSubmit={rename} className="flex gap-1">
          <TextInput
            aria-label={`New name for ${name}`}
            autoFocus
            maxLength={80}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <IconButton type="submit" label="Keep the name">
            <Check aria-hidden="true" className="size-4" />
          </IconButton>
        </form>
      </li>
    );
  }
  return (
    <li className="flex gap-1">
      <Button variant="ghost" className="min-w-0 flex-1 justify-start!" onClick={onApply} title={`Use ${name}`}>
        <span className="truncate text-ink">{name}</span>
      </Button>
      <IconButton label={`Rename ${name}`} onClick={() => setDraft(name)}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}
