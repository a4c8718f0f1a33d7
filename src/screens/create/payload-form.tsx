import { clsx } from "clsx";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { findKey, keyFindingSentence } from "#connection/key-in-text.ts";
import { KeyNotice } from "#connection/key-notice.tsx";
import { NewBatchButton } from "#jobs/batch/new-batch-button.tsx";
import { useEstimate } from "#jobs/price/use-estimate.ts";
import { useSubmit } from "#jobs/submit/use-submit.ts";
import type { JsonRecord } from "#lib/read.ts";
import { isFileDeleted, onDeletedMedia } from "#media/deleted-media.ts";
import { usePendingUploads } from "#media/upload/upload-store.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import { ReadingPanel } from "#schema-form/form/reading-panel.tsx";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useFormPayload, useFormProblems, useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";
import { useOpenForm, useSavedDraft } from "./drafts.ts";
import { FileDrop } from "./file-drop.tsx";
import { ImprovePrompt } from "./improve-prompt.tsx";
import { RunBar } from "./run-bar.tsx";
import { SubmitNotice } from "./submit-notice.tsx";
import type { FormLinks } from "./use-prefill.ts";

// Uploading, converting and previewing come with the first model that takes media.
const MediaFields = lazyNamed(() => import("./media-fields.tsx"), "MediaFields", {
  waiting: () => <Skeleton className="h-[82px]" />,
});
// A form that is opened from a job, a file or a link: most visits begin with a draft or with nothing.
const PrefillNotice = lazyNamed(() => import("./prefill-notice.tsx"), "PrefillNotice");
const JsonView = lazyNamed(() => import("#schema-form/form/json-view.tsx"), "JsonView");
const CodeView = lazyNamed(() => import("#schema-form/form/code-view.tsx"), "CodeView");
const PresetsDialog = lazyNamed(() => import("./presets-dialog.tsx"), "PresetsDialog");

