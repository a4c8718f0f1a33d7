import { useState } from "react";
import { useChat } from "#chat/chat.ts";
import type { Column } from "#chat/conversation.ts";
import { PARAMETERS, readParameter, writeParameter } from "#chat/parameters.ts";
import { type Preset, readPresets, removePreset, savePreset } from "#chat/presets.ts";
import { MARKED_TEMPLATE, PLAIN_TEMPLATE, type PromptTemplate } from "#chat/prompt-template.ts";
import { Button } from "#ui/button.tsx";
import { Field } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Select } from "#ui/select.tsx";
import { TextArea } from "#ui/text-area.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { OtherFields, ParameterField } from "./parameter-fields.tsx";
import type { DialogBodyProps } from "./use-dialog.ts";

/** Everything a column sends beside the messages: system prompt, cache, parameters. Only what is set is sent. */
export function ColumnSettings({ conversation, dialog }: DialogBodyProps<"settings">) {
  const { conversations } = useChat();
  const [columnId, setColumnId] = useState(dialog.columnId);
  const column = conversation.columns.find(({ id }) => id === columnId) ?? conversation.columns[0];
  if (column === undefined) return null;
  const change = (patch: Partial<Omit<Column, "id">>) =>
    conversations.dispatch(conversation.id, { kind: "column-changed", columnId: column.id, patch });
  const { endpoint, params } = column;
  return (
    <div className="flex flex-col gap-2" key={column.id}>
      {conversation.columns.length > 1 && (
        <Segmented
          label="Column"
          className="mb-2"
          options={conversation.columns.map(({ id, model }, index) => ({ value: id, label: `${index + 1}: ${model}` }))}
          value={column.id}
          onChange={setColumnId}
        />
      )}
      {endpoint === "completions" && (
        <Field label="Mode" group>
          {({ labelId }) => (
            <Segmented
              label="Mode"
              labelledBy={labelId}
              options={[
                { value: "document", label: "Document" },
                { value: "chat", label: "Chat by template" },
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
              value={column.system}
              onChange={(event) => change({ system: event.target.value })}
            />
          )}
        </Field>
      )}
      {endpoint === "messages" && (
        <Field
          label="Prompt cache"
          group
          hint="Marks blocks with cache_control. Reads from the cache are billed at a lower rate."
        >
          {({ labelId, describedBy }) => (
            <Segmented
              label="Prompt cache"
              labelledBy={labelId}
              describedBy={describedBy}
              options={[
                { value: "off", label: "Off" },
                { value: "auto", label: "Automatic" },
                { value: "pins", label: "By pins" },
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
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 max-sm:grid-cols-1">
        {PARAMETERS[endpoint].map((parameter) => (
          <ParameterField
            key={`${endpoint} ${parameter.name}`}
            parameter={parameter}
            value={readParameter(params, parameter)}
            onChange={(value) => change({ params: writeParameter(params, parameter, value) })}
          />
        ))}
      </div>
      <OtherFields key={endpoint} endpoint={endpoint} params={params} onChange={(next) => change({ params: next })} />
      <PresetLine column={column} onApply={change} />
    </div>
  );
}

const SYSTEM_HINTS = {
  messages: "Sent as system.",
  responses: "Sent as instructions.",
  completions: "Written at the start by the template.",
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
          With markers
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
      <Field label="Stops at" hint="Sent as stop.">
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

/** Sets of parameters kept under a name, for this endpoint. */
function PresetLine({ column, onApply }: { column: Column; onApply: (patch: Partial<Column>) => void }) {
  const [presets, setPresets] = useState(readPresets);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const fitting = presets.filter(({ endpoint }) => endpoint === column.endpoint);
  const preset: Preset | undefined = fitting.find((one) => one.name === chosen);
  return (
    <div className="flex flex-col gap-2">
      <Field label="Presets">
        {({ id }) => (
          <div className="flex gap-2">
            <Select id={id} className="flex-1" value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="">{fitting.length === 0 ? "None kept yet" : "Choose one"}</option>
              {fitting.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </Select>
            <Button
              aria-disabled={!preset}
              onClick={() => preset && onApply({ params: preset.params, system: preset.system })}
            >
              Use
            </Button>
            <Button aria-disabled={!preset} onClick={() => preset && setPresets(removePreset(preset))}>
              Delete
            </Button>
          </div>
        )}
      </Field>
      <Field label="Keep these settings as">
        {({ id }) => (
          <div className="flex gap-2">
            <TextInput id={id} className="flex-1" value={name} onChange={(event) => setName(event.target.value)} />
            <Button
              aria-disabled={name.trim() === ""}
              onClick={() => {
                const { endpoint, params, system } = column;
                setPresets(savePreset({ name: name.trim(), endpoint, params, system }));
                setChosen(name.trim());
                setName("");
              }}
            >
              Keep
            </Button>
          </div>
        )}
      </Field>
    </div>
  );
}
