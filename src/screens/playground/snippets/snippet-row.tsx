import { Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { LONGEST_NAME, type Snippet } from "#chat/snippets.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";

interface RowProps {
  snippet: Snippet;
  onInsert: () => void;
  onRename: (to: string) => void;
  onDelete: () => void;
}

/** One saved text: a press inserts it. */
export function SnippetRow({ snippet: { name, text }, onInsert, onRename, onDelete }: RowProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  if (isRenaming) {
    const rename = (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const to = new FormData(event.currentTarget).get("name");
      if (typeof to === "string" && to.trim() !== "") onRename(to);
      setIsRenaming(false);
    };
    return (
      <li>
        <form className="flex gap-2 py-1" onSubmit={rename}>
          <TextInput
            name="name"
            aria-label="Name"
            defaultValue={name}
            maxLength={LONGEST_NAME}
            className="min-w-0 flex-1"
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button type="submit">Rename</Button>
          <Button variant="ghost" onClick={() => setIsRenaming(false)}>
            Cancel
          </Button>
        </form>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-0.5 rounded-md pe-1 hover:bg-hover">
      <button
        type="button"
        onClick={onInsert}
        className="flex min-h-11 min-w-0 flex-1 cursor-pointer flex-col justify-center rounded-md px-2.5 py-1.5 text-left"
      >
        <span dir="auto" className="block w-full truncate font-medium">
          {visibleLine(name)}
        </span>{" "}
        <span dir="auto" className="block w-full truncate text-[12px] text-ink-3">
          {visibleLine(text, 200)}
        </span>
      </button>
      <IconButton label={`Rename ${visibleLine(name, 60)}`} size="sm" onClick={() => setIsRenaming(true)}>
        <Pencil aria-hidden className="size-3.5" />
      </IconButton>
      <IconButton label={`Delete ${visibleLine(name, 60)}`} size="sm" onClick={onDelete}>
        <Trash2 aria-hidden className="size-3.5" />
      </IconButton>
    </li>
  );
}
