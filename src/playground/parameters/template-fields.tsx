import { MARKED_TEMPLATE, PLAIN_TEMPLATE, type PromptTemplate } from "#text/conversations/conversation.ts";
import { Button } from "#ui/button.tsx";
import { Field, TextInput } from "#ui/field.tsx";

const PARTS = [
  { name: "system", label: "System line" },
  { name: "user", label: "User line" },
  { name: "assistant", label: "Assistant line" },
  { name: "start", label: "Start of the answer" },
] as const;

const shown = (text: string) => text.replaceAll("\n", "\\n");
const meant = (text: string) => text.replaceAll("\\n", "\n");

/** How the chat is written out for a completions model. `\n` stands for a line's end. */
export function TemplateFields({
  template,
  onChange,
}: {
  template: PromptTemplate;
  onChange: (template: PromptTemplate) => void;
}) {
  return (
    <fieldset className="m-0 mb-3 min-w-0 rounded-md border border-line px-3 pt-2 pb-1">
      <legend className="px-1 font-medium text-[12.5px]">Template</legend>
      <div className="mb-2 flex gap-2">
        <Button size="sm" onClick={() => onChange(PLAIN_TEMPLATE)}>
          Plain
        </Button>
        <Button size="sm" onClick={() => onChange(MARKED_TEMPLATE)}>
          ChatML
        </Button>
      </div>
      {PARTS.map(({ name, label }) => (
        <Field key={name} label={label} errorless>
          {({ id }) => (
            <TextInput
              id={id}
              mono
              value={shown(template[name])}
              onChange={(event) => onChange({ ...template, [name]: meant(event.target.value) })}
            />
          )}
        </Field>
      ))}
      <Field label="Stop sequences" hint="Sent as stop.">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            mono
            value={template.stop.map(shown).join(" | ")}
            onChange={(event) => {
              const stop = event.target.value.split(" | ").filter((word) => word !== "");
              onChange({ ...template, stop: stop.map(meant) });
            }}
          />
        )}
      </Field>
    </fieldset>
  );
}
