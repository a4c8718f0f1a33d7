import { useState } from "react";
import type { Column } from "#chat/conversation.ts";
import { PARAMETERS, readParameter, writeParameter } from "#chat/parameters.ts";
import { Field } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { TextArea } from "#ui/text-area.tsx";
import { useDesk } from "./chat-context.ts";
import { OtherFields } from "./other-fields.tsx";
import { ParameterField } from "./parameter-field.tsx";
import type { DialogBodyProps } from "./playground-dialogs.tsx";
import { PresetLine } from "./preset-line.tsx";
import { TemplateFields } from "./template-fields.tsx";

/** Everything a column sends beside the messages: system prompt, cache, parameters. Only what is set is sent. */
export function ColumnSettings({ conversation, dialog }: DialogBodyProps<"settings">) {
  const { shelf } = useDesk();
  const [columnId, setColumnId] = useState(dialog.columnId);
  const column = conversation.columns.find(({ id }) => id === columnId) ?? conversation.columns[0];
  if (column === undefined) return null;
  const change = (patch: Partial<Omit<Column, "id">>) =>
    shelf.act(conversation.id, { kind: "column-changed", columnId: column.id, patch });
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
