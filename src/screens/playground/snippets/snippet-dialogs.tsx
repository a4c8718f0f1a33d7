import { type FormEvent, useState } from "react";
import { useChat } from "#chat/chat.ts";
import { useDraft } from "#chat/conversations/unsent-messages.ts";
import {
  fillSnippet,
  LONGEST_NAME,
  removeSnippet,
  renameSnippet,
  type Snippet,
  saveSnippet,
  snippetName,
  useSnippets,
  variablesOf,
} from "#chat/snippets.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";
import { insertIntoMessage } from "./insert-text.ts";
import { SnippetRow } from "./snippet-row.tsx";

export const sayNotSaved = () =>
  toast({ title: "The snippet could not be saved", body: "Nothing was changed. Try again.", tone: "error" });

/** The saved texts: one is inserted into the message, with its variables filled in, or renamed or deleted. */
export function SnippetDialog({ conversation, onClose }: DialogBodyProps<"snippets">) {
  const { accountId } = useChat();
  const snippets = useSnippets();
  const draft = useDraft(conversation.id);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Snippet>();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = snippets.filter((one) =>
    words.every((word) => `${one.name} ${one.text}`.toLowerCase().includes(word)),
  );
  const insert = (filled: string) => {
    onClose();
    insertIntoMessage(conversation, filled, draft);
  };
  const choose = (snippet: Snippet) => {
    if (variablesOf(snippet.text).length > 0) setChosen(snippet);
    else insert(snippet.text);
  };
  if (chosen) return <FillVariables snippet={chosen} onFilled={insert} onBack={() => setChosen(undefined)} />;
  if (snippets.length === 0) {
    return (
      <EmptyState title="No snippets yet">
        Save a text with “Save as snippet”, in the menu of a message or beside the composer. Words in double braces, as
        in {"{{topic}}"}, are filled in when it is inserted.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3 pt-0.5">
      <TextInput
        type="search"
        aria-label="Search snippets"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const first = fitting[0];
          if (event.key === "Enter" && first) choose(first);
        }}
      />
      {fitting.length === 0 && <p className="m-0 text-ink-2">No snippet contains these words.</p>}
      <ol aria-label="Snippets" className="m-0 flex list-none flex-col gap-0.5 p-0">
        {fitting.map((snippet) => (
          <SnippetRow
            key={snippet.name}
            snippet={snippet}
            onInsert={() => choose(snippet)}
            onRename={(to) => void renameSnippet(accountId, snippet.name, to).catch(sayNotSaved)}
            onDelete={() => {
              void removeSnippet(accountId, snippet.name).then(
                () =>
                  toast({
                    title: `Deleted “${visibleLine(snippet.name, 60)}”`,
                    action: {
                      label: "Undo",
                      onAct: () => void saveSnippet(accountId, snippet).catch(sayNotSaved),
                    },
                  }),
                sayNotSaved,
              );
            }}
          />
        ))}
      </ol>
    </div>
  );
}

function FillVariables({
  snippet: { name, text },
  onFilled,
  onBack,
}: {
  snippet: Snippet;
  onFilled: (text: string) => void;
  onBack: () => void;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fill = (event: FormEvent) => {
    event.preventDefault();
    onFilled(fillSnippet(text, values));
  };
  return (
    <form className="flex flex-col pt-0.5" onSubmit={fill}>
      <h3 dir="auto" className="wrap-anywhere m-0 mb-3 font-medium">
        {visibleLine(name)}
      </h3>
      {variablesOf(text).map((variable, index) => (
        <Field key={variable} label={visibleLine(variable)}>
          {({ id }) => (
            <TextArea
              id={id}
              rows={1}
              autoFocus={index === 0}
              value={values[variable] ?? ""}
              onChange={(event) => setValues({ ...values, [variable]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Cancel</Button>
        <Button type="submit" variant="primary">
          Insert
        </Button>
      </div>
    </form>
  );
}

/** Stores a text under a name. */
export function SaveSnippet({ dialog, onClose }: DialogBodyProps<"save-snippet">) {
  const { accountId } = useChat();
  const snippets = useSnippets();
  const [name, setName] = useState(firstLine(dialog.text));
  const [text, setText] = useState(dialog.text);
  const clean = snippetName(name);
  const canSave = clean !== "" && text.trim() !== "";
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!canSave) return;
    void saveSnippet(accountId, { name: clean, text }).then(() => {
      toast({ title: "Snippet saved", body: visibleLine(clean), tone: "success" });
      onClose();
    }, sayNotSaved);
  };
  return (
    <form className="flex flex-col pt-0.5" onSubmit={save}>
      <Field
        label="Name"
        hint={snippets.some((one) => one.name === clean) ? "This replaces the snippet of the same name." : undefined}
      >
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            autoComplete="off"
            maxLength={LONGEST_NAME}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Text" hint="Words in double braces, as in {{topic}}, are filled in when the snippet is inserted.">
        {({ id, describedBy }) => (
          <TextArea
            id={id}
            aria-describedby={describedBy}
            rows={5}
            className="max-h-[40dvh]"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" aria-disabled={!canSave}>
          Save
        </Button>
      </div>
    </form>
  );
}

function firstLine(text: string): string {
  return snippetName(text.trim().split("\n", 1)[0]?.slice(0, 48) ?? "");
}
