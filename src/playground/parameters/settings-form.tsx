import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { useChat } from "#text/chat.ts";
import { type Column, createColumn } from "#text/conversations/conversation.ts";
import { Field, TextArea } from "#ui/field.tsx";
import { Pill } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { ParameterFields, type SettingsValues, settingsValues } from "./parameter-fields.tsx";
import { PresetField, PresetFoot, usePresets } from "./preset-fields.tsx";
import type { TextPreset } from "./presets.ts";
import { InsertRunsInstructions } from "./runs-instructions.tsx";
import { TemplateFields } from "./template-fields.tsx";

/**
 * The settings of a column. There is nothing to submit: every change takes effect at once, for the next message, and only
 * what is set is sent.
 */
export function SettingsForm({
  conversationId,
  column,
  top,
}: {
  conversationId: string;
  column: Column;
  top: ReactNode;
}) {
  const { conversations } = useChat();
  const form = useForm<SettingsValues>({ mode: "onChange", defaultValues: settingsValues(column) });
  const presets = usePresets(column);
  /** Fields that hold what was typed are made anew after a preset. */
  const [round, setRound] = useState(0);
  const change = (patch: Partial<Omit<Column, "id">>) =>
    conversations.dispatch(conversationId, { kind: "column-changed", columnId: column.id, patch });
  const apply = (preset: TextPreset | undefined) => {
    const { params, system } = preset ?? createColumn(column);
    const patch = { params, system, preset: preset?.name ?? "" };
    change(patch);
    form.reset(settingsValues({ ...column, ...patch }));
    setRound(round + 1);
  };
  const { endpoint } = column;
  const isDocument = endpoint === "completions" && column.isDocument;
  const { changed } = presets;
  const isCached = endpoint === "messages" && column.cacheMode !== "off" && column.system !== "";
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain flex flex-col gap-4 px-4 pt-3.5 pb-2 short:flex-none short:overflow-visible">
        <PresetField state={presets} onUse={apply} />
        {top}
        {endpoint === "completions" && (
          <Field label="Mode" group errorless>
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
        {!isDocument && (
          <Field
            label="System prompt"
            hint={endpoint === "completions" ? "The template puts it at the start." : undefined}
            changed={changed.has("system")}
            errorless
            aside={isCached && <Pill>Cached</Pill>}
          >
            {({ id, describedBy }) => (
              <>
                <TextArea
                  id={id}
                  aria-describedby={describedBy}
                  rows={4}
                  className="max-h-[30dvh] text-[13px]"
                  {...form.register("system", {
                    onChange: ({ target }: { target: HTMLTextAreaElement }) => change({ system: target.value }),
                  })}
                />
                <InsertRunsInstructions
                  system={column.system}
                  onInsert={(system) => {
                    change({ system });
                    form.setValue("system", system);
                    form.setFocus("system");
                  }}
                />
              </>
            )}
          </Field>
        )}
        {endpoint === "messages" && (
          <Field label="Prompt cache" group hint="Tokens read from the cache cost less.">
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
        <ParameterFields
          key={round}
          form={form}
          column={column}
          changed={changed}
          onChange={(params) => change({ params })}
        />
      </div>
      <PresetFoot column={column} state={presets} onUse={apply} onSaved={(preset) => change({ preset })} />
    </>
  );
}
