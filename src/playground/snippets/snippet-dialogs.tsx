import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNamedList } from "#connection/named-list.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { setDraft, useDraft } from "#text/conversations/conversation-store.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { NamedRows, SaveAs } from "#ui/named-list.tsx";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";
import { fillSnippet, findVariables, type Snippet, snippets } from "./snippets.ts";

/** The list of snippets. One can be inserted into the message, with its variables filled in, renamed or deleted. */
export function SnippetDialog({ conversation, onClose }: DialogBodyProps<"snippets">) {
  const list = useNamedList(snippets);
  const draft = useDraft(conversation.id);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Snippet>();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = list.items.filter((snippet) =>
    words.every((word) => `${snippet.name} ${snippet.text}`.toLowerCase().includes(word)),
  );
  const insert = (filled: string) => {
    onClose();
    insertIntoMessage(conversation, filled, draft);
  };
  const choose = (snippet: Snippet) => {
    if (findVariables(snippet.text).length > 0) setChosen(snippet);
    else insert(snippet.text);
  };
  if (chosen) return <FillVariables snippet={chosen} onFilled={insert} onBack={() => setChosen(undefined)} />;
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
          const first = matching[0];
          if (event.key === "Enter" && first && words.length > 0 && !event.nativeEvent.isComposing) choose(first);
        }}
      />
      {list.items.length > 0 && matching.length === 0 && <p className="m-0 text-ink-2">No matching snippets</p>}
      <NamedRows
        list={list}
        shown={matching}
        noun="snippet"
        verb="Insert"
        onUse={choose}
        detail={(snippet) => snippet.text}
        empty={
          <EmptyState title="No snippets yet">
            Choose “Save as snippet” in a message’s menu. You fill in words in double braces, such as {"{{topic}}"},
            when you insert it.
          </EmptyState>
        }
      />
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
  const variables = findVariables(text);
  const { register, handleSubmit } = useForm({ defaultValues: { words: variables.map(() => "") } });
  const fill = handleSubmit(({ words }) =>
    onFilled(fillSnippet(text, Object.fromEntries(variables.map((variable, index) => [variable, words[index] ?? ""])))),
  );
  return (
    <form className="flex flex-col pt-0.5" onSubmit={fill}>
      <h3 dir="auto" className="wrap-anywhere m-0 mb-3 font-medium">
        {visibleLine(name)}
      </h3>
      {variables.map((variable, index) => (
        <Field key={variable} label={visibleLine(variable)}>
          {({ id }) => <TextArea id={id} rows={1} autoFocus={index === 0} {...register(`words.${index}`)} />}
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

/** The dialog that saves a text as a snippet. */
export function SaveSnippet({ dialog, onClose }: DialogBodyProps<"save-snippet">) {
  const list = useNamedList(snippets);
  const { control, register } = useForm({ defaultValues: { text: dialog.text } });
  const text = useWatch({ control, name: "text" });
  return (
    <div className="pt-0.5">
      <SaveAs
        list={list}
        noun="snippet"
        initial={dialog.text.trim().split("\n", 1)[0]?.slice(0, 48) ?? ""}
        make={(name) => (text.trim() === "" ? undefined : { name, text })}
        onSaved={({ name }) => {
          toast({ title: "Snippet saved", body: visibleLine(name), tone: "success" });
          onClose();
        }}
      >
        <Field label="Text" hint="You fill in words in double braces, such as {{topic}}, when you insert the snippet.">
          {({ id, describedBy }) => (
            <TextArea id={id} aria-describedby={describedBy} rows={5} className="max-h-[40dvh]" {...register("text")} />
          )}
        </Field>
      </SaveAs>
    </div>
  );
}

/**
 * Inserts a text at the caret of the composer, in place of a selection, and focuses the composer with the caret after
 * the text. Without a composer on the screen, the text is added to the draft.
 */
function insertIntoMessage(conversation: { id: string; isTemporary: boolean }, text: string, draft: string): void {
  const area = document.querySelector<HTMLTextAreaElement>("textarea[data-composer]");
  const [start, end] = area ? [area.selectionStart, area.selectionEnd] : [draft.length, draft.length];
  setDraft(conversation.id, draft.slice(0, start) + text + draft.slice(end), conversation);
  // After React has rendered the text, and the dialog has returned the focus.
  setTimeout(() => {
    area?.focus();
    area?.setSelectionRange(start + text.length, start + text.length);
  });
}
