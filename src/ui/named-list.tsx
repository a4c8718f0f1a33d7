import { Check, Pencil, Trash2, X } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { oneLine, visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "./button.tsx";
import { Field, TextInput } from "./field.tsx";
import { toast } from "./toast-store.ts";

const MAX_NAME_LENGTH = 120;

/** Something that a person saved under a name, and what can be done with a list of them: see `connection/named-list.ts`. */
interface NamedList<T extends { name: string }> {
  items: readonly T[];
  save(item: T): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

const capital = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1);

/** Waits for a change of a list, and says where it was not stored. `noun` is "preset" and the like. Never rejects. */
export async function sayIfNotSaved(noun: string, change: Promise<void>): Promise<boolean> {
  return change.then(
    () => true,
    () => {
      toast({ title: `This browser could not save the ${noun}`, body: "Nothing was changed.", tone: "error" });
      return false;
    },
  );
}

interface NamedRowsProps<T extends { name: string }> {
  list: NamedList<T>;
  /** Those of the list that are shown, in this order; all of them without it. */
  shown?: readonly T[] | undefined;
  /** What one is: "preset", "snippet". */
  noun: string;
  /** What a press on one does, as in "Open". */
  verb: string;
  onUse: (item: T) => void;
  /** A line under the name. */
  detail?: (item: T) => string;
  /** A few words at the end of the line. */
  aside?: (item: T) => ReactNode;
  /** Buttons before those that rename and delete. `name` is the name as it is shown. */
  acts?: (item: T, name: string) => ReactNode;
}

/**
 * What a person saved under names: a press uses one, and the buttons beside it rename and delete it. What was deleted can be
 * taken back for as long as the toast stands.
 */
export function NamedRows<T extends { name: string }>(props: NamedRowsProps<T>) {
  const { list, shown = list.items, noun } = props;
  const [renamed, setRenamed] = useState<string>();
  function remove(item: T) {
    void sayIfNotSaved(noun, list.remove(item.name)).then((isDone) => {
      if (!isDone) return;
      toast({
        title: `Deleted: ${visibleLine(item.name, 60)}`,
        action: { label: "Undo", onAct: () => void sayIfNotSaved(noun, list.save(item)) },
      });
    });
  }
  function rename(item: T, to: string) {
    setRenamed(undefined);
    if (to !== "" && to !== item.name) void sayIfNotSaved(noun, list.rename(item.name, to));
  }
  return (
    <ul aria-label={`${capital(noun)}s`} className="m-0 flex list-none flex-col gap-0.5 p-0">
      {shown.map((item) =>
        item.name === renamed ? (
          <li key={item.name}>
            <Rename name={item.name} onRename={(to) => rename(item, to)} onCancel={() => setRenamed(undefined)} />
          </li>
        ) : (
          <Row
            key={item.name}
            {...props}
            item={item}
            onRename={() => setRenamed(item.name)}
            onDelete={() => remove(item)}
          />
        ),
      )}
    </ul>
  );
}

interface RowProps<T extends { name: string }> extends NamedRowsProps<T> {
  item: T;
  onRename: () => void;
  onDelete: () => void;
}

function Row<T extends { name: string }>({ item, verb, onUse, detail, aside, acts, onRename, onDelete }: RowProps<T>) {
  const name = visibleLine(item.name, 120);
  return (
    <li className="flex items-center gap-0.5 rounded-md pe-1 hover:bg-hover">
      <button
        type="button"
        title={`${verb} ${name}`}
        onClick={() => onUse(item)}
        className="flex min-h-9 min-w-0 flex-1 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-left pointer-coarse:min-h-11"
      >
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {name}
          </span>{" "}
          {detail && (
            <span dir="auto" className="block truncate text-[12px] text-ink-3">
              {visibleLine(detail(item), 200)}
            </span>
          )}
        </span>
        {aside && <span className="shrink-0 text-[12px] text-ink-3">{aside(item)}</span>}
      </button>
      {acts?.(item, name)}
      <IconButton label={`Rename ${name}`} onClick={onRename}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}

/** Submits a form of a dialog. In React's tree it may be inside another form, which must not hear of it. */
function submitAlone(event: FormEvent, submit: (event: FormEvent) => Promise<void>): void {
  event.stopPropagation();
  void submit(event);
}

interface RenameProps {
  name: string;
  onRename: (name: string) => void;
  onCancel: () => void;
}

function Rename({ name, onRename, onCancel }: RenameProps) {
  const { register, handleSubmit } = useForm({ defaultValues: { name } });
  const submit = handleSubmit((values) => onRename(oneLine(values.name, MAX_NAME_LENGTH)));
  return (
    <form onSubmit={(event) => submitAlone(event, submit)} className="flex gap-1">
      <TextInput
        aria-label={`New name for ${visibleLine(name, 120)}`}
        autoComplete="off"
        autoFocus
        // Escape ends the renaming, and not the dialog around it.
        data-owns-escape=""
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => event.key === "Escape" && onCancel()}
        maxLength={MAX_NAME_LENGTH}
        {...register("name")}
      />
      <IconButton type="submit" label="Save the name">
        <Check aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Keep the name" onClick={onCancel}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </form>
  );
}

interface SaveAsProps<T extends { name: string }> {
  list: NamedList<T>;
  /** What one is: "preset", "snippet". */
  noun: string;
  /** The name to begin with. */
  initial?: string;
  /** A sentence under the name, as long as no other entry has it. */
  hint?: ReactNode;
  /** What is saved under the name; undefined as long as there is nothing to save. */
  make: (name: string) => T | undefined;
  onSaved?: (item: T) => void;
  /** Fields between the name and the buttons. */
  children?: ReactNode;
  /** Buttons before the one that saves. */
  acts?: (item: T | undefined) => ReactNode;
}

/** Saves something under a name; one of the same name is replaced, which is said before. */
export function SaveAs<T extends { name: string }>(props: SaveAsProps<T>) {
  const { list, noun, initial = "", hint, make, onSaved, children, acts } = props;
  const { control, register, handleSubmit, reset } = useForm({ defaultValues: { name: initial } });
  const name = oneLine(useWatch({ control, name: "name" }), MAX_NAME_LENGTH);
  const isTaken = list.items.some((item) => item.name === name);
  const item = name === "" ? undefined : make(name);
  const submit = handleSubmit(async () => {
    if (item === undefined || !(await sayIfNotSaved(noun, list.save(item)))) return;
    reset();
    onSaved?.(item);
  });
  return (
    <form onSubmit={(event) => submitAlone(event, submit)} className="flex flex-col">
      <Field label={`${capital(noun)} name`} hint={isTaken ? `This replaces the ${noun} of the same name.` : hint}>
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            {...register("name")}
          />
        )}
      </Field>
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        {acts?.(item)}
        <Button type="submit" variant="primary" aria-disabled={item === undefined}>
          {isTaken ? "Replace" : "Save"}
        </Button>
      </div>
    </form>
  );
}
