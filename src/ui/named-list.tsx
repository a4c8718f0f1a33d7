import { Check, Pencil, Trash2, X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { isSameName, MAX_NAME_LENGTH, type Named, type NamedList } from "#lib/named-list.ts";
import { oneLine, visibleLine } from "#lib/visible-text.ts";
import { StorageError } from "#storage/rows.ts";
import { Button, IconButton } from "./button.tsx";
import { Field, TextInput } from "./field.tsx";
import { toast } from "./toast-store.ts";

const capitalize = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1);

/** Waits for a change of a list. Resolves to its result, or to undefined where it failed, after a toast. Never rejects. */
export async function orToast<T>(noun: string, change: Promise<T>): Promise<T | undefined> {
  return change.catch((error: unknown) => {
    const isNewer = error instanceof StorageError && error.trouble === "newer";
    const body = isNewer ? error.message : "This browser couldn’t write to its storage. Try again.";
    toast({ title: `${capitalize(noun)}s not changed`, body, tone: "error" });
    return undefined;
  });
}

interface NamedRowsProps<T extends Named> {
  list: NamedList<T>;
  /** The items that are shown, in this order. Without it all of the list are. */
  shown?: readonly T[] | undefined;
  /** The word for one item: "preset", "snippet". */
  noun: string;
  /** The word for what a press on an item does: "Open". */
  verb: string;
  onUse: (item: T) => void;
  /** A line under the name. */
  detail?: (item: T) => string;
  /** A few words at the end of the line. */
  aside?: (item: T) => ReactNode;
  /** Buttons before those that rename and delete. `name` is the name as it is shown. */
  acts?: (item: T, name: string) => ReactNode;
  /** Shown in place of the rows where the list is empty. */
  empty?: ReactNode;
}

/**
 * What a person saved under names. A press uses an item, and the buttons beside it rename and delete it. The last deletion can be
 * undone for as long as the list is open.
 */
export function NamedRows<T extends Named>(props: NamedRowsProps<T>) {
  const { list, shown = list.items, noun, empty } = props;
  const [renaming, setRenaming] = useState<string>();
  const rows = useRef<HTMLUListElement>(null);
  /** The name of the row whose "Rename" button gets the focus, once it is there: it was renamed, or restored. */
  const toFocus = useRef<string>(undefined);
  useEffect(() => {
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>("[data-renames]") ?? [])];
    const wanted = buttons.find(({ dataset }) => dataset.renames === toFocus.current);
    if (!wanted) return;
    toFocus.current = undefined;
    wanted.focus();
  });
  const [deleted, setDeleted] = useState<T>();
  async function remove(item: T) {
    const removed = await orToast(
      noun,
      list.remove(item.name).then(() => item),
    );
    if (removed) setDeleted(removed);
  }
  async function rename(item: T, to: string) {
    setRenaming(undefined);
    toFocus.current = item.name;
    if (to === "" || to === item.name) return;
    const name = await orToast(noun, list.rename(item.name, to));
    if (name !== undefined && name !== item.name) toFocus.current = name;
  }
  return (
    <>
      {list.isRead && list.items.length === 0 && empty}
      {list.hasFailed && <p className="m-0 text-ink-2">{couldNotRead(noun)}</p>}
      {shown.length > 0 && (
        <ul ref={rows} aria-label={`${capitalize(noun)}s`} className="m-0 flex list-none flex-col gap-0.5 p-0">
          {shown.map((item) =>
            item.name === renaming ? (
              <li key={item.name}>
                <Rename list={list} noun={noun} name={item.name} onEnd={(to) => void rename(item, to)} />
              </li>
            ) : (
              <Row
                key={item.name}
                {...props}
                item={item}
                onRename={() => setRenaming(item.name)}
                onDelete={() => void remove(item)}
              />
            ),
          )}
        </ul>
      )}
      <p role="status" className="m-0 flex items-center gap-2 text-sm text-ink-2 not-empty:mt-2">
        {deleted && (
          <>
            <span dir="auto" className="min-w-0 truncate">
              Deleted: {visibleLine(deleted.name, 60)}
            </span>
            <Button
              key={deleted.name}
              size="sm"
              // The focus was on the pressed button, which is gone.
              autoFocus
              onClick={() => {
                setDeleted(undefined);
                void orToast(noun, list.restore(deleted)).then((item) => {
                  toFocus.current = item?.name;
                });
              }}
            >
              Undo
            </Button>
          </>
        )}
      </p>
    </>
  );
}

interface RowProps<T extends Named> extends NamedRowsProps<T> {
  item: T;
  onRename: () => void;
  onDelete: () => void;
}

function Row<T extends Named>(props: RowProps<T>) {
  const { item, verb, onUse, detail, aside, acts, onRename, onDelete } = props;
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
            <span dir="auto" className="block truncate text-xs text-ink-3">
              {visibleLine(detail(item), 200)}
            </span>
          )}
        </span>
        {aside && <span className="shrink-0 text-xs text-ink-3">{aside(item)}</span>}
      </button>
      {acts?.(item, name)}
      <IconButton label={`Rename ${name}`} data-renames={item.name} onClick={onRename}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}

