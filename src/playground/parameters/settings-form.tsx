import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useStarredModels } from "#models/starred-models.ts";
import type { Field as SchemaField } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import { useChat } from "#text/chat.ts";
import {
  CHATML_TEMPLATE,
  type Column,
  createColumn,
  PLAIN_TEMPLATE,
  type PromptTemplate,
} from "#text/conversations/conversation.ts";
import { Button } from "#ui/button.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Pill } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { ParameterFields, type SettingsValues, settingsValues } from "./parameter-fields.tsx";
import { PresetField, PresetFoot, type TextPreset, usePresets } from "./preset-fields.tsx";
import { runsInstructions, type TaughtModel, teachesRuns } from "./proposal-instructions.ts";

/**
 * The settings of a column. There is nothing to submit: every change takes effect at once, for the next message. Only
 * fields that are set are sent.
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
  /** A key that changes with each applied preset, so that the fields forget what was typed. */
  const [formKey, setFormKey] = useState(0);
  const change = (patch: Partial<Omit<Column, "id">>) =>
    conversations.dispatch(conversationId, { kind: "column-changed", columnId: column.id, patch });
  const apply = (preset: TextPreset | undefined) => {
    const { params, system } = preset ?? createColumn(column);
    const patch = { params, system, preset: preset?.name ?? "" };
    change(patch);
    form.reset(settingsValues({ ...column, ...patch }));
    setFormKey(formKey + 1);
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
                  className="max-h-[30dvh] text-sm"
                  {...form.register("system", {
                    onChange: ({ target }: { target: HTMLTextAreaElement }) => change({ system: target.value }),
                  })}
                />
                <InsertRunsInstructions
                  system={column.system}
                  onInsert={(instructions) => {
                    // What stands there now: the models were asked for meanwhile.
                    const typed = form.getValues("system").trimEnd();
                    const system = typed === "" ? instructions : `${typed}\n\n${instructions}`;
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
          key={formKey}
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

const PARTS = [
  { name: "system", label: "System line" },
  { name: "user", label: "User line" },
  { name: "assistant", label: "Assistant line" },
  { name: "start", label: "Response prefix" },
] as const;

const escapeLines = (text: string) => text.replaceAll("\n", "\\n");
const unescapeLines = (text: string) => text.replaceAll("\\n", "\n");

/** The template that makes one text of a chat for a completions model. `\n` stands for a line end. */
function TemplateFields({
  template,
  onChange,
}: {
  template: PromptTemplate;
  onChange: (template: PromptTemplate) => void;
}) {
  return (
    <fieldset className="m-0 mb-3 min-w-0 rounded-md border border-line px-3 pt-2 pb-1">
      <legend className="px-1 font-medium text-sm">Template</legend>
      <div className="mb-2 flex gap-2">
        <Button size="sm" onClick={() => onChange(PLAIN_TEMPLATE)}>
          Plain
        </Button>
        <Button size="sm" onClick={() => onChange(CHATML_TEMPLATE)}>
          ChatML
        </Button>
      </div>
      {PARTS.map(({ name, label }) => (
        <Field key={name} label={label} errorless>
          {({ id }) => (
            <TextInput
              id={id}
              mono
              value={escapeLines(template[name])}
              onChange={(event) => onChange({ ...template, [name]: unescapeLines(event.target.value) })}
            />
          )}
        </Field>
      ))}
      <Field label="Stop sequences" hint="Sent as stop">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            mono
            value={template.stop.map(escapeLines).join(" | ")}
            onChange={(event) => {
              const stop = event.target.value.split(" | ").filter((word) => word !== "");
              onChange({ ...template, stop: stop.map(unescapeLines) });
            }}
          />
        )}
      </Field>
    </fieldset>
  );
}

/** Models that the instructions name. Each costs tokens with every message. */
const MAX_MODELS = 40;
/** Models whose parameters the instructions describe. Each needs a request. */
const MAX_DESCRIBED = 8;
/** Parameters of one model. */
const MAX_PARAMETERS = 10;
/** Options of one parameter. */
const MAX_OPTIONS = 8;

/**
 * A button that adds the instructions for proposing runs to a system prompt, with the ids of this service's generation
 * models, favorites first. Not shown where the prompt has them already.
 */
function InsertRunsInstructions({ system, onInsert }: { system: string; onInsert: (instructions: string) => void }) {
  const queries = modelQueries(useApi());
  const client = useQueryClient();
  const starred = useStarredModels();
  const [isLoading, setIsLoading] = useState(false);
  if (teachesRuns(system)) return null;

  const insert = async () => {
    setIsLoading(true);
    const listed = await client.ensureQueryData(queries.ids()).catch(() => []);
    const known = new Set(listed);
    const ids = [...starred.filter((id) => known.has(id)), ...listed.filter((id) => !starred.includes(id))]
      // An id with invisible characters would be another id when the model repeats it.
      .filter((id) => id.length <= 100 && visibleLine(id) === id)
      .slice(0, MAX_MODELS);
    const models = ids.map(async (id, index): Promise<TaughtModel> => {
      const detail =
        index < MAX_DESCRIBED ? await client.ensureQueryData(queries.detail(id)).catch(() => undefined) : undefined;
      return { id, parameters: detail ? describeParameters(detail.raw) : [] };
    });
    const text = runsInstructions(await Promise.all(models));
    onInsert(text);
  };
  return (
    <div data-field className="-ms-2 -mt-1 flex">
      <Button
        size="sm"
        variant="ghost"
        // With larger letters or wider spacing it needs a second line.
        className="whitespace-normal! text-start"
        busy={isLoading}
        onClick={() => void insert().finally(() => setIsLoading(false))}
      >
        Insert instructions for proposing runs
      </Button>
    </div>
  );
}

function describeParameters(response: unknown): string[] {
  const { fields } = readSchema(response, { place: getSchemaPlace(getConnection()?.queueBaseUrl) });
  const first = fields.filter(({ required }) => required);
  return [...first, ...fields.filter(({ required, advanced }) => !required && !advanced)]
    .slice(0, MAX_PARAMETERS)
    .map(describeField);
}

/** A parameter in words: "prompt (required)", "size (512x512, 1024x1024)". */
function describeField(field: SchemaField): string {
  const words = [...(field.required ? ["required"] : []), ...describeValues(field)].join("; ");
  return words === "" ? visibleLine(field.key, 60) : `${visibleLine(field.key, 60)} (${words})`;
}

function describeValues(field: SchemaField): string[] {
  if (field.kind === "boolean") return ["true or false"];
  if (field.kind === "media") return [`URL of ${field.media === "file" ? "a file" : `an ${field.media}`}`];
  if (field.kind === "number") {
    return field.min === undefined || field.max === undefined ? [] : [`${field.min} to ${field.max}`];
  }
  if (field.kind !== "choice") return [];
  const options = field.options.slice(0, MAX_OPTIONS).map(({ value }) => visibleLine(String(value), 40));
  return [`${options.join(", ")}${field.options.length > MAX_OPTIONS ? ", …" : ""}`];
}
