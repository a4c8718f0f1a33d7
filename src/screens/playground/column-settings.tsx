import { useState } from "react";
import { useForm } from "react-hook-form";
import { useChat } from "#chat/chat.ts";
import type { Column } from "#chat/conversation.ts";
import { type Preset, readPresets, removePreset, savePreset } from "#chat/presets.ts";
import { MARKED_TEMPLATE, PLAIN_TEMPLATE, type PromptTemplate } from "#chat/prompt-template.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Field, Select, TextArea, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { ParameterFields, type SettingsValues, settingsValues } from "./parameter-fields.tsx";
import type { DialogBodyProps } from "./use-dialog.ts";

/** Everything a column sends beside the messages: system prompt, cache, parameters. Only what is set is sent. */
export function ColumnSettings({ conversation, dialog }: DialogBodyProps<"settings">) {
  const [columnId, setColumnId] = useState(dialog.columnId);
  const column = conversation.columns.find(({ id }) => id === columnId) ?? conversation.columns[0];
  if (column === undefined) return null;
  return (
    <div className="flex flex-col gap-2">
      {conversation.columns.length > 1 && (
        <Segmented
          label="Column"
          className="mb-2"
          options={conversation.columns.map(({ id, model }, index) => ({
            value: id,
            label: `${index + 1}: ${visibleLine(model)}`,
          }))}
          value={column.id}
          onChange={setColumnId}
        />
      )}
      <SettingsForm key={`${column.id} ${column.endpoint}`} conversationId={conversation.id} column={column} />
    </div>
  );
}

/** There is nothing to submit: every change takes effect at once, for the next message. */
function SettingsForm({ conversationId, column }: { conversationId: string; column: Column }) {
  const { conversations } = useChat();
  const form = useForm<SettingsValues>({ mode: "onChange", defaultValues: settingsValues(column) });
  const change = (patch: Partial<Omit<Column, "id">>) =>
    conversations.dispatch(conversationId, { kind: "column-changed", columnId: column.id, patch });
  const applyPreset = ({ params, system }: Preset) => {
    const patch = { params, system };
    change(patch);
    form.reset(settingsValues({ ...column, ...patch }));
  };
  const { endpoint } = column;
  return (
    <>
      {endpoint === "completions" && (
        <Field label="Mode" group>
          {({ labelId }) => (
            <Segmented
              label="Mode"
              labelledBy={labelId}
              options={[
                { value: "document", label: "Document" },
                { value: "chat", label: "Chat template" },
              ]}
              value={column.isDocument ? "document" : "chat"}
              onChange={(mode) => change({ isDocument: mode === "document" })}
            />
          )}
        </Field>
      )}
      {!(endpoint === "completions" && column.isDocument) && (
        <Field label="System prompt" hint={SYSTEM_HINTS[endpoint]}>
          {({ id, describedBy }) => (
            <TextArea
              id={id}
              aria-describedby={describedBy}
              rows={3}
              {...form.register("system", {
                onChange: ({ target }: { target: HTMLTextAreaElement }) => change({ system: target.value }),
              })}
            />
          )}
        </Field>
      )}
      {endpoint === "messages" && (
        <Field label="Prompt cache" group hint="Marks blocks with cache_control. Tokens read from the cache cost less.">
          {({ labelId, describedBy }) => (
            <Segmented
              label="Prompt cache"
              labelledBy={labelId}
              describedBy={describedBy}
              options={[
                { value: "off", label: "Off" },
                { value: "auto", label: "Automatic" },
                { value: "pins", label: "Manual" },
              ]}
              value={column.cacheMode}
              onChange={(cacheMode) => change({ cacheMode, isSystemPinned: cacheMode === "pins" })}
            />
          )}
        </Field>
      )}
      {endpoint === "completions" && !column.isDocument && (
        <TemplateFields template={column.template} onChange={(template) => change({ template })} />
      )}
      <ParameterFields form={form} column={column} onChange={(params) => change({ params })} />
      <PresetLine column={column} onUse={applyPreset} />
    </>
  );
}

const SYSTEM_HINTS = {
  messages: "Sent as system.",
  responses: "Sent as instructions.",
  completions: "The template puts it at the start.",
};

const PARTS = [
  { name: "system", label: "System line" },
  { name: "user", label: "User line" },
  { name: "assistant", label: "Assistant line" },
  { name: "start", label: "Start of the answer" },
] as const;

const shown = (text: string) => text.replaceAll("\n", "\\n");
const meant = (text: string) => text.replaceAll("\\n", "\n");

/** How the chat is written out for a completions model. `\n` stands for a line's end. */
function TemplateFields({
  template,
  onChange,
}: {
  template: PromptTemplate;
  onChange: (template: PromptTemplate) => void;
}) {
  return (
    <fieldset className="m-0 mb-2 rounded-md border border-line px-3 pt-2 pb-1">
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
        <Field key={name} label={label}>
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

/** Parameters and a system prompt stored under a name, for this endpoint. */
function PresetLine({ column, onUse }: { column: Column; onUse: (preset: Preset) => void }) {
  const [presets, setPresets] = useState(readPresets);
  const [chosen, setChosen] = useState("");
  const { register, handleSubmit, reset, formState } = useForm({ mode: "onChange", defaultValues: { name: "" } });
  const fitting = presets.filter(({ endpoint }) => endpoint === column.endpoint);
  const preset = fitting.find(({ name }) => name === chosen);
  const save = handleSubmit(({ name: typed }) => {
    const { endpoint, params, system } = column;
    const name = typed.trim();
    setPresets(savePreset({ name, endpoint, params, system }));
    setChosen(name);
    reset();
  });
  return (
    <div className="flex flex-col gap-2">
      <Field label="Presets">
        {({ id }) => (
          <div className="flex gap-2">
            <Select id={id} className="flex-1" value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="">{fitting.length === 0 ? "No presets yet" : "Choose a preset"}</option>
              {fitting.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </Select>
            <Button aria-disabled={!preset} onClick={() => preset && onUse(preset)}>
              Use
            </Button>
            <Button aria-disabled={!preset} onClick={() => preset && setPresets(removePreset(preset))}>
              Delete
            </Button>
          </div>
        )}
      </Field>
      <Field label="Save as preset">
        {({ id }) => (
          <div className="flex gap-2">
            <TextInput id={id} className="flex-1" {...register("name", { validate: (name) => name.trim() !== "" })} />
            <Button aria-disabled={!formState.isValid} onClick={save}>
              Save
            </Button>
          </div>
        )}
      </Field>
    </div>
  );
}