/** Submits only this form. React events bubble through portals, so a form around the dialog would be submitted, too. */
function submitAlone(event: FormEvent, submit: (event: FormEvent) => Promise<void>): void {
  event.stopPropagation();
  void submit(event);
}

/** Makes Escape end a part instead of the dialog around it. During a composition Escape belongs to the input method. */
const endsWithEscape = (onEnd: () => void) => ({
  "data-owns-escape": "",
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    onEnd();
  },
});

interface RenameProps {
  list: { items: readonly Named[] };
  noun: string;
  name: string;
  /** Called with the new name, or with the same one where nothing is to be changed. */
  onEnd: (name: string) => void;
}

function Rename({ list, noun, name, onEnd }: RenameProps) {
  const hintId = useId();
  const { control, register, handleSubmit } = useForm({ defaultValues: { name } });
  const submit = handleSubmit((values) => onEnd(values.name === name ? name : oneLine(values.name, MAX_NAME_LENGTH)));
  const next = useWatch({ control, name: "name" });
  const isTaken = list.items.some((item) => item.name !== name && isSameName(item.name, next));
  return (
    <form onSubmit={(event) => submitAlone(event, submit)} {...endsWithEscape(() => onEnd(name))}>
      <span className="flex gap-1">
        <TextInput
          aria-label={`New name for ${visibleLine(name, 120)}`}
          aria-describedby={hintId}
          autoComplete="off"
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          maxLength={MAX_NAME_LENGTH}
          {...register("name")}
        />
        <IconButton type="submit" label="Save name">
          <Check aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label="Cancel renaming" onClick={() => onEnd(name)}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
      <span id={hintId} className="block text-xs text-ink-3 not-empty:py-1">
        {isTaken && replaces(noun)}
      </span>
    </form>
  );
}

const couldNotRead = (noun: string) => `Saved ${noun}s couldn’t be read. Reload the page.`;
const replaces = (noun: string) => `This replaces the ${noun} with the same name.`;

interface SaveAsProps<T extends Named> {
  list: NamedList<T>;
  /** The word for one item: "preset", "snippet". */
  noun: string;
  /** The name that is suggested. */
  initial?: string;
  /** A sentence under the name, unless the name is taken. */
  hint?: ReactNode;
  /** What is saved under the name; undefined as long as there is nothing to save. */
  make: (name: string) => T | undefined;
  /** Called with the item that was stored. */
  onSaved?: (item: T) => void;
  /** Shows a Cancel button. Escape does the same. */
  onCancel?: () => void;
  /** Fields between the name and the buttons. */
  children?: ReactNode;
  /** Buttons before the one that saves. */
  acts?: (item: T | undefined) => ReactNode;
}

/** A form that saves something under a name. If the name is taken, it says that the other item will be replaced. */
export function SaveAs<T extends Named>(props: SaveAsProps<T>) {
  const { list, noun, initial = "", hint, make, onSaved, onCancel, children, acts } = props;
  const defaultValues = { name: oneLine(initial, MAX_NAME_LENGTH) };
  const { control, register, handleSubmit, reset, formState } = useForm({ defaultValues });
  const name = oneLine(useWatch({ control, name: "name" }), MAX_NAME_LENGTH);
  const isTaken = list.items.some((item) => isSameName(item.name, name));
  // Until the list was read, nothing can warn about what would be replaced.
  const item = name === "" || !list.isRead ? undefined : make(name);
  const submit = handleSubmit(async () => {
    const stored = item && (await orToast(noun, list.save(item)));
    if (stored === undefined) return;
    reset();
    onSaved?.(stored);
  });
  const save = (
    <Button type="submit" variant="primary" aria-disabled={item === undefined} busy={formState.isSubmitting}>
      {isTaken ? "Replace" : "Save"}
    </Button>
  );
  const hasInlineButton = !onCancel && !acts && !children;
  return (
    <form
      onSubmit={(event) => {
        if (formState.isSubmitting) event.preventDefault();
        else submitAlone(event, submit);
      }}
      className="flex flex-col"
      {...(onCancel && endsWithEscape(onCancel))}
    >
      <Field
        label={`${capitalize(noun)} name`}
        hint={isTaken ? replaces(noun) : hint}
        error={list.hasFailed ? couldNotRead(noun) : undefined}
      >
        {({ id, describedBy }) => (
          <span className="flex gap-2">
            <TextInput
              id={id}
              aria-describedby={describedBy}
              autoComplete="off"
              // With `onCancel` the form was just opened by a press, so that the person can type a name.
              autoFocus={onCancel !== undefined}
              maxLength={MAX_NAME_LENGTH}
              className="min-w-0 flex-1"
              {...register("name")}
            />
            {hasInlineButton && save}
          </span>
        )}
      </Field>
      {children}
      {!hasInlineButton && (
        <div className="flex flex-wrap justify-end gap-2">
          {onCancel && (
            <Button variant="ghost" onClick={onCancel}>
              Cancel
            </Button>
          )}
          {acts?.(item)}
          {save}
        </div>
      )}
    </form>
  );
}