/** A model's form with the Run bar under it. */
export function PayloadForm({
  modelId,
  schema,
  starting,
  card,
  links,
  onJob,
}: {
  modelId: string;
  schema: FormSchema;
  starting: JsonRecord;
  card: ReactNode;
  links: FormLinks;
  onJob: (requestId: string) => void;
}) {
  const connection = useConnection();
  const [view, setView] = useState<FormView>("form");
  const saveDraft = useSavedDraft(connection?.accountId ?? "", modelId);
  const form = useSchemaForm({
    modelId,
    schema,
    initialPayload: starting,
    isDeleted: isFileDeleted,
    testText: keyIn,
    onPayloadChange: saveDraft,
  });
  useOpenForm(connection?.accountId ?? "", modelId, form);
  // Deleted while the form is open, here or in another tab.
  useEffect(() => onDeletedMedia(form.validate), [form]);
  const payload = useFormPayload(form);
  const problems = useFormProblems(form);
  const isValid = problems.length === 0;
  const finding = isValid ? undefined : findKey(payload, connection?.keyShape);
  const { formRef, prefill } = links;
  useEffect(() => {
    formRef.current = form;
  }, [form, formRef]);
  const [isNaming, setIsNaming] = useState(false);
  const estimate = useEstimate(isValid ? { model: modelId, payload } : undefined);
  const submit = useSubmit(modelId);
  const shown = useRef<string>(undefined);
  // A job of an earlier visit to this form was accepted before it opened: its seed was drawn anew then.
  const hasRun = useRef(false);
  const pendingUploads = usePendingUploads(modelId);
  const renderMedia = useCallback((props: MediaControlProps) => <MediaFields {...props} />, []);

  const renderAside = useCallback(
    (field: Field) => field.key === promptKeyOf(schema) && <ImprovePrompt form={form} promptKey={field.key} />,
    [schema, form],
  );

  const requestId = submit.state.phase === "accepted" ? submit.state.requestId : undefined;
  useEffect(() => {
    if (requestId === undefined || shown.current === requestId) return;
    shown.current = requestId;
    onJob(requestId);
    if (hasRun.current) form.drawNextSeeds();
    hasRun.current = false;
  }, [requestId, onJob, form]);

  function run() {
    if (!isValid || estimate.error) {
      setView((old) => (old === "code" ? "form" : old));
      void form.focusFirstProblem();
      if (estimate.error && !form.getRefused()) estimate.retry();
    }
    if (isValid && pendingUploads === 0 && estimate.priceMicroUsd !== undefined && !estimate.isStale) {
      hasRun.current = true;
      rememberPrompt(promptIn(schema, payload));
      void submit.submit({ model: modelId, payload }, estimate.priceMicroUsd);
    }
  }

  return (
    <form
      className="relative flex min-h-0 flex-1 flex-col"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
      onKeyDown={(event) => {
        // React passes the events of the form's dialogs here too, though they are elsewhere in the document.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (isInside && event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          run();
        }
      }}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-[18px] overflow-y-auto p-4 short:flex-none short:overflow-visible">
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
      <div className="flex flex-col gap-3 border-line border-t px-4 pt-3 pb-3.5">
        {finding?.kind === "similar" && <KeyNotice finding={finding} what="form" onSendAnyway={form.validate} />}
        <SubmitNotice submission={submit} onRun={run} />
        <RunBar
          form={form}
          problems={problems}
          count={countIn(schema, payload)}
          pendingUploads={pendingUploads}
          estimate={estimate}
          state={submit.state}
          batch={
            <NewBatchButton
              request={isValid && pendingUploads === 0 ? { model: modelId, payload } : undefined}
              promptKey={promptKeyOf(schema)}
            />
          }
          onRun={run}
        />
        <FormViewTabs
          view={view}
          onView={setView}
          onPresets={() => setIsNaming(finding?.kind !== "own")}
          isSaved={finding?.kind !== "own"}
        />
      </div>
      <FileDrop form={form} onPut={() => setView("form")} onSettings={links.onSettings} />
      <LazyMount when={isNaming}>
        <PresetsDialog open={isNaming} onOpenChange={setIsNaming} modelId={modelId} form={form} />
      </LazyMount>
    </form>
  );
}

/** Why a value must not be sent: a key is in it. */
function keyIn(value: unknown): string | undefined {
  const finding = findKey(value, getConnection()?.keyShape);
  return finding && keyFindingSentence(finding);
}

function promptKeyOf(schema: FormSchema): string | undefined {
  return schema.fields.find((field) => field.role === "prompt")?.key;
}

/** How many results a payload asks for. */
function countIn(schema: FormSchema, payload: JsonRecord): number {
  const field = schema.fields.find(({ role }) => role === "count");
  const given = field && Object.hasOwn(payload, field.key) ? payload[field.key] : field?.defaultValue;
  return Number(given) || 1;
}

function promptIn(schema: FormSchema, payload: JsonRecord): string {
  const key = promptKeyOf(schema);
  const words = key !== undefined && Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof words === "string" ? words : "";
}

type FormView = "form" | "json" | "code";

const VIEWS: readonly [FormView, string][] = [
  ["form", "Form"],
  ["json", "JSON"],
  ["code", "Code"],
];

/** Three views of one payload, and the way to its presets. */
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
  return (
    <div className="flex items-center gap-1 text-[12px]">
      {VIEWS.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={view === name}
          onClick={() => onView(name)}
          className={clsx(
            "min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 hover:text-ink pointer-coarse:min-h-10 pointer-coarse:px-3",
            view === name ? "font-medium text-ink" : "text-ink-3",
          )}
        >
          {label}
        </button>
      ))}
      <span className="ml-auto text-ink-3">{isSaved ? "Saved as draft" : "Not saved as draft"}</span>
      <button
        type="button"
        onClick={onPresets}
        className="min-h-6 cursor-pointer rounded-sm border-0 bg-transparent px-1.5 text-ink-2 hover:text-ink pointer-coarse:min-h-10 pointer-coarse:px-3"
      >
        Presets
      </button>
    </div>
  );
}
