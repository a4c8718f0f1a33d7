import { clsx } from "clsx";
import { Bookmark, Braces, CodeXml, type LucideIcon, Play, SquarePen, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { KeyNotice } from "#connection/error-notice.tsx";
import { findKey, keySentence } from "#connection/find-key.ts";
import { formatMicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted, onDeletedMedia } from "#media/deleted-media.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import type { Draft } from "#schema-form/draft.ts";
import { JsonView } from "#schema-form/form/json-view.tsx";
import { ReadingPanel } from "#schema-form/form/reading-panel.tsx";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { useCommandProps } from "#ui/command-button.tsx";
import { type CommandInfo, useCommands } from "#ui/commands.ts";
import { CodeView } from "./code-view.tsx";
import { createCommands } from "./commands.ts";
import { useFormDraft } from "./drafts.ts";
import { FileDrop } from "./file-drop.tsx";
import { focusPrompt, useFirstFocus } from "./form-focus.ts";
import { ImprovePrompt } from "./improve-prompt.tsx";
import { MediaFields } from "./media-fields.tsx";
import { type FormLinks, PrefillNotice } from "./prefill.tsx";
import { PresetsDialog } from "./presets-dialog.tsx";
import { NewBatchButton } from "./run/new-batch-button.tsx";
import { RunBar, useRun } from "./run/run-bar.tsx";
import { SubmitNotice } from "./run/submit-notice.tsx";

/** A model's form with the Run bar under it. */
export function PayloadForm({
  modelId,
  kind,
  schema,
  starting,
  card,
  links,
  onPick,
  onAccepted,
}: {
  modelId: string;
  /** What the model makes, as the model list says it: "image", "video". */
  kind: string | undefined;
  schema: FormSchema;
  starting: Draft;
  card: ReactNode;
  links: FormLinks;
  /** Opens the list of models. */
  onPick: () => void;
  /** The service has accepted a run of this model. `isOwn`: it was pressed in this form. */
  onAccepted: (requestId: string, isOwn: boolean) => void;
}) {
  const connection = useConnection();
  const [view, setView] = useState<FormView>("form");
  const form = useSchemaForm({
    modelId,
    schema,
    initial: starting,
    isDeleted: isFileDeleted,
    testText: keySentence,
  });
  useFormDraft(connection?.accountId ?? "", modelId, form);
  // Checks again when a file is deleted while the form is open, here or in another tab.
  useEffect(() => onDeletedMedia(form.validate), [form]);
  const formElement = useRef<HTMLFormElement>(null);
  const promptKey = schema.fields.find((field) => field.role === "prompt")?.key;
  const showFields = () => setView((old) => (old === "code" ? "form" : old));
  const formRun = useRun({ form, schema, element: formElement, promptKey, showFields, onAccepted });
  const { payload, problems, submit, waitingRun, openRun, press } = formRun;
  const { price } = formRun.estimate;
  const finding = problems.length === 0 ? undefined : findKey(payload);
  const { formRef, prefill } = links;
  useEffect(() => {
    formRef.current = form;
  }, [form, formRef]);
  const [isNaming, setIsNaming] = useState(false);
  const renderMedia = useCallback((props: MediaControlProps) => <MediaFields {...props} />, []);

  const renderAside = useCallback(
    (field: Field) => field.key === promptKey && <ImprovePrompt form={form} promptKey={field.key} />,
    [promptKey, form],
  );

  function showPrompt() {
    setView("form");
    requestAnimationFrame(() => focusPrompt(form));
  }
  const priceText = price.state === "priced" ? formatMicroUsd(price.priceMicroUsd) : undefined;
  useCommands([
    {
      ...createCommands.run,
      label: `Run ${visibleLine(modelId, 60)}`,
      icon: Play,
      value: priceText,
      unavailable: openRun,
      run: press,
    },
    { ...createCommands.prompt, icon: SquarePen, run: showPrompt },
    ...(waitingRun.isWaiting ? [{ ...createCommands.cancelRun, icon: X, run: waitingRun.cancel }] : []),
  ]);
  useFirstFocus(form);

  return (
    <form
      className="relative flex min-h-0 flex-1 flex-col"
      noValidate
      ref={formElement}
      // Enter in a field must not run. Only the Run button and its shortcut start a run.
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-4.5 overflow-y-auto p-4 short:flex-none short:overflow-visible">
        {card}
        {prefill && <PrefillNotice key={prefill.id} prefill={prefill} form={form} onDone={links.onPrefilled} />}
        {view === "form" && <SchemaForm form={form} renderMedia={renderMedia} renderAside={renderAside} />}
        {view === "form" && <ReadingPanel modelId={modelId} schema={schema} />}
        {view === "json" && <JsonView form={form} />}
        {view === "code" && (
          <CodeView
            queueBaseUrl={new URL(connection?.queueBaseUrl ?? "", location.href).href}
            modelId={modelId}
            payload={payload}
          />
        )}
      </div>
      {/* Each in a box of its own, so that a notice that comes or goes, or a longer line, moves nothing below it. */}
      <div className="border-line border-t" />
      {finding?.kind === "similar" && (
        <div className="px-4 pt-3">
          <KeyNotice finding={finding} what="form" onSendAnyway={form.validate} />
        </div>
      )}
      {submit.state.phase !== "idle" && submit.state.phase !== "sending" && (
        <div className="px-4 pt-3 empty:hidden">
          <SubmitNotice
            submission={submit}
            price={priceText}
            onRun={press}
            onEdit={() => {
              showFields();
              void form.focusFirstProblem().then(() => focusPrompt(form));
            }}
            onPick={onPick}
          />
        </div>
      )}
      <RunBar
        form={form}
        run={formRun}
        {...countIn(schema, payload)}
        kind={kind}
        batch={
          <NewBatchButton request={formRun.canRun ? { model: modelId, payload } : undefined} promptKey={promptKey} />
        }
      />
      <div className="px-4 pt-3 pb-3.5">
        <FormViewTabs
          view={view}
          onView={setView}
          onPresets={() => setIsNaming(finding?.kind !== "own")}
          isSaved={finding?.kind !== "own"}
        />
      </div>
      <FileDrop form={form} onPut={() => setView("form")} onSettings={links.onSettings} />
      <PresetsDialog open={isNaming} onOpenChange={setIsNaming} modelId={modelId} form={form} />
    </form>
  );
}

/** Labels of a count that can be used as the plural of what is made. */
const COUNTED = /^(images|videos|clips|tracks|songs|variations|samples)$/i;

/** How many results a payload asks for, and the plural for them. */
function countIn(schema: FormSchema, payload: JsonRecord): { count: number; plural: string } {
  const field = schema.fields.find(({ role }) => role === "count");
  const given = field && Object.hasOwn(payload, field.key) ? payload[field.key] : field?.defaultValue;
  const plural = field && COUNTED.test(field.label) ? field.label.toLowerCase() : "results";
  return { count: Number(given) || 1, plural };
}

type FormView = "form" | "json" | "code";

const VIEWS: readonly { view: FormView; word: string; icon: LucideIcon; command: CommandInfo }[] = [
  { view: "form", word: "Form", icon: SquarePen, command: createCommands.viewForm },
  { view: "json", word: "JSON", icon: Braces, command: createCommands.viewJson },
  { view: "code", word: "Code", icon: CodeXml, command: createCommands.viewCode },
];

/** Three views of the same settings, and the way to its presets. */
function FormViewTabs({
  view,
  onView,
  onPresets,
  isSaved,
}: {
  view: FormView;
  onView: (view: FormView) => void;
  onPresets: () => void;
  /** Not while the connection's own key is in the form: it must not be on the disk. */
  isSaved: boolean;
}) {
  useCommands([
    { ...createCommands.presets, icon: Bookmark, run: onPresets },
    ...VIEWS.map(({ view: name, icon, command }) => ({
      ...command,
      icon,
      value: view === name ? "On" : undefined,
      run: () => onView(name),
    })),
  ]);
  const presetsProps = useCommandProps(createCommands.presets);
  return (
    <div className="flex flex-wrap items-center gap-1 text-xs">
      {VIEWS.map(({ view: name, word, command }) => (
        <button
          key={name}
          type="button"
          data-command={command.id}
          aria-pressed={view === name}
          onClick={() => onView(name)}
          className={clsx(
            "min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3",
            view === name ? "font-medium text-ink" : "text-ink-3",
          )}
        >
          {word}
        </button>
      ))}
      <span className="ml-auto text-ink-3">{isSaved ? "Draft saved" : "Draft not saved"}</span>
      <button
        type="button"
        {...presetsProps}
        onClick={onPresets}
        className="min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3"
      >
        {createCommands.presets.label}
      </button>
    </div>
  );
}
